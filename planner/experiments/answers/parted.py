"""Decisions at which runs part, in the reader's language: results keep them in all languages."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from planner.language.translation import language, tr


class PartedDecision(NamedTuple):
    """One of them, in words."""

    time_s: float
    actor: str
    subject: str
    what: str
    why: str


def parted_decision(kept: Mapping[str, Any]) -> PartedDecision:
    """A decision as `execution.parting` keeps it; in English where it was kept before there was the language."""
    words = kept.get("said", {}).get(language(), kept)
    return PartedDecision(kept["timeS"], tr(kept["actor"]), kept["subject"], words["what"], words["why"])


def parting_json(parting: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """Where runs part as programs read it: in English alone."""
    if parting is None:
        return None
    sides = {side: _in_english(parting[side]) for side in ("a", "b")}
    counts = [one | {"example": _in_english(one["example"])} for one in parting["decisions"]]
    return dict(parting) | sides | {"decisions": counts}


def _in_english(kept: Mapping[str, Any] | None) -> dict[str, Any] | None:
    return None if kept is None else {name: value for name, value in kept.items() if name != "said"}
