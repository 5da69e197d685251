"""Eviction thresholds of a kubelet, parsed from the text of its configuration.

Source: Kubernetes 1.36, pkg/kubelet/eviction/helpers.go, ParseThresholdConfig.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction

import numpy as np

from planner.language.translation import tr
from planner.units import US_PER_S, ceil_fraction, parse_count, parse_quantity


class Signal(StrEnum):
    """What a kubelet watches."""

    MEMORY = "memory.available"
    ALLOCATABLE_MEMORY = "allocatableMemory.available"
    NODEFS = "nodefs.available"
    NODEFS_INODES = "nodefs.inodesFree"
    IMAGEFS = "imagefs.available"
    IMAGEFS_INODES = "imagefs.inodesFree"
    CONTAINERFS = "containerfs.available"
    CONTAINERFS_INODES = "containerfs.inodesFree"
    PID = "pid.available"


MEMORY_SIGNALS = (Signal.MEMORY, Signal.ALLOCATABLE_MEMORY)
SIMULATED_SIGNALS = (*MEMORY_SIGNALS, Signal.NODEFS, Signal.IMAGEFS)
"""Signals that a run measures. Both disk signals follow the one disk of a node."""
DEFAULT_HARD: Mapping[str, str] = {
    Signal.MEMORY: "100Mi",
    Signal.NODEFS: "10%",
    Signal.NODEFS_INODES: "5%",
    Signal.IMAGEFS: "15%",
    Signal.IMAGEFS_INODES: "5%",
}
"""Used only where no hard threshold is given at all."""

_IGNORED = ("0%", "100%")
_FLOAT32_MAX = float(np.finfo(np.float32).max)
_FLOAT = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?\Z")
_GO_DURATION = re.compile(r"[+-]?(?:0|(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:ns|us|µs|μs|ms|s|m|h))+)\Z")
_GO_DURATION_PART = re.compile(r"([0-9]*\.?[0-9]*)(ns|us|µs|μs|ms|s|m|h)")
_GO_UNITS_NS = {
    "ns": 1,
    "us": 1_000,
    "µs": 1_000,
    "μs": 1_000,
    "ms": 10**6,
    "s": 10**9,
    "m": 60 * 10**9,
    "h": 3600 * 10**9,
}


@dataclass(frozen=True, slots=True)
class Amount:
    """A quantity in whole units, or a share of a capacity."""

    units: int = 0
    share: float | None = None
    """The percentage as float32 divided by 100, widened; None where a quantity was given."""

    def of(self, capacity: int) -> int:
        """Whole units for a capacity, truncated. Float arithmetic on purpose: exact figures differ."""
        return self.units if self.share is None else int(self.share * float(capacity))


@dataclass(frozen=True, slots=True)
class Threshold:
    """Met while less than `value` is available."""

    signal: Signal
    value: Amount
    grace_us: int = 0
    min_reclaim: Amount | None = None
    """How far above the value availability has to come back once the threshold was in force."""

    @property
    def is_hard(self) -> bool:
        """No grace period, wherever it was given."""
        return self.grace_us == 0

    def level(self, capacity: int, with_reclaim: bool = False) -> int:
        """What must be available, in units of the signal."""
        more = self.min_reclaim.of(capacity) if with_reclaim and self.min_reclaim is not None else 0
        return self.value.of(capacity) + more


def parse_thresholds(
    hard: Mapping[str, str],
    soft: Mapping[str, str] | None = None,
    soft_grace: Mapping[str, str] | None = None,
    min_reclaim: Mapping[str, str] | None = None,
    enforce_pods: bool = True,
) -> tuple[Threshold, ...]:
    """All thresholds of a configuration. Raises ValueError if the kubelet would refuse it.

    `enforce_pods`: enforceNodeAllocatable contains pods, so memory is also watched for all pods together.
    """
    graces = {_signal(name): _grace_us(text) for name, text in (soft_grace or {}).items()}
    reclaims = {_signal(name): _reclaim(text) for name, text in (min_reclaim or {}).items()}
    found = [*_thresholds(hard)]
    for threshold in _thresholds(soft or {}):
        if threshold.signal not in graces:
            raise ValueError(tr("the soft threshold {signal} has no grace period", signal=threshold.signal))
        found.append(replace(threshold, grace_us=graces[threshold.signal]))
    found = [replace(threshold, min_reclaim=reclaims.get(threshold.signal)) for threshold in found]
    if enforce_pods:
        found += [
            replace(t, signal=Signal.ALLOCATABLE_MEMORY) for t in found if t.signal == Signal.MEMORY and t.is_hard
        ]
    return tuple(found)


def _thresholds(texts: Mapping[str, str]) -> Iterator[Threshold]:
    for name, text in texts.items():
        signal = _signal(name)
        if text in _IGNORED:
            continue
        amount = _percentage(text) if text.endswith("%") else _quantity(text)
        share = amount.share
        if share is None and amount.units <= 0:
            raise ValueError(tr("'{text}' is not a threshold for {name}; it must be above 0", text=text, name=name))
        if share is not None and not 0 <= share <= 1:
            raise ValueError(
                tr("'{text}' is not a threshold for {name}; a percentage must be from 0% to 100%", text=text, name=name)
            )
        yield Threshold(signal, amount)


def _signal(name: str) -> Signal:
    try:
        return Signal(name)
    except ValueError:
        raise ValueError(
            tr("'{name}' is not an eviction signal; known signals are {Signal}", name=name, Signal=", ".join(Signal))
        ) from None


def _percentage(text: str) -> Amount:
    digits = text.rstrip("%")
    if not _FLOAT.match(digits):
        raise ValueError(tr("'{text}' is not a percentage", text=text))
    percent = float(digits)
    if abs(percent) > _FLOAT32_MAX:
        raise ValueError(tr("'{text}' is too large for a percentage", text=text))
    return Amount(share=float(np.float32(percent) / np.float32(100)))


def _quantity(text: str) -> Amount:
    if text != text.strip():
        raise ValueError(tr("'{text}' is not a quantity; remove the blanks", text=text))
    return Amount(units=parse_count(text))


def _reclaim(text: str) -> Amount:
    if text.endswith("%"):
        amount = _percentage(text)
        if amount.share is None or not amount.share > 0:
            raise ValueError(tr("'{text}' is not a minimum reclaim; a percentage must be above 0%", text=text))
        return amount
    amount = _quantity(text)
    if parse_quantity(text) < 0:
        raise ValueError(tr("'{text}' is not a minimum reclaim; it must not be negative", text=text))
    return amount


def _grace_us(text: str) -> int:
    if not _GO_DURATION.match(text):
        raise ValueError(tr("'{text}' is not a grace period; write for example 90s or 1m30s", text=text))
    parts = _GO_DURATION_PART.findall(text)
    total_ns = sum((Fraction(number) * _GO_UNITS_NS[unit] for number, unit in parts), Fraction(0))
    if text.startswith("-") and total_ns > 0:
        raise ValueError(tr("'{text}' is not a grace period; it must not be negative", text=text))
    return ceil_fraction(total_ns * US_PER_S / 10**9)
