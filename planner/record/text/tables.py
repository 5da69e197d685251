"""Small tables of text: the form in which the computation behind a decision is shown."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from planner.language.translation import tr
from planner.record.text.wording import mebibytes, number_text
from planner.units import format_cpu


@dataclass(frozen=True)
class Grid:
    """A table: its rows have as many cells as there are columns. `chosen` are the rows that won."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    chosen: tuple[int, ...] = ()


Step = tuple[str, str]
"""What was looked at, and what was found."""


def steps_grid(title: str, steps: Iterable[Step], chosen: str = "") -> Grid:
    """A table of the steps that found something; `chosen` names the one that matters most."""
    rows = tuple(step for step in steps if step[1])
    return Grid(
        title, (tr("Step"), tr("Value")), rows, tuple(at for at, (name, _) in enumerate(rows) if name == chosen)
    )


def facts_grid(facts: Mapping[str, object]) -> Grid:
    """A table of everything that is known, under the names of the fields; those end in their units."""
    return steps_grid(tr("Facts"), [_fact(name, value) for name, value in facts.items()])


def _fact(name: str, value: object) -> Step:
    text = "" if value is None else str(value)
    if isinstance(value, tuple):
        text = ", ".join(map(str, value))
    elif isinstance(value, int | float):
        text = number_text(value)
        if name.endswith("_s"):
            name, text = name.removesuffix("_s"), f"{text} s"
        elif name.endswith("_bytes"):
            name, text = name.removesuffix("_bytes"), mebibytes(int(value))
        elif name.endswith("_milli"):
            name, text = name.removesuffix("_milli"), format_cpu(int(value))
    return "CPU" if name == "cpu" else name.replace("_", " ").capitalize(), text
