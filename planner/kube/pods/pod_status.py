"""What the status and the annotations of a Pod object tell its controllers."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

Json = Mapping[str, Any]

DELETION_COST = "controller.kubernetes.io/pod-deletion-cost"

_COST = re.compile(r"(?:0|[1-9][0-9]*|-[0-9]+)\Z")
_INT32 = 1 << 31


@dataclass(frozen=True)
class KubePodStatus:
    """State of one pod. Times are whole seconds since 1970, None where they are not set."""

    name: str
    uid: str
    node_name: str
    phase: str
    active: bool
    """Neither finished nor being deleted."""
    ready: bool
    ready_since_s: int | None
    created_s: int | None
    deletion_cost: int
    restarts: int
    """Most restarts of one container."""
    sidecar_restarts: int
    """Most restarts of one init container that is a sidecar."""


def read_pod_status(pod: Json) -> KubePodStatus:
    """A Pod object in API JSON."""
    meta, spec, status = pod["metadata"], pod.get("spec") or {}, pod.get("status") or {}
    phase = status.get("phase") or ""
    conditions = status.get("conditions") or ()
    condition: Json = next((c for c in conditions if c.get("type") == "Ready"), {})
    ready = condition.get("status") == "True"
    sidecars = [c["name"] for c in spec.get("initContainers") or () if c.get("restartPolicy") == "Always"]
    return KubePodStatus(
        name=meta["name"],
        uid=meta.get("uid") or "",
        node_name=spec.get("nodeName") or "",
        phase=phase,
        active=phase not in ("Succeeded", "Failed") and not meta.get("deletionTimestamp"),
        ready=ready,
        ready_since_s=time_s(condition.get("lastTransitionTime")) if ready else None,
        created_s=time_s(meta.get("creationTimestamp")),
        deletion_cost=deletion_cost(meta.get("annotations") or {}),
        restarts=_most_restarts(status.get("containerStatuses") or ()),
        sidecar_restarts=_most_restarts(
            entry for entry in status.get("initContainerStatuses") or () if entry["name"] in sidecars
        ),
    )


def deletion_cost(annotations: Mapping[str, str]) -> int:
    """The pod's deletion cost; 0 if it is missing or no 32 bit integer (+5, 007 and 1e3 are none)."""
    text = annotations.get(DELETION_COST, "")
    cost = int(text) if _COST.match(text) else 0
    return cost if -_INT32 <= cost < _INT32 else 0


def time_s(text: str | None) -> int | None:
    """An RFC 3339 time as whole seconds since 1970."""
    if not text:
        return None
    return int(datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp())


def _most_restarts(statuses: Iterable[Json]) -> int:
    return max((entry.get("restartCount") or 0 for entry in statuses), default=0)
