"""What was measured is the same after saving and reading, and equal measurements are equal files."""

import numpy as np

from planner.measured.measured_cluster import CLUSTER, MeasuredCluster, Subject
from planner.measured.quantities import Quantity
from planner.measured.reading import HowRead, read_measured
from planner.measured.saving import ENDING, save_measured
from tests.builders import a_plan, a_workload


def test_what_is_saved_is_read_again(tmp_path):
    plan = a_plan(workloads=(a_workload("shop"), a_workload("mail", namespace="office")))
    steps = 100
    courses = {
        Subject(Quantity.CPU, "shop"): np.random.default_rng(1).random(steps).astype(np.float32),
        Subject(Quantity.READY, "mail"): np.full(steps, 3, dtype=np.float32),
        Subject(Quantity.PENDING, CLUSTER): np.zeros(steps, dtype=np.float32),
        Subject(Quantity.NODES, "pool"): np.repeat([1, 2], 50).astype(np.float32),
    }
    courses[Subject(Quantity.CPU, "shop")][20:60] = np.nan
    measured = MeasuredCluster(
        6000,
        60,
        steps,
        courses,
        {"shop": np.array([1.5, 20.0])},
        "server",
        (),
        {"shop": np.array([2.5, 4.0, 9.0])},
        {"pool": np.array([90.0, 120.0])},
        {"pool": np.array([20.0, 30.0, 31.5])},
    )
    path = tmp_path / f"week{ENDING}"
    save_measured(measured, plan, path)
    again = read_measured(str(path), plan, HowRead(step_s=60))
    assert (again.start_s, again.steps) == (6000, steps)
    for subject, course in courses.items():
        found = again.courses[subject]
        known = np.isfinite(course)
        np.testing.assert_allclose(found[known], course[known], rtol=1e-6)
    assert np.isnan(again.courses[Subject(Quantity.CPU, "shop")][26:60]).all(), "a value holds for five minutes"
    assert list(again.pod_starts["shop"]) == [1.5, 20.0]
    assert (list(again.node_launches["pool"]), list(again.node_boots["pool"])) == ([90.0, 120.0], [20.0, 30.0, 31.5])
    assert not again.notes, "what was saved is in order"
    assert list(again.pod_launches["shop"]) == [2.5, 4.0, 9.0]
    first = path.read_bytes()
    save_measured(measured, plan, path)
    assert path.read_bytes() == first
