"""The options of a scale-up as a detail of its decision: written here, and read back for tables."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from planner.record.facts import number_text


@dataclass(frozen=True)
class Option:
    """One group that could grow: by so many nodes, for so many pods."""

    group: str
    nodes: int
    pods: int
    scores: Mapping[str, float] = field(default_factory=dict)
    """Figure of each expander that looked at it."""


def options_text(options: Iterable[Option]) -> str:
    """For example "blue: 2 nodes for 4 pods (least-waste 0.5); green: 1 nodes for 4 pods"."""
    return "; ".join(_text(option) for option in options)


def read_options(text: str) -> tuple[Option, ...]:
    """The options that `options_text` wrote (scores with the digits they were written with)."""
    return tuple(_read(part) for part in text.split("; ") if part)


def _text(option: Option) -> str:
    scores = ", ".join(f"{name} {number_text(value)}" for name, value in option.scores.items())
    text = f"{option.group}: {option.nodes} nodes for {option.pods} pods"
    return f"{text} ({scores})" if scores else text


def _read(text: str) -> Option:
    size, _, rest = text.rstrip(")").partition(" (")
    group, _, counts = size.rpartition(": ")
    words = counts.split()
    scores = (score.rpartition(" ") for score in rest.split(", ") if score)
    return Option(group, int(words[0]), int(words[3]), {name: float(value) for name, _, value in scores})
