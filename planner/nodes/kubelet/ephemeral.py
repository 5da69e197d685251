"""Limits of ephemeral storage, enforced in every eviction pass.

Source: Kubernetes 1.36, pkg/kubelet/eviction/eviction_manager.go, localStorageEviction.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


class LimitExceeded(StrEnum):
    """Which limit a pod is above."""

    EMPTY_DIR = "emptyDir"
    POD = "pod"
    CONTAINER = "container"


@dataclass(frozen=True, slots=True)
class ContainerStorage:
    """One container; bytes."""

    limit: int | None
    logs: int = 0
    layer: int = 0


@dataclass(frozen=True, slots=True)
class PodStorage:
    """One pod as measured; bytes."""

    used: int
    containers: Sequence[ContainerStorage]
    empty_dirs: Sequence[tuple[int, int]] = ()
    """Use and size limit of each emptyDir that has a limit above 0."""
    critical: bool = False
    pod_limit: int | None = None
    """Sum of the limits of those containers that have one; None if none has."""


def limit_exceeded(pod: PodStorage, dedicated_image_fs: bool) -> LimitExceeded | None:
    """The limit that makes the kubelet evict the pod, if any. Equal is not above."""
    if pod.critical:
        return None
    if any(used > limit for used, limit in pod.empty_dirs):
        return LimitExceeded.EMPTY_DIR
    if pod.pod_limit is not None and pod.used > pod.pod_limit:
        return LimitExceeded.POD
    for container in pod.containers:
        used = container.logs + (0 if dedicated_image_fs else container.layer)
        if container.limit is not None and used > container.limit:
            return LimitExceeded.CONTAINER
    return None
