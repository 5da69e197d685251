"""Why a node group is not considered for scale-up, in the words of the Cluster Autoscaler."""

from collections.abc import Sequence

NOT_READY = "not ready for scale-up"
IN_BACKOFF = "in backoff after failed scale-up"
MAX_SIZE_REACHED = "max node group size reached"


def exceeded_quota(resources: Sequence[str]) -> str:
    """One more node would exceed the cluster's cores or memory."""
    return f'exceeded quota: "cluster-wide", resources: {", ".join(resources)}'


def skip_reason(
    *, healthy: bool, backed_off: bool, target: int, max_size: int, over_quota: Sequence[str]
) -> str | None:
    """The first reason to skip a group, or None (spec/cluster-autoscaler.md section 4)."""
    if not healthy:
        return NOT_READY
    if backed_off:
        return IN_BACKOFF
    if target >= max_size:
        return MAX_SIZE_REACHED
    return exceeded_quota(over_quota) if over_quota else None
