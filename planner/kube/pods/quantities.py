"""What a pod asks for in all, from its containers (spec/scheduler.md section 2).

Sums are exact; rounding happens once, upwards, on the figure of the whole pod.
"""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from planner.units import ceil_fraction, parse_quantity

Json = Mapping[str, Any]
Exact = dict[str, Fraction]

NONZERO_DEFAULTS: Mapping[str, Fraction] = {"cpu": Fraction(1, 10), "memory": Fraction(200 * 1024 * 1024)}
LARGEST = 2**63 - 1
_POD_LEVEL = ("cpu", "memory")
_NATIVE = ("cpu", "memory", "ephemeral-storage")


def exact_amounts(quantities: Mapping[str, Any] | None) -> Exact:
    """Exact values of the resources the scheduler counts."""
    return {name: parse_quantity(str(text)) for name, text in (quantities or {}).items() if is_counted(name)}


def is_counted(name: str) -> bool:
    """Native resources, huge pages, volume limits and names with a domain."""
    return name in _NATIVE or "/" in name or name.startswith(("hugepages-", "attachable-volumes-"))


def whole_amounts(amounts: Mapping[str, Fraction]) -> dict[str, int]:
    """Milli-CPU, and whole units of everything else, rounded up; what no int64 holds is the largest one."""
    wholes = {name: ceil_fraction(value * 1000 if name == "cpu" else value) for name, value in amounts.items()}
    return {name: min(whole, LARGEST) for name, whole in wholes.items()}


def node_amounts(quantities: Mapping[str, Any] | None) -> dict[str, int]:
    """Figures of a node, the number of pods included."""
    amounts = exact_amounts(quantities)
    if "pods" in (quantities or {}):
        amounts["pods"] = parse_quantity(str((quantities or {})["pods"]))
    return whole_amounts(amounts)


def pod_request(pod: Json, running: bool) -> dict[str, int]:
    """What filters count. `running`: its node counts resizes that are on their way."""
    return whole_amounts(_total(pod, running, {}, pod_level=True))


def pod_nonzero(pod: Json, running: bool) -> tuple[int, int]:
    """CPU and memory with the scoring defaults for containers that name neither."""
    named: Exact = {}
    spec = pod["spec"]
    level = _requests(spec)
    defaults = dict(NONZERO_DEFAULTS)
    if level:
        for container in (*(spec.get("containers") or ()), *(spec.get("initContainers") or ())):
            named |= _requests(container)
        defaults = {name: value for name, value in defaults.items() if name not in level and name not in named}
    amounts = whole_amounts(_total(pod, running, defaults, pod_level=True))
    return amounts.get("cpu", 0), amounts.get("memory", 0)


def pod_score_request(pod: Json) -> dict[str, int]:
    """What the allocation score counts for a pod to be placed: the defaults are filled in, pod level is ignored."""
    return whole_amounts(_total(pod, False, NONZERO_DEFAULTS, pod_level=False))


def _total(pod: Json, running: bool, defaults: Mapping[str, Fraction], pod_level: bool) -> Exact:
    spec, status = pod["spec"], (pod.get("status") or {}) if running else {}
    infeasible = _is_infeasible(status)
    main, init = _statuses(status, "containerStatuses"), _statuses(status, "initContainerStatuses")
    total: Exact = {}
    for container in spec.get("containers") or ():
        total = _add(total, _effective(container, main, infeasible, defaults))
    side: Exact = {}
    most: Exact = {}
    for container in spec.get("initContainers") or ():
        restartable = container.get("restartPolicy") == "Always"
        asked = _effective(container, init if restartable else {}, infeasible, defaults)
        if restartable:
            side = _add(side, asked)
            total = _add(total, asked)
        most = _larger(most, side if restartable else _add(side, asked))
    total = _larger(total, most)
    if pod_level:
        total |= _pod_level(spec, status, infeasible)
    return _add(total, exact_amounts(spec.get("overhead")))


def _pod_level(spec: Json, status: Json, infeasible: bool) -> Exact:
    level = _requests(spec)
    wanted = {n: v for n, v in level.items() if n in _POD_LEVEL or n.startswith("hugepages-")}
    if not wanted or status.get("resources") is None:
        return wanted
    most: Exact = {} if infeasible else dict(wanted)
    for source in (status["resources"].get("requests"), status.get("allocatedResources")):
        most = _larger(most, exact_amounts(source))
    return {name: value for name, value in most.items() if name in wanted}


def _effective(
    container: Json, statuses: Mapping[str, Json], infeasible: bool, defaults: Mapping[str, Fraction]
) -> Exact:
    """Requests of a container; while it is resized the largest of what is asked, given and in use."""
    asked = _requests(container)
    status = statuses.get(container.get("name", ""), {})
    if status.get("resources") is not None:
        most: Exact = {} if infeasible else asked
        for source in (status["resources"].get("requests"), status.get("allocatedResources")):
            most = _larger(most, exact_amounts(source))
        asked = most
    return {**{name: value for name, value in defaults.items() if name not in asked}, **asked}


def _requests(container: Json) -> Exact:
    return exact_amounts((container.get("resources") or {}).get("requests"))


def _statuses(status: Json, key: str) -> dict[str, Json]:
    found: Iterable[Json] = status.get(key) or ()
    return {str(entry["name"]): entry for entry in found}


def _is_infeasible(status: Json) -> bool:
    return any(
        condition.get("type") == "PodResizePending" and condition.get("reason") == "Infeasible"
        for condition in status.get("conditions") or ()
    )


def _add(one: Exact, other: Mapping[str, Fraction]) -> Exact:
    return {name: one.get(name, Fraction(0)) + other.get(name, Fraction(0)) for name in dict.fromkeys((*one, *other))}


def _larger(one: Exact, other: Mapping[str, Fraction]) -> Exact:
    return {
        name: max(one.get(name, Fraction(0)), other.get(name, Fraction(0))) for name in dict.fromkeys((*one, *other))
    }
