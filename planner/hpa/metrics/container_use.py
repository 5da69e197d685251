"""The usage of one container as a share of that of its pod (see docs/rules/cluster-model.md)."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from planner.state.specs import ContainerRole, PodSpec

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


class ContainerPart(NamedTuple):
    """CPU: constant use of a container and of its whole pod, and the container's share of all that is not constant."""

    constant: int
    pod_constant: int
    share: float
    place: int | None = None
    """Its place among the containers that run side by side; None for the whole pod."""


WHOLE_POD = ContainerPart(0, 0, 1.0)


def part_of(spec: PodSpec, container: str) -> ContainerPart | None:
    """The part of a main container or sidecar; None if the pod has none of that name."""
    running = [one for one in spec.running.containers if one.role is not ContainerRole.INIT]
    place = next((at for at, one in enumerate(running) if one.name == container), None)
    if place is None:
        return None
    own, constant = running[place], sum(one.cpu_use_milli for one in running)
    return ContainerPart(own.cpu_use_milli, constant, own.cpu_share, place)


def container_use(pod_use: Ints, part: ContainerPart) -> Ints:
    """CPU use of the container in each pod. Where a pod gets less than its constant uses, all shrink alike."""
    if part == WHOLE_POD:
        return pod_use
    return use_of_parts(pod_use, part.constant, part.pod_constant, part.share)


def use_of_parts(pod_use: Ints, constant: Ints | int, pod_constant: Ints | int, share: Floats | float) -> Ints:
    """The same where the pods have different parts, as columns."""
    flexible = np.floor(np.maximum(0, pod_use - pod_constant) * share + 0.5).astype(np.int64)
    if not np.any(pod_constant):
        return np.asarray(flexible, np.int64)
    steady = np.minimum(pod_use, pod_constant) * constant // np.maximum(pod_constant, 1)
    return np.asarray(flexible + steady, np.int64)
