"""Inter-pod affinity, host ports and images of a Pod: API JSON to the plan's values."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from planner.kube.pods.selectors import read_label_selector
from planner.plan.model.pods import LabelSelector, PodAffinityTerm, WeightedPodAffinityTerm
from planner.plan.values.image_names import with_tag

Json = Mapping[str, Any]
REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution"


@dataclass(frozen=True)
class KubePodAffinity:
    """The terms by kind."""

    required_affinity: tuple[PodAffinityTerm, ...] = ()
    required_anti_affinity: tuple[PodAffinityTerm, ...] = ()
    preferred_affinity: tuple[WeightedPodAffinityTerm, ...] = ()
    preferred_anti_affinity: tuple[WeightedPodAffinityTerm, ...] = ()


def read_pod_affinity(affinity: Json) -> KubePodAffinity:
    """podAffinity and podAntiAffinity of `spec.affinity`."""
    near, far = affinity.get("podAffinity") or {}, affinity.get("podAntiAffinity") or {}
    return KubePodAffinity(
        required_affinity=tuple(map(read_affinity_term, near.get(REQUIRED) or ())),
        required_anti_affinity=tuple(map(read_affinity_term, far.get(REQUIRED) or ())),
        preferred_affinity=tuple(map(_weighted, near.get(PREFERRED) or ())),
        preferred_anti_affinity=tuple(map(_weighted, far.get(PREFERRED) or ())),
    )


def read_affinity_term(term: Json) -> PodAffinityTerm:
    """One term. The API server has merged its match label keys into the selector already, so they are left out."""
    return PodAffinityTerm(
        topology_key=term.get("topologyKey") or "-",
        label_selector=_selector(term.get("labelSelector")),
        namespaces=tuple(term.get("namespaces") or ()),
        namespace_selector=_selector(term.get("namespaceSelector")),
    )


def _weighted(entry: Json) -> WeightedPodAffinityTerm:
    term = read_affinity_term(entry.get("podAffinityTerm") or {})
    return WeightedPodAffinityTerm(weight=entry.get("weight", 0), pod_affinity_term=term)


def _selector(selector: Json | None) -> LabelSelector | None:
    return None if selector is None else read_label_selector(selector)


def read_host_ports(spec: Json) -> tuple[tuple[int, str, str], ...]:
    """(port, protocol, address) of main containers and of sidecars (restartable init containers)."""
    sidecars = [c for c in spec.get("initContainers") or () if c.get("restartPolicy") == "Always"]
    return tuple(
        (port["hostPort"], port.get("protocol") or "TCP", port.get("hostIP") or "0.0.0.0")
        for container in (*(spec.get("containers") or ()), *sidecars)
        for port in container.get("ports") or ()
        if port.get("hostPort")
    )


def read_images(spec: Json) -> tuple[str, ...]:
    """Image of every container, init containers first, and of image volumes; empty where none is given."""
    containers: Iterable[Json] = (*(spec.get("initContainers") or ()), *(spec.get("containers") or ()))
    volumes = [v["image"] for v in spec.get("volumes") or () if v.get("image")]
    names = [c.get("image") or "" for c in containers] + [v.get("reference") or "" for v in volumes]
    return tuple(map(with_tag, names))
