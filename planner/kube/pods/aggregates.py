"""What the containers of a pod ask for together, and what admission fills in (spec/node-lifecycle.md section 2)."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Literal

from planner.units import ceil_fraction, parse_quantity

Json = Mapping[str, Any]
Exact = dict[str, Fraction]
Kind = Literal["requests", "limits"]

_POD_LEVEL = ("cpu", "memory")


def exact(quantities: Mapping[str, Any] | None) -> Exact:
    """Exact values of a resource list."""
    return {name: parse_quantity(str(text)) for name, text in (quantities or {}).items()}


def aggregate(pod: Json, kind: Kind) -> Exact:
    """Containers and sidecars together, or the hungriest moment of the init containers if that is more."""
    spec = pod["spec"]
    total: Exact = {}
    for container in spec.get("containers") or ():
        total = _add(total, _of(container, kind))
    side: Exact = {}
    most: Exact = {}
    for container in spec.get("initContainers") or ():
        asked = _of(container, kind)
        if is_sidecar(container):
            total, side = _add(total, asked), _add(side, asked)
            asked = side
        else:
            asked = _add(side, asked)
        most = _larger(most, asked)
    return _larger(total, most)


def is_sidecar(container: Json) -> bool:
    """An init container that always restarts."""
    return container.get("restartPolicy") == "Always"


def level_is_set(pod: Json) -> bool:
    """Whether the pod as a whole asks for, or is limited in, a resource that counts there."""
    level = pod["spec"].get("resources") or {}
    return any(map(_counts_at_level, (*(level.get("requests") or {}), *(level.get("limits") or {}))))


def level_requests(pod: Json) -> Exact:
    """Requests of the pod as a whole, as far as they count there."""
    level = exact((pod["spec"].get("resources") or {}).get("requests"))
    return {name: value for name, value in level.items() if _counts_at_level(name)}


def kubelet_request(pod: Json, name: str) -> int:
    """Request by which the kubelet ranks: the pod level alone if it is set; overhead only on top of something."""
    spec = pod["spec"]
    source = level_requests(pod) if level_is_set(pod) else aggregate(pod, "requests")
    asked = source.get(name, Fraction(0))
    if asked:
        asked += exact(spec.get("overhead")).get(name, Fraction(0))
    return ceil_fraction(asked)


def with_defaults(pod: Json) -> Json:
    """The pod as the API server stores it: limits fill missing requests, also at pod level."""
    spec = dict(pod["spec"])
    for key in ("containers", "initContainers"):
        if spec.get(key):
            spec[key] = [_with_requests(container) for container in spec[key]]
    level = spec.get("resources") or {}
    if level.get("limits"):
        sums = _as_quantities(_level_only(aggregate({"spec": spec}, "requests")))
        wanted = {**_level_only(level["limits"]), **sums, **(level.get("requests") or {})}
        spec["resources"] = {**level, "requests": wanted}
    return {**pod, "spec": spec}


def _with_requests(container: Json) -> Json:
    resources = container.get("resources") or {}
    if not resources.get("limits"):
        return container
    requests = {**resources["limits"], **(resources.get("requests") or {})}
    return {**container, "resources": {**resources, "requests": requests}}


def _level_only(amounts: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in amounts.items() if _counts_at_level(name)}


def _as_quantities(sums: Exact) -> dict[str, str]:
    """Text in nano units; no quantity is finer."""
    return {name: f"{ceil_fraction(value * 10**9)}n" for name, value in sums.items()}


def _counts_at_level(name: str) -> bool:
    return name in _POD_LEVEL or name.startswith("hugepages-")


def _of(container: Json, kind: Kind) -> Exact:
    return exact((container.get("resources") or {}).get(kind))


def _add(one: Exact, other: Exact) -> Exact:
    return {name: one.get(name, Fraction(0)) + other.get(name, Fraction(0)) for name in dict.fromkeys((*one, *other))}


def _larger(one: Exact, other: Exact) -> Exact:
    return {
        name: max(one.get(name, Fraction(0)), other.get(name, Fraction(0))) for name in dict.fromkeys((*one, *other))
    }
