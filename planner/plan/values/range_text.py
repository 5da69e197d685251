"""Ranges of a number of the plan as text: `nodeGroups[general].maxSize = 10..40:5`, `load = 1, 1.5, 2`."""

from dataclasses import dataclass

from planner.language.translation import tr
from planner.plan.values.change_text import Step, parse_path, path_text

_EXAMPLE = "nodeGroups[general].maxSize = 10..40:5"


@dataclass(frozen=True)
class ValueRange:
    """The values that a parameter may have, each written as the file writes it."""

    path: str
    steps: tuple[Step, ...]
    choices: tuple[str, ...] = ()
    """All of them; empty: those from `low` to `high`."""
    low: str = ""
    high: str = ""
    step: str = ""
    """Empty: any value between."""


def parse_range(text: str) -> ValueRange:
    """`path = low..high`, `path = low..high:step` or `path = a, b, c`. Raises ValueError, written "problem; remedy"."""
    path, mark, values = _parted(text)
    if not mark or not path or not values:
        raise ValueError(
            tr(
                "{text!r} is not a range; write path = low..high:step, as in {example}, or path = a, b, c",
                text=text,
                example=_EXAMPLE,
            )
        )
    steps = parse_path(path)
    if ".." not in values or values.startswith(("{", "[", '"')):
        choices = _choices(values)
        return ValueRange(path_text(steps), steps, choices)
    ends, _, step = values.partition(":")
    low, _, high = ends.partition("..")
    parts = [part.strip() for part in (low, high, step)]
    if not parts[0] or not parts[1] or (":" in values and not parts[2]):
        raise ValueError(
            tr("{values!r} is not a range; write low..high:step, as in {example}", values=values, example=_EXAMPLE)
        )
    return ValueRange(path_text(steps), steps, (), *parts)


def _choices(values: str) -> tuple[str, ...]:
    """Parted by commas outside of brackets and quotes."""
    found, depth, quoted = [""], 0, False
    for letter in values:
        quoted ^= letter == '"'
        depth += 0 if quoted else (letter in "[{") - (letter in "]}")
        if letter == "," and depth == 0 and not quoted:
            found.append("")
        else:
            found[-1] += letter
    choices = tuple(part.strip() for part in found)
    if not all(choices):
        raise ValueError(tr("{values!r} has an empty value; leave out the comma", values=values))
    if len(frozenset(choices)) < len(choices):
        raise ValueError(tr("{values!r} has a value twice; leave one out", values=values))
    return choices


def _parted(text: str) -> tuple[str, str, str]:
    depth = 0
    for at, letter in enumerate(text):
        depth += (letter == "[") - (letter == "]")
        if letter == "=" and depth == 0:
            return text[:at].strip(), "=", text[at + 1 :].strip()
    return text.strip(), "", ""
