"""Which tolerations match which taints, and what follows for placement and eviction.

Source: Kubernetes 1.36, api/core/v1/toleration.go, component-helpers/scheduling/corev1/helpers.go, and
pkg/controller/tainteviction/taint_eviction.go for the time that is tolerated.
"""

import re
from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import NamedTuple, Protocol


class TaintEffect(StrEnum):
    """What a taint does to pods that do not tolerate it."""

    NO_SCHEDULE = "NoSchedule"
    PREFER_NO_SCHEDULE = "PreferNoSchedule"
    NO_EXECUTE = "NoExecute"


class TolerationOperator(StrEnum):
    """How a toleration compares the taint's value."""

    EQUAL = "Equal"
    EXISTS = "Exists"
    GREATER = "Gt"
    LESS = "Lt"


class NodeTaint(NamedTuple):
    """A taint as rules compare it."""

    key: str
    value: str
    effect: TaintEffect


COMPARISONS = (TolerationOperator.GREATER, TolerationOperator.LESS)
HARD_EFFECTS = (TaintEffect.NO_SCHEDULE, TaintEffect.NO_EXECUTE)
CORDON_TAINT = NodeTaint("node.kubernetes.io/unschedulable", "", TaintEffect.NO_SCHEDULE)

_PLAIN_INTEGER = re.compile(r"(?:0|-?[1-9][0-9]*)\Z")
_INT64 = 1 << 63


class TaintLike(Protocol):
    """What matching reads of a taint."""

    @property
    def key(self) -> str:
        """Name of the taint."""

    @property
    def value(self) -> str:
        """Its value, may be empty."""

    @property
    def effect(self) -> str:
        """What it does to pods that do not tolerate it."""


class TolerationLike(Protocol):
    """What matching reads of a toleration; operator and effect are the words of the API."""

    @property
    def key(self) -> str:
        """Taint key; empty matches every key."""

    @property
    def operator(self) -> str:
        """Equal, Exists, Gt or Lt; any other never matches."""

    @property
    def value(self) -> str:
        """Value for every operator but Exists."""

    @property
    def effect(self) -> str | None:
        """Effect; None matches every effect."""


class TimedToleration(TolerationLike, Protocol):
    """A toleration that may end while the taint stays."""

    @property
    def toleration_us(self) -> int | None:
        """How long a NoExecute taint is put up with, in microseconds; None: for ever."""


def tolerates(toleration: TolerationLike, taint: TaintLike) -> bool:
    """Whether one toleration matches one taint.

    Gt and Lt count: the API server lets them in only while the gate TaintTolerationComparisonOperators is on.
    """
    if toleration.effect is not None and toleration.effect != taint.effect:
        return False
    if toleration.key and toleration.key != taint.key:
        return False
    operator = toleration.operator
    if operator == "Exists":
        return True
    if operator == "Equal":
        return toleration.value == taint.value
    return _compares(operator, taint.value, toleration.value)


def _compares(operator: str, have: str, limit: str) -> bool:
    """Gt: the taint's value is above the toleration's; Lt: below. False where either is no plain integer."""
    a, b = _plain_integer(have), _plain_integer(limit)
    if a is None or b is None:
        return False
    return (operator == "Gt" and a > b) or (operator == "Lt" and a < b)


def is_plain_integer(text: str) -> bool:
    """Whether Gt and Lt can compare a value."""
    return _plain_integer(text) is not None


def _plain_integer(text: str) -> int | None:
    """A 64 bit integer as people write it: no plus sign, no leading zeros, no minus zero."""
    value = int(text) if _PLAIN_INTEGER.match(text) else None
    return value if value is not None and -_INT64 <= value < _INT64 else None


def tolerated(tolerations: Iterable[TolerationLike], taint: TaintLike) -> bool:
    """Whether any toleration matches the taint."""
    return any(tolerates(toleration, taint) for toleration in tolerations)


def tolerates_hard_taints(tolerations: Sequence[TolerationLike], taints: Iterable[TaintLike]) -> bool:
    """Whether every NoSchedule and NoExecute taint is tolerated."""
    return all(taint.effect not in HARD_EFFECTS or tolerated(tolerations, taint) for taint in taints)


def tolerates_no_execute_taints(tolerations: Sequence[TolerationLike], taints: Iterable[TaintLike]) -> bool:
    """Whether every NoExecute taint is tolerated, for however long."""
    return all(taint.effect != TaintEffect.NO_EXECUTE or tolerated(tolerations, taint) for taint in taints)


def untolerated_soft_taints(tolerations: Sequence[TolerationLike], taints: Iterable[TaintLike]) -> int:
    """Number of PreferNoSchedule taints that no toleration for such taints matches."""
    soft = [t for t in tolerations if t.effect is None or t.effect == TaintEffect.PREFER_NO_SCHEDULE]
    return sum(taint.effect == TaintEffect.PREFER_NO_SCHEDULE and not tolerated(soft, taint) for taint in taints)


def no_execute_delay_us(tolerations: Sequence[TimedToleration], taints: Iterable[TaintLike]) -> int | None:
    """Time until NoExecute taints delete a pod, in microseconds: 0 at once, None never.

    The first matching toleration of each taint counts; the shortest of their times wins. Gt and Lt never count here.
    """
    delays: list[int] = []
    for taint in taints:
        if taint.effect != TaintEffect.NO_EXECUTE:
            continue
        used = next((t for t in tolerations if t.operator not in COMPARISONS and tolerates(t, taint)), None)
        if used is None:
            return 0
        if used.toleration_us is not None:
            delays.append(max(0, used.toleration_us))
    return min(delays, default=None)
