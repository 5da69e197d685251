"""Rows of the report's tables."""

import numpy as np
import pytest

from planner.metrics import tables
from planner.metrics.figures.inputs import FigureInputs
from planner.metrics.history.columns import pod_history
from planner.metrics.pods.pod_rows import PodRows
from planner.metrics.result import build_result
from planner.metrics.totals import totals_for
from planner.plan.model.plan import Plan
from planner.record.decision_log import DecisionLog
from planner.record.series import SeriesStore
from planner.state.cluster import Cluster
from planner.state.resources import ResourceAxis
from tests.planner.metrics.small_run import HandClock, small_run


def pod_rows(cluster):
    return PodRows(pod_history(cluster), [cluster.node_name(node) for node in range(cluster.nodes.count)])


BUILDERS = {
    "workloads": tables.workload_rows,
    "node_groups": tables.node_group_rows,
    "nodes": tables.node_rows,
    "pods": lambda inputs: pod_rows(inputs.cluster),
    "costs": tables.cost_rows,
}


@pytest.mark.parametrize("name", BUILDERS)
def test_every_row_has_the_columns_of_its_file(name):
    assert frozenset(BUILDERS) == frozenset(tables.COLUMNS)
    for row in BUILDERS[name](small_run()):
        assert tuple(row) == tables.COLUMNS[name]


def test_the_row_of_a_pod_gives_its_times_in_seconds():
    pods = {row["pod"]: row for row in pod_rows(small_run().cluster)}
    late = pods["shop-0002"]
    assert [late[key] for key in ("created_s", "scheduled_s", "started_s", "ready_s")] == [60, 310, 320, 320]
    assert (late["ended_s"], late["reason"], late["node"]) == (None, None, "red-0001")
    gone = pods["batch-0001"]
    assert (gone["ended_s"], gone["reason"], gone["node"]) == (1800, "Evicted", "blue-0001")
    assert pods["reserve-0001"]["reason"] == "Preempted"


def test_a_node_that_is_still_there_was_not_removed():
    nodes = {row["node"]: row for row in tables.node_rows(small_run())}
    assert (nodes["red-0001"]["requested_s"], nodes["red-0001"]["ready_s"]) == (90, 300)
    assert nodes["red-0001"]["removed_s"] is None


def test_costs_of_workloads_and_idle_add_up_to_the_total():
    rows = tables.cost_rows(small_run())
    by_kind = {kind: sum(r["cost_currency"] for r in rows if r["kind"] == kind) for kind in ("total", "node group")}
    shared = sum(r["cost_currency"] for r in rows if r["kind"] in ("workload", "idle"))
    assert by_kind["node group"] == pytest.approx(by_kind["total"])
    assert shared == pytest.approx(by_kind["total"])


def test_a_pod_that_was_there_half_the_time_bears_half_its_share():
    batch = next(row for row in tables.cost_rows(small_run()) if row["subject"] == "batch")
    assert batch["cost_currency"] == pytest.approx(0.2 * 0.25 / 2)


def test_a_result_gathers_figures_and_tables():
    result = build_result(small_run(), seed=7)
    assert (result.seed, result.slo_missed, len(result.pods)) == (7, ("shop",), 4)
    assert len(result.digest()) == 64


def test_an_empty_cluster_gives_empty_tables_and_no_cost():
    cluster, plan = Cluster(HandClock(), ResourceAxis()), Plan()
    inputs = FigureInputs(
        cluster, plan, 1, np.array([], dtype=np.int64), SeriesStore(), DecisionLog(), totals_for(plan)
    )
    result = build_result(inputs, seed=1)
    assert (result.workloads, result.nodes, tuple(result.pods)) == ((), (), ())
    assert [row["cost_currency"] for row in result.costs] == [0.0, 0.0]
