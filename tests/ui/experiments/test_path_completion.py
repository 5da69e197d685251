"""Paths that are offered while a change is typed."""

import pytest

from tests.planner.experiments.small_plans import a_small_plan
from ui.experiments.path_completion import known_paths, value_there

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
