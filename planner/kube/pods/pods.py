"""Pod objects of the API."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from planner.kube.pods.affinity import KubePodAffinity, read_host_ports, read_images, read_pod_affinity
from planner.kube.pods.quantities import pod_nonzero, pod_request, pod_score_request
from planner.kube.pods.selectors import (
    default_spread_selector,
    read_preferred_terms,
    read_required_terms,
    read_spread_constraint,
    read_tolerations,
)
from planner.plan.model.pods import (
    LabelSelector,
    NodeSelectorTerm,
    PreferredNodeTerm,
    Toleration,
    TopologySpreadConstraint,
)
from planner.units import US_PER_S

Json = Mapping[str, Any]


@dataclass(frozen=True)
class KubePod:
    """A pod as placement needs it: milli-CPU, bytes, counts."""

    name: str
    namespace: str
    labels: Mapping[str, str]
    priority: int
    may_preempt: bool
    request: Mapping[str, int]
    nonzero: tuple[int, int]
    score_request: Mapping[str, int]
    tolerations: tuple[Toleration, ...]
    node_selector: Mapping[str, str]
    required_terms: tuple[NodeSelectorTerm, ...]
    preferred_terms: tuple[PreferredNodeTerm, ...]
    spread_constraints: tuple[TopologySpreadConstraint, ...]
    spread_selector: LabelSelector
    pod_affinity: KubePodAffinity
    host_ports: tuple[tuple[int, str, str], ...]
    """Port, protocol, address."""
    images: tuple[str, ...]
    node_name: str
    nominated_node: str
    started_us: int | None
    """Microseconds since 1970; None if it did not start."""
    terminating: bool
    preempted: bool
    """Condition DisruptionTarget, reason PreemptionByScheduler."""
    finished: bool
    gated: bool


def read_pod(pod: Json, objects: Mapping[str, Sequence[Json]] | None = None) -> KubePod:
    """A Pod object in API JSON; `objects`: see `default_spread_selector`."""
    meta, spec, status = pod["metadata"], pod["spec"], pod.get("status") or {}
    all_affinity = spec.get("affinity") or {}
    affinity = all_affinity.get("nodeAffinity") or {}
    running = bool(spec.get("nodeName"))
    return KubePod(
        name=meta["name"],
        namespace=meta.get("namespace") or "default",
        labels=dict(meta.get("labels") or {}),
        priority=spec.get("priority") or 0,
        may_preempt=spec.get("preemptionPolicy") != "Never",
        request=pod_request(pod, running),
        nonzero=pod_nonzero(pod, running),
        score_request=pod_score_request(pod),
        tolerations=read_tolerations(spec.get("tolerations") or ()),
        node_selector=dict(spec.get("nodeSelector") or {}),
        required_terms=read_required_terms(affinity),
        preferred_terms=read_preferred_terms(affinity),
        spread_constraints=tuple(map(read_spread_constraint, spec.get("topologySpreadConstraints") or ())),
        spread_selector=default_spread_selector(pod, objects or {}),
        pod_affinity=read_pod_affinity(all_affinity),
        host_ports=read_host_ports(spec),
        images=read_images(spec),
        node_name=spec.get("nodeName") or "",
        nominated_node=status.get("nominatedNodeName") or "",
        started_us=_time_us(status.get("startTime")),
        terminating=bool(meta.get("deletionTimestamp")),
        preempted=any(
            condition.get("type") == "DisruptionTarget"
            and condition.get("status") == "True"
            and condition.get("reason") == "PreemptionByScheduler"
            for condition in status.get("conditions") or ()
        ),
        finished=status.get("phase") in ("Succeeded", "Failed"),
        gated=bool(spec.get("schedulingGates")),
    )


def _time_us(text: str | None) -> int | None:
    if text is None:
        return None
    return round(datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()) * US_PER_S
