"""Annotations of pods that Karpenter reads.

Source: Karpenter 1.13, pkg/utils/pod/scheduling.go (IsDoNotDisruptActive) and pkg/utils/disruption/disruption.go.
"""

import re

from planner.units import US_PER_H, US_PER_MIN, US_PER_MS, US_PER_S

_PART = re.compile(r"(\d+\.?\d*|\.\d+)(ns|us|µs|ms|s|m|h)")
_DURATION = re.compile(rf"\+?(?:{_PART.pattern})+\Z")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\Z", re.IGNORECASE | re.ASCII)
_UNITS = {"ns": 0.001, "us": 1, "µs": 1, "ms": US_PER_MS, "s": US_PER_S, "m": US_PER_MIN, "h": US_PER_H}


def keeps_node(value: str, started_us: int | None, now_us: int) -> bool:
    """Whether karpenter.sh/do-not-disrupt is in force: always, or for a time after the pod has started.

    Values that are neither true nor a positive duration count as if they were not there.
    """
    if value == "true":
        return True
    duration_us = _go_duration_us(value)
    if duration_us <= 0:
        return False
    return started_us is None or now_us - started_us < duration_us


def _go_duration_us(text: str) -> float:
    if not _DURATION.match(text):
        return 0
    return sum(float(number) * _UNITS[unit] for number, unit in _PART.findall(text))


def deletion_cost(value: str) -> float:
    """Value of controller.kubernetes.io/pod-deletion-cost; 0 where it is no number, as with a space before it."""
    return float(value) if _NUMBER.match(value) else 0.0
