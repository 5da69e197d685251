"""The bounds that a namespace sets for new pods."""

from collections.abc import Mapping
from dataclasses import dataclass

Amounts = Mapping[str, int]
"""By resource: milli-CPU, bytes, units."""


@dataclass(frozen=True)
class LimitRangePart:
    """One item of a LimitRange for containers or for pods, with the defaults that the API server fills in."""

    name: str
    """Of the LimitRange."""
    of_pod: bool
    """It bounds the sums of a pod, not each container."""
    default_requests: Amounts
    default_limits: Amounts
    least: Amounts
    most: Amounts
    ratios: Mapping[str, float]
    """The most that a limit may be of its request."""
