"""Tolerations as the API has them, with the operators and times the plan does not know."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from planner.units import US_PER_S


@dataclass(frozen=True)
class KubeToleration:
    """One toleration."""

    key: str
    operator: str
    value: str
    effect: str | None
    """None: every effect."""
    toleration_us: int | None
    """How long a NoExecute taint is tolerated, microseconds; None: for ever."""


def read_kube_tolerations(tolerations: Iterable[Mapping[str, Any]]) -> tuple[KubeToleration, ...]:
    """All tolerations, those that can never match included."""
    return tuple(map(_read, tolerations))


def _read(entry: Mapping[str, Any]) -> KubeToleration:
    seconds = entry.get("tolerationSeconds")
    return KubeToleration(
        key=entry.get("key") or "",
        operator=entry.get("operator") or "Equal",
        value=entry.get("value") or "",
        effect=entry.get("effect") or None,
        toleration_us=None if seconds is None else seconds * US_PER_S,
    )
