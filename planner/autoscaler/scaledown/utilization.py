"""How much of a node is requested, as scale-down counts it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

LONG_TERMINATING_US = 30_000_000


@dataclass(frozen=True, slots=True)
class Utilization:
    """Shares of allocatable that are requested, by node (1.0 = full)."""

    cpu: NDArray[np.float64]
    memory: NDArray[np.float64]
    value: NDArray[np.float64]
    """The larger of the two."""
    is_cpu: NDArray[np.bool_]
    """True where CPU decides; equal shares count as memory."""
    is_gpu: NDArray[np.bool_]
    """Nodes judged by their GPUs alone; CPU and memory say nothing there."""


def requested_share(
    requested: NDArray[np.int64], allocatable: NDArray[np.int64], excluded: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Share of one resource by node; 0 where the node offers nothing.

    `requested` holds the requests that count, `excluded` those of DaemonSet or mirror pods that are
    to be ignored: they are no demand and their room is no supply. In the same unit.
    """
    offered = allocatable - excluded
    if not len(offered) or offered.min() > 0:  # as nearly always
        return np.asarray(requested / offered)
    room = offered.astype(np.float64)
    share = np.zeros(len(room))
    # Ignored pods that fill the node make Go divide by zero: no share at all, or more than any threshold.
    share[(room == 0) & (requested > 0)] = np.inf
    np.divide(requested, room, out=share, where=room != 0)
    share[allocatable == 0] = 0.0
    return share


def node_utilization(
    cpu: tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]],
    memory: tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]],
    gpu: tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]] | None = None,
    is_gpu: NDArray[np.bool_] | None = None,
) -> Utilization:
    """Utilization of nodes; each amount is (requested, allocatable, excluded) by node, `is_gpu` the nodes with GPU.

    Source: Cluster Autoscaler 1.36.1, simulator/utilization/info.go. Pods below the
    expendable priority and long-terminating pods are left out by the caller.
    """
    cpu_share, memory_share = requested_share(*cpu), requested_share(*memory)
    is_cpu = cpu_share > memory_share
    value = np.where(is_cpu, cpu_share, memory_share)
    if is_gpu is None or not is_gpu.any():
        return Utilization(cpu_share, memory_share, value, is_cpu, np.zeros(len(value), dtype=np.bool_))
    gpu_share = np.zeros(len(value)) if gpu is None else requested_share(*gpu)
    return Utilization(cpu_share, memory_share, np.where(is_gpu, gpu_share, value), is_cpu & ~is_gpu, is_gpu)


def is_long_terminating(deletion_stamp_us: int | None, grace_us: int, now_us: int) -> bool:
    """A pod that should be gone by now: its grace period and 30 s passed after the deletion stamp.

    The stamp already contains the grace period, so in practice that is waited for twice.
    """
    return deletion_stamp_us is not None and now_us > deletion_stamp_us + grace_us + LONG_TERMINATING_US
