"""Which resources are GPUs for the Cluster Autoscaler, and which nodes have some.

Source: Cluster Autoscaler 1.36.1, utils/gpu/gpu.go.
"""

import numpy as np
from numpy.typing import NDArray

from planner.state.resources import ResourceAxis
from planner.state.specs import NodeSpec

GPU_RESOURCES = ("nvidia.com/gpu", "habana.ai/gaudi", "gpu.intel.com/xe", "amd.com/gpu", "microsoft.com/directx")
"""Of several that a node offers the first counts."""


def gpu_columns(axis: ResourceAxis) -> list[int]:
    """Columns of the GPU resources that a cluster knows."""
    return [axis.index(name) for name in GPU_RESOURCES if name in axis.names]


def by_gpu(
    allocatable: NDArray[np.int64], columns: list[int], *amounts: NDArray[np.int64]
) -> tuple[NDArray[np.int64], ...]:
    """Of each node (a row) how many GPUs it offers, and of the same resource the other amounts; 0 where it has none."""
    found = tuple(np.zeros(len(allocatable), dtype=np.int64) for _ in (allocatable, *amounts))
    for column in reversed(columns):
        offers = allocatable[:, column] > 0
        for at, amount in enumerate((allocatable, *amounts)):
            found[at][offers] = amount[offers, column]
    return found


def gpus_of(node: NodeSpec, axis: ResourceAxis) -> int:
    """How many GPUs a node offers."""
    return int(by_gpu(node.allocatable[None, :], gpu_columns(axis))[0][0])


def has_gpu(node: NodeSpec, axis: ResourceAxis, gpu_label: str) -> bool:
    """Whether the cloud marks a node as having a GPU, or it offers one."""
    return gpu_label in node.labels or gpus_of(node, axis) > 0
