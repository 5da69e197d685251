"""Which nodes and pods there were, and when."""

import numpy as np
import pytest

from planner import api
from planner.plan.model.events.on_nodes import CordonNodes
from planner.record.history import NEVER, NodeMark
from planner.units import US_PER_S
from tests.builders import a_node_group, a_plan, a_workload


@pytest.fixture(scope="module")
def result():
    plan = a_plan(
        node_groups=(a_node_group("pool", initial_size=2, min_size=2),),
        workloads=(a_workload("web", replicas=3),),
        events=(CordonNodes(type="cordon", at="5m", node_group="pool", count=1, duration="10m"),),
    )
    return api.run_plan(plan)


def test_the_history_says_what_the_tables_of_the_report_say(result):
    nodes, pods = result.history.nodes, result.history.pods
    assert nodes.names == tuple(row["node"] for row in result.nodes)
    assert [pods.name(pod) for pod in range(len(pods))] == [row["pod"] for row in result.pods]
    for column, key in ((pods.bound_us, "scheduled_s"), (pods.ended_us, "ended_s"), (pods.ready_us, "ready_s")):
        expected = [NEVER if row[key] is None else round(row[key] * US_PER_S) for row in result.pods]
        assert np.where(column < 0, np.where(column == NEVER, NEVER, 0), column).tolist() == expected


def test_a_node_is_marked_for_as_long_as_it_is_cordoned(result):
    nodes = result.history.nodes
    marks = {minute: nodes.marks_at(minute * 60 * US_PER_S) for minute in (4, 8, 30)}
    assert not marks[4].any() and not marks[30].any()
    assert np.count_nonzero(marks[8] & NodeMark.CORDONED) == 1


def test_what_is_requested_adds_up_to_the_series(result):
    pods, at_us = result.history.pods, int(result.time_us[-1])
    there = (pods.bound_us <= at_us) & (pods.node != NEVER) & ((pods.ended_us == NEVER) | (pods.ended_us > at_us))
    assert pods.cpu_milli[there].sum() / 1000.0 == pytest.approx(result.series["cpu_requested_cores"][-1])
