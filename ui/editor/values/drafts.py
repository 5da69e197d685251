"""Texts that are not valid yet: kept until they are corrected, while the plan stays unchanged."""

from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QObject, Signal

from planner.errors import PlannerError
from planner.plan.edits.edit import value_at
from planner.plan.files.places import Path
from planner.plan.model.plan import Plan
from ui.editor.values.shapes import Shape
from ui.editor.values.where import is_within


@dataclass(frozen=True)
class TypedText:
    """What was typed, what is wrong with it and how to fix it."""

    text: str
    problem: str
    remedy: str
    shape: Shape
    base: Any
    """The value of the plan that the text would replace; when that changes otherwise, the draft is out of date."""


class Drafts(QObject):
    """The drafts of a document by their paths."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._by_path: dict[Path, TypedText] = {}

    def at(self, path: Path) -> TypedText | None:
        """The draft of a field."""
        return self._by_path.get(path)

    def items(self) -> list[tuple[Path, TypedText]]:
        """All drafts, oldest first."""
        return list(self._by_path.items())

    def near(self, path: Path) -> list[tuple[Path, TypedText]]:
        """Drafts of the same row or settings, without that of the path itself."""
        root = path[:2] if len(path) > 1 and isinstance(path[1], int) else path[:1]
        return [(other, draft) for other, draft in self.items() if other != path and is_within(other, root)]

    def put(self, path: Path, draft: TypedText) -> None:
        """Keep a draft."""
        self._by_path[path] = draft
        self.changed.emit()

    def drop(self, path: Path) -> None:
        """The field has a value again."""
        if self._by_path.pop(path, None) is not None:
            self.changed.emit()

    def clear(self) -> None:
        """Another document."""
        self._by_path.clear()
        self.changed.emit()

    def follow(self, old: Plan, new: Plan) -> None:
        """Drafts go with their rows; those of rows or values that are gone, or were set otherwise, go too."""
        if not self._by_path:
            return
        before, self._by_path = self._by_path, {}
        for path, draft in before.items():
            moved = _followed(path, old, new)
            if moved is not None and _value(new, moved) == draft.base:
                self._by_path[moved] = draft
        if before.keys() != self._by_path.keys():
            self.changed.emit()


def _value(plan: Plan, path: Path) -> Any:
    try:
        return value_at(plan, path)
    except PlannerError:
        return _Gone


class _Gone:
    """No value of a plan."""


def _followed(path: Path, old: Plan, new: Plan) -> Path | None:
    """Where the row of a path is now."""
    if len(path) < 2 or not isinstance(path[1], int):
        return path
    before, after, index = getattr(old, str(path[0])), getattr(new, str(path[0])), path[1]
    row = before[index] if index < len(before) else None
    if index < len(after) and (after[index] is row or len(before) == len(after)):
        moved_to = _position(after, row)
        return path if moved_to is None else (path[0], moved_to, *path[2:])
    found = _position(after, row)
    return None if found is None else (path[0], found, *path[2:])


def _position(rows: tuple[Any, ...], row: object) -> int | None:
    return next((index for index, one in enumerate(rows) if one is row), None)
