"""Paths that are offered while a change is typed."""

import pytest

from tests.planner.experiments.small_plans import a_small_plan
from ui.experiments.variants.path_completion import change_path, known_paths, value_there

PLAN = a_small_plan()


@pytest.mark.parametrize(("path", "value"), [
    ("load", "1"),
    ("load[shop]", "1"),
    ("machine[pool]", ""),
    ("nodeGroups[pool].maxSize", "5"),
    ("clusterAutoscaler.scanInterval", "10s"),
])  # fmt: skip
def test_a_path_is_offered_and_comes_with_the_plans_value(path, value):
    assert path in known_paths(PLAN)
    assert value_there(PLAN, path) == value


def test_nothing_is_offered_twice_nor_what_a_variant_may_not_change():
    paths = known_paths(PLAN)
    assert len(frozenset(paths)) == len(paths)
    assert not [path for path in paths if path.startswith(("variants", "experiments", "simulation.seed"))]


@pytest.mark.parametrize(("path", "spelled"), [
    (("node_groups", 0, "max_size"), "nodeGroups[pool].maxSize"),
    (("cluster_autoscaler", "scan_interval"), "clusterAutoscaler.scanInterval"),
    (("workloads", 0, "pod", "containers", 0, "requests", "cpu"), "workloads[shop].pod.containers[0].requests.cpu"),
    (("workloads", 0, "slo", "target"), "workloads[shop].slo.target"),
    (("node_groups", 0, "labels", "a.b/c"), 'nodeGroups[pool].labels["a.b/c"]'),
])  # fmt: skip
def test_the_place_of_a_field_is_spelled_as_a_change_spells_it(path, spelled):
    assert change_path(PLAN, path) == spelled
