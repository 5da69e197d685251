"""Changes and uncertain numbers as text: `nodeGroups[general].maxSize = 40`, `load ~ normal(1, 0.1)`.

Paths are those of error messages: keys as the file spells them, items of lists by name or position, keys of maps in
brackets.
"""

import json
import re
from dataclasses import dataclass
from typing import Any

from planner.language.translation import marked, tr

_STEP = re.compile(r'\.?([A-Za-z_]\w*)|\[("(?:[^"\\]|\\.)*"|[^\]"]*)\]')
_DISTRIBUTION = re.compile(r"\s*([A-Za-z]\w*)\s*\(([^()]*)\)\s*\Z")
KINDS = {"normal": 2, "lognormal": 2, "uniform": 2, "interval": 2, "samples": None}
"""Distributions and how many numbers each takes; None for any number, at least one."""


@dataclass(frozen=True)
class Item:
    """A step into a list or map: the text between the brackets."""

    key: str


Step = str | Item
"""A key of the file, or an item of a list or map."""


@dataclass(frozen=True)
class PlanChange:
    """A value that is set. None takes away an item of a list or map."""

    path: str
    steps: tuple[Step, ...]
    value: Any
    """As JSON has it."""


@dataclass(frozen=True)
class UncertainNumber:
    """A number of the plan that is drawn. `numbers` are written as the file writes that number."""

    path: str
    steps: tuple[Step, ...]
    kind: str
    """One of KINDS."""
    numbers: tuple[str, ...]


def parse_path(text: str) -> tuple[Step, ...]:
    """The steps of a path. Raises ValueError, written "problem; remedy"."""
    steps: list[Step] = []
    at, text = 0, text.strip()
    while at < len(text):
        found = _STEP.match(text, at)
        if found is None or (not steps and found[1] is None):
            raise ValueError(
                tr(
                    "{text!r} is not a path; write keys with dots and items in brackets, as in "
                    "nodeGroups[general].maxSize",
                    text=text,
                )
            )
        name, item = found[1], found[2]
        steps.append(name if name is not None else Item(json.loads(item) if item.startswith('"') else item.strip()))
        at = found.end()
    if not steps:
        raise ValueError(tr("the path is empty; write for example nodeGroups[general].maxSize = 40"))
    return tuple(steps)


def path_text(steps: tuple[Step, ...]) -> str:
    """The path as messages spell it."""
    text = ""
    for step in steps:
        if isinstance(step, Item):
            plain = re.fullmatch(r"[\w.-]+", step.key) is not None
            text += f"[{step.key}]" if plain else f"[{json.dumps(step.key, ensure_ascii=False)}]"
        else:
            text += f".{step}" if text else step
    return text


def parse_change(text: str) -> PlanChange:
    """`path = value`; a value that is not JSON is text. Raises ValueError, written "problem; remedy"."""
    path, mark, value = _parted(text, "=")
    if not mark or not value:
        raise ValueError(
            tr("{text!r} is not a change; write path = value, as in nodeGroups[general].maxSize = 40", text=text)
        )
    return PlanChange(path, parse_path(path), value_of(value))


def parse_uncertain(text: str) -> UncertainNumber:
    """`path ~ kind(numbers)`. Raises ValueError, written "problem; remedy"."""
    path, mark, value = _parted(text, "~")
    found = _DISTRIBUTION.match(value)
    if not mark or found is None:
        raise ValueError(
            tr(
                "{text!r} is not a distribution; write path ~ kind(numbers), as in {example}",
                text=text,
                example=tr(_EXAMPLE),
            )
        )
    kind, numbers = found[1], tuple(part.strip() for part in found[2].split(",") if part.strip())
    if kind not in KINDS:
        raise ValueError(tr("{kind!r} is not a distribution; choose one of {kinds}", kind=kind, kinds=", ".join(KINDS)))
    wanted = KINDS[kind]
    if wanted is None and not numbers:
        raise ValueError(tr("{kind} has no numbers; give at least one", kind=kind))
    if wanted is not None and len(numbers) != wanted:
        raise ValueError(
            tr(
                "{kind} takes {wanted} numbers and has {count}; write for example {example}",
                kind=kind,
                wanted=wanted,
                count=len(numbers),
                example=tr(_EXAMPLE),
            )
        )
    return UncertainNumber(path, parse_path(path), kind, numbers)


_EXAMPLE = marked("nodeGroups[general].provisioningDelay ~ uniform(90s, 180s)")


def _parted(text: str, mark: str) -> tuple[str, str, str]:
    """Path and value: what is before and after the first mark that is not within brackets."""
    at = len(text) - len(text.lstrip())
    while found := _STEP.match(text, at):
        at = found.end()
    path, found_mark, value = text[at:].partition(mark)
    return (text[:at] + path).strip(), found_mark, value.strip()


def value_of(text: str) -> Any:
    """The value that a text stands for: JSON, or else the text itself."""
    try:
        return json.loads(text, parse_constant=_no_constant)
    except ValueError:
        return text


def value_text(value: Any) -> str:
    """The text that stands for a value, without quotes where it needs none."""
    if isinstance(value, str) and value and value == value.strip() and value.isprintable() and value_of(value) == value:
        return value
    return json.dumps(value, ensure_ascii=False)


def _no_constant(name: str) -> Any:
    raise ValueError(name)
