"""Annotations and volumes of a pod that the Cluster Autoscaler reads (1.36.1, utils/drain and utils/pod)."""

from collections.abc import Mapping
from typing import Any

from planner.plan.model.scaling_marks import PodScalingMarks, SafeToEvict
from planner.units import parse_duration_us

Json = Mapping[str, Any]
_PREFIX = "cluster-autoscaler.kubernetes.io/"
DO_NOT_DISRUPT = "karpenter.sh/do-not-disrupt"
DELETION_COST = "controller.kubernetes.io/pod-deletion-cost"
MIRROR_ANNOTATION = "kubernetes.io/config.mirror"


def read_scaling_marks(pod: Json) -> PodScalingMarks:
    """Annotations and local volumes; what cannot be read counts as absent."""
    notes = pod["metadata"].get("annotations") or {}
    evict = notes.get(f"{_PREFIX}safe-to-evict", "")
    safe = notes.get(f"{_PREFIX}safe-to-evict-local-volumes")
    with_node = notes.get(f"{_PREFIX}enable-ds-eviction")
    return PodScalingMarks(
        safe_to_evict=SafeToEvict(evict) if evict in list(SafeToEvict) else SafeToEvict.UNSET,
        local_volumes=tuple(volume["name"] for volume in pod["spec"].get("volumes") or () if _is_local(volume)),
        safe_local_volumes=tuple(safe.split(",")) if safe else (),
        scale_up_delay=_delay_us(notes.get(f"{_PREFIX}pod-scale-up-delay", "")),
        enable_ds_eviction=None if with_node is None else with_node == "true",
        static_pod=MIRROR_ANNOTATION in notes,
    )


def _is_local(volume: Json) -> bool:
    if "hostPath" in volume:
        return True
    return "emptyDir" in volume and (volume["emptyDir"] or {}).get("medium") != "Memory"


def _delay_us(text: str) -> int:
    try:
        return max(parse_duration_us(text), 0)
    except ValueError:
        return 0
