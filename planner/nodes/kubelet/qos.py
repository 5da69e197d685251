"""Quality-of-service class of a pod.

Source: Kubernetes 1.36, pkg/apis/core/v1/helper/qos/qos.go.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction

Number = int | Fraction
Quantities = Mapping[str, Number]

COUNTED = ("cpu", "memory")


class QosClass(StrEnum):
    """Guaranteed, Burstable or BestEffort."""

    GUARANTEED = "Guaranteed"
    BURSTABLE = "Burstable"
    BEST_EFFORT = "BestEffort"


@dataclass(frozen=True, slots=True)
class Claims:
    """Requests and limits by resource name; any unit, as long as both use the same one."""

    requests: Quantities = field(default_factory=dict)
    limits: Quantities = field(default_factory=dict)


def qos_class(containers: Sequence[Claims], pod_level: Claims | None = None) -> QosClass:
    """The class of a pod.

    `containers`: init containers included, ephemeral ones not. `pod_level`: resources of the pod as a whole;
    where they are given, even empty, containers do not count.
    """
    parts = list(containers) if pod_level is None else [pod_level]
    requests, limits = _sum(part.requests for part in parts), _sum(part.limits for part in parts)
    if not requests and not limits:
        return QosClass.BEST_EFFORT
    # A pod level without limits needs no separate check: its requests then equal no limits.
    candidate = all(_positive(part.limits, name) for part in parts for name in COUNTED)
    return QosClass.GUARANTEED if candidate and requests == limits else QosClass.BURSTABLE


def _sum(parts: Iterable[Quantities]) -> dict[str, Number]:
    total: dict[str, Number] = {}
    for part in parts:
        for name in COUNTED:
            if _positive(part, name):
                total[name] = total.get(name, 0) + part[name]
    return total


def _positive(amounts: Quantities, name: str) -> bool:
    return amounts.get(name, 0) > 0
