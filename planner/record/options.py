"""The options of a scale-up as a detail of its decision: a code, read back for sentences and tables."""

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


def options_code(options: Iterable[Option]) -> str:
    """For example "blue:2:4:least-waste=0.5 green:1:4": group, nodes, pods, and the figures of the expanders."""
    return " ".join(map(_code, options))


def read_options(code: str) -> tuple[Option, ...]:
    """The options that `options_code` wrote (scores with the digits they were written with)."""
    return tuple(map(_read, code.split()))


def _code(option: Option) -> str:
    scores = ",".join(f"{name}={number_text(value)}" for name, value in option.scores.items())
    code = f"{option.group}:{option.nodes}:{option.pods}"
    return f"{code}:{scores}" if scores else code


def _read(code: str) -> Option:
    group, nodes, pods, *rest = code.split(":")
    scores = (score.partition("=") for score in ",".join(rest).split(",") if score)
    return Option(group, int(nodes), int(pods), {name: float(value) for name, _, value in scores})
