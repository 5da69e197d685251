"""Which GPUs of a node the Cluster Autoscaler counts."""

import numpy as np
import pytest

from planner.autoscaler.groups.gpus import by_gpu, gpu_columns
from planner.state.resources import ResourceAxis

AXIS = ResourceAxis(["amd.com/gpu", "example.com/card", "nvidia.com/gpu"])


@pytest.mark.parametrize(
    ("offered", "requested", "expected"),
    [
        ({"nvidia.com/gpu": 4, "amd.com/gpu": 8}, {"nvidia.com/gpu": 1, "amd.com/gpu": 2}, (4, 1)),
        ({"amd.com/gpu": 8}, {"amd.com/gpu": 2}, (8, 2)),
        ({"nvidia.com/gpu": 0, "amd.com/gpu": 8}, {"nvidia.com/gpu": 1, "amd.com/gpu": 2}, (8, 2)),
        ({"example.com/card": 3}, {"example.com/card": 1}, (0, 0)),
        ({}, {"nvidia.com/gpu": 1}, (0, 0)),
    ],
    ids=["the first of two", "another maker", "the first offered", "no GPU", "none offered"],
)
def test_of_several_kinds_the_first_that_a_node_offers_counts(
    offered: dict[str, int], requested: dict[str, int], expected: tuple[int, int]
) -> None:
    rows = [np.array([AXIS.amounts(amounts)]) for amounts in (offered, requested)]
    found = by_gpu(rows[0], gpu_columns(AXIS), rows[1])
    assert tuple(int(each[0]) for each in found) == expected
