"""Texts that are no values of their fields: part of the document until they are corrected; the plan stays as it is."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from planner.errors import PlannerError, PlanProblem
from planner.plan.edits.edit import value_at
from planner.plan.files.places import Path, place_at
from planner.plan.model.plan import Plan


@dataclass(frozen=True)
class TypedText:
    """What was typed, what is wrong with it and how to fix it."""

    text: str
    problem: str
    remedy: str
    base: Any
    """The value of the plan that the text would replace; when that changes otherwise, the draft is out of date."""
    read: Callable[[str], Any] | None = field(default=None, compare=False)
    """Text to value, for trying again beside other values; None for a draft out of a recovery copy."""


Drafts = Mapping[Path, TypedText]
"""The drafts of a document by their paths, oldest first; never changed in place."""
NO_DRAFTS: Drafts = MappingProxyType({})


def problems_of(drafts: Drafts, plan: Plan) -> Iterator[PlanProblem]:
    """Each draft as a problem of the plan."""
    for path, draft in drafts.items():
        yield PlanProblem(place_at(Plan, path, plan).where, draft.problem, draft.remedy)


def without(drafts: Drafts, *gone: Path) -> Drafts:
    """The drafts of all other fields."""
    return {path: draft for path, draft in drafts.items() if path not in gone} if drafts else drafts


def near(drafts: Drafts, path: Path) -> list[tuple[Path, TypedText]]:
    """Drafts of the same row or settings, without that of the path itself."""
    root = path[:2] if len(path) > 1 and isinstance(path[1], int) else path[:1]
    return [(other, draft) for other, draft in drafts.items() if other != path and other[: len(root)] == root]


def followed(drafts: Drafts, old: Plan, new: Plan) -> Drafts:
    """Drafts go with their rows; those of rows or values that are gone, or were set otherwise, go too."""
    if not drafts:
        return drafts
    rows = _Rows(old, new)
    kept: dict[Path, TypedText] = {}
    for path, draft in drafts.items():
        moved = rows.followed(path)
        if moved is not None and value_or_gone(new, moved) == draft.base:
            kept[moved] = draft
    return kept


def value_or_gone(plan: Plan, path: Path) -> Any:
    """The value at a path; something that no value equals where there is none."""
    try:
        return value_at(plan, path)
    except PlannerError:
        return _Gone


def is_gone(value: Any) -> bool:
    """Whether `value_or_gone` has found nothing."""
    return value is _Gone


class _Gone:
    """No value of a plan."""


class _Rows:
    """Where rows of one version of a plan are in another one."""

    def __init__(self, old: Plan, new: Plan) -> None:
        self._old, self._new = old, new
        self._positions: dict[str, dict[int, int]] = {}

    def followed(self, path: Path) -> Path | None:
        """The path of the same field of the same row; None if the row is gone."""
        if len(path) < 2 or not isinstance(path[1], int):
            return path
        name, index = str(path[0]), path[1]
        before, after = getattr(self._old, name), getattr(self._new, name)
        if before is after:
            return path
        row = before[index] if index < len(before) else None
        if index < len(after) and after[index] is row:
            return path
        found = self._position(name, after).get(id(row))
        if found is not None:
            return (path[0], found, *path[2:])
        return path if index < len(after) and len(before) == len(after) else None

    def _position(self, name: str, rows: tuple[Any, ...]) -> dict[int, int]:
        if name not in self._positions:
            self._positions[name] = {id(row): index for index, row in reversed(list(enumerate(rows)))}
        return self._positions[name]
