"""Resources that the arguments of NodeResourcesFit leave out."""

import pytest

from planner.scheduler.feasibility.resource_shapes import counted_columns
from planner.scheduler.profile import SchedulerProfile
from planner.state.resources import ResourceAxis

NAMES = ["example.com/lic", "hugepages-2Mi", "kubernetes.io/batch-cpu", "nvidia.com/gpu", "nvidia.com/mig"]


@pytest.mark.parametrize(
    ("profile", "ignored"),
    [
        ({}, []),
        ({"ignored_resources": ("nvidia.com/gpu",)}, ["nvidia.com/gpu"]),
        ({"ignored_resource_groups": ("nvidia.com",)}, ["nvidia.com/gpu", "nvidia.com/mig"]),
        ({"ignored_resource_groups": ("nvidia",)}, []),
        ({"ignored_resources": ("cpu", "hugepages-2Mi", "kubernetes.io/batch-cpu")}, []),
        ({"ignored_resource_groups": ("kubernetes.io", "cpu")}, []),
    ],
)
def test_only_extended_resources_are_left_out(profile, ignored):
    axis = ResourceAxis(NAMES)
    counted = counted_columns(axis, SchedulerProfile(**profile))
    assert [name for name, counts in zip(axis.names, counted, strict=True) if not counts] == ignored
