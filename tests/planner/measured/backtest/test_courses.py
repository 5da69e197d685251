"""Courses of a run beside the measured ones."""

import numpy as np
import pytest

from planner.api import run_plan
from planner.measured.backtest.backtest import back_test
from planner.measured.backtest.courses_table import save_courses
from planner.measured.measured_cluster import CLUSTER, MeasuredCluster, Subject
from planner.measured.quantities import Quantity
from tests.builders import a_node_group, a_plan, a_workload

STEPS = 10


def test_a_back_test_keeps_every_course_beside_the_measured_one():
    plan = a_plan(node_groups=(a_node_group(initial_size=1, max_size=1),), workloads=(a_workload("web", replicas=60),))
    load = {Subject(Quantity.REQUESTS, "web"): np.full(STEPS, 5, dtype=np.float32)}
    pending, nodes = Subject(Quantity.PENDING, CLUSTER), Subject(Quantity.NODES, plan.node_groups[0].name)
    seen = {pending: np.full(STEPS, 7, dtype=np.float32), nodes: np.full(STEPS, 1, dtype=np.float32)}
    measured = MeasuredCluster(0, 60, STEPS, load | seen, {}, "test")
    found = back_test(plan, measured, 2, lambda plan, seed: run_plan(plan, seed=seed))
    beside = found.side_by_side(pending)
    assert list(beside.measured) == [7] * STEPS and beside.naive is None
    assert beside.middle[-1] == found.runs[0].series["pods_pending_count"][-1] > 0
    assert (beside.low <= beside.middle).all() and (beside.middle <= beside.high).all()
    assert {item.subject for item in found.comparisons} == {pending, nodes}
    assert found.days == pytest.approx(STEPS / 1440)


def test_all_courses_are_written_as_a_table(tmp_path):
    plan = a_plan(workloads=(a_workload("web", replicas=2),))
    seen = {
        Subject(Quantity.REQUESTS, "web"): np.full(STEPS, 5, dtype=np.float32),
        Subject(Quantity.READY, "web"): np.array([np.nan] + [2.0] * (STEPS - 1), dtype=np.float32),
    }
    found = back_test(plan, MeasuredCluster(0, 60, STEPS, seen, {}, "test"), 1, lambda plan, seed: run_plan(plan, seed))
    save_courses(found, tmp_path / "courses.csv")
    head, first, *rest = (tmp_path / "courses.csv").read_text().splitlines()
    assert head.startswith("time,quantity,name,measured,")
    assert first.startswith("1970-01-01T00:01:00Z,ready,web,,") and len(rest) == STEPS - 1
    assert rest[-1] == "1970-01-01T00:10:00Z,ready,web,2,2,2,2,"
