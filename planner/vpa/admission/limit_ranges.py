"""The LimitRanges of a namespace as the Vertical Pod Autoscaler sees them.

Vertical Pod Autoscaler 1.8, utils/limitrange/limit_range_calculator.go.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

Amounts = Mapping[str, int]


@dataclass(frozen=True)
class LimitBounds:
    """Bounds of the containers or of the pods of a namespace: milli-CPU and bytes; what is missing is no bound."""

    least: Amounts = field(default_factory=dict)
    most: Amounts = field(default_factory=dict)
    default_limit: Amounts = field(default_factory=dict)


@dataclass(frozen=True)
class NamespaceLimits:
    """What LimitRanges say of pods and of containers; None where none says anything."""

    pod: LimitBounds | None = None
    container: LimitBounds | None = None


def together(ranges: Iterable[LimitBounds]) -> LimitBounds | None:
    """Several of one type: the smallest maximum, the largest minimum, the last default."""
    least: dict[str, int] = {}
    most: dict[str, int] = {}
    default: Amounts = {}
    for one in ranges:
        least.update({name: max(amount, least.get(name, amount)) for name, amount in one.least.items()})
        most.update({name: min(amount, most.get(name, amount)) for name, amount in one.most.items()})
        default = one.default_limit or default
    return LimitBounds(least, most, default) if least or most or default else None
