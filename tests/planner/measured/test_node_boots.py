"""Boot times of nodes, from the series that kube-state-metrics and the Cluster Autoscaler would have."""

import numpy as np
import pytest

from planner.measured.collecting import Collector
from planner.measured.node_boots import answered, growth_steps
from planner.measured.raw_series import RawSeries
from planner.measured.reading import read_measured
from planner.measured.saving import save_measured
from tests.builders import a_node_group, a_plan, a_workload

PLAN = a_plan(node_groups=(a_node_group("general"),), workloads=(a_workload("web"),))
TIMES = np.arange(0, 3600, 60.0)


def series(name, labels, times, values):
    return RawSeries(
        {"__name__": name} | labels, np.asarray(times, dtype=float), np.asarray(values, dtype=float), "test"
    )


def ready(node, since, first=0):
    """A node's condition, sampled every minute from its registration in minute `first` on."""
    times = TIMES[first:]
    labels = {"node": node, "condition": "Ready", "status": "true"}
    return series("kube_node_status_condition", labels, times, times >= since)


def created(node, at):
    return series("kube_node_created", {"node": node}, TIMES[-2:], [at, at])


def collected(*found):
    collector = Collector(PLAN, "test", 60)
    for one in found:
        collector.take(one)
    return collector.measured()


def test_a_boot_is_from_registration_to_the_middle_of_the_step_that_became_ready():
    found = collected(created("general-7", 590), ready("general-7", 720, first=10))
    assert list(found.node_boots["general"]) == [690 - 590]


@pytest.mark.parametrize(
    "seen",
    [
        pytest.param([ready("general-7", 720)], id="when it registered is not known"),
        pytest.param([created("general-7", 20), ready("general-7", 0, first=20)], id="it was there before"),
        pytest.param([created("general-7", 590), ready("general-7", 1e9, first=10)], id="it never was Ready"),
        pytest.param([created("other-7", 590), ready("other-7", 720, first=10)], id="it belongs to no pool"),
    ],
)
def test_a_boot_that_was_not_wholly_seen_does_not_count(seen):
    assert not collected(ready("general-1", 0), *seen).node_boots


def test_a_node_answers_the_oldest_request_that_waits_from_the_middle_of_its_step():
    target = series(
        "cluster_autoscaler_node_group_target_count",
        {"node_group": "general"},
        TIMES,
        2 + (TIMES >= 600) + (TIMES >= 900),
    )
    found = collected(target, created("general-7", 800), created("general-8", 1100))
    assert list(found.node_launches["general"]) == [800 - 570, 1100 - 870]


def test_requests_and_nodes_that_have_no_partner_are_left_out():
    assert answered(np.array([100.0]), np.array([50.0, 300.0, 400.0])) == [200.0]
    assert answered(np.array([100.0, 9_000.0]), np.array([9_100.0])) == [100.0]


def test_a_pool_that_grows_by_three_has_three_requests():
    course = np.array([2, 2, np.nan, 5, 4, 5], dtype=np.float32)
    assert list(growth_steps(course)) == [3, 3, 3, 5]


def test_times_of_nodes_are_kept_in_a_file(tmp_path):
    target = series("cluster_autoscaler_node_group_target_count", {"node_group": "general"}, TIMES, 2 + (TIMES >= 600))
    before = collected(target, created("general-7", 800), ready("general-7", 870, first=14))
    save_measured(before, PLAN, tmp_path / "a.measured.json.gz")
    after = read_measured(str(tmp_path / "a.measured.json.gz"), PLAN)
    for name in ("node_boots", "node_launches"):
        assert list(getattr(after, name)["general"]) == list(getattr(before, name)["general"]) != []
