"""Edits of single values: text to value, value into the plan, one undo step with a descriptive text."""

from typing import Any, NamedTuple

from pydantic import BaseModel
from PySide6.QtCore import QObject, Signal

from planner.errors import PlannerError, PlanProblem
from planner.plan.edits.edit import remove_at, replace_at, replace_many, value_at
from planner.plan.files.places import Path
from planner.plan.model.plan import Plan
from ui.document.plan_document import PlanDocument
from ui.editor.values.adjust import companions
from ui.editor.values.drafts import Drafts, TypedText
from ui.editor.values.shapes import Shape, ShapeKind
from ui.editor.values.text import UnreadableText, plan_text, text_of, value_from

_MAX_SHOWN = 40
_PARTS = frozenset({ShapeKind.GROUP, ShapeKind.VARIANT, ShapeKind.LIST, ShapeKind.MAP})
"""What is added, taken away and moved instead of typed: there is no text to keep when it does not fit."""


class _Typing(NamedTuple):
    """Keys pressed in one field so far."""

    merge: str
    before: Plan
    after: Plan
    drafts: list[tuple[Path, TypedText]]
    """Drafts of other fields that were applied with it."""


class PlanEdits(QObject):
    """Changes values of a document's plan. Invalid values stay as drafts and leave the plan unchanged."""

    refused = Signal(str)
    """Why something could not be added, removed or moved."""

    def __init__(self, document: PlanDocument, drafts: Drafts, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.document, self.drafts = document, drafts
        self._typing: _Typing | None = None

    def write(self, path: Path, shape: Shape, text: str, merge: str = "") -> bool:
        """Take what was typed into a field. True if it is in the plan now."""
        try:
            value = value_from(shape, text)
        except UnreadableText as error:
            self._keep(path, shape, text, error.problem, error.remedy, merge)
            return False
        return self.put(path, shape, value, merge, text)

    def put(self, path: Path, shape: Shape, value: Any, merge: str = "", text: str = "") -> bool:
        """Give a field a value. True if it fits."""
        plan = self.document.plan
        if _same(value_at(plan, path), value):
            self.drafts.drop(path)
            return True
        try:
            changed, resolved = self._with(plan, path, value)
        except PlanProblem as problem:
            if shape.kind in _PARTS:
                self.refused.emit(f"{problem.problem} {problem.remedy}")
            else:
                self._keep(path, shape, text or text_of(shape, value), problem.problem, problem.remedy, merge)
            return False
        self._remember(merge, plan, changed, resolved)
        self.document.apply(changed, self._step_text(path, shape, value), merge)
        for done in (path, *resolved):
            self.drafts.drop(done)
        return True

    def _remember(self, merge: str, before: Plan, after: Plan, resolved: list[Path]) -> None:
        """What typing in a field began with, in case it ends with a text that does not fit."""
        drafts = [(path, draft) for path, draft in self.drafts.items() if path in resolved]
        typing = self._typing
        if typing is not None and typing.merge == merge and typing.after is before:
            before, drafts = typing.before, [*typing.drafts, *drafts]
        self._typing = _Typing(merge, before, after, drafts) if merge else None

    def reset(self, path: Path, shape: Shape) -> None:
        """Back to the default, so that the file does not mention the field."""
        self.drafts.drop(path)
        try:
            changed = remove_at(self.document.plan, path)
        except PlanProblem as problem:
            self._keep(path, shape, text_of(shape, shape.default), problem.problem, problem.remedy)
            return
        text = self.tr("Set {field} of {owner} to its default")
        owner = owner_name(self.document.plan, path)
        self.document.apply(changed, text.format(field=_title(shape, path), owner=owner))

    def put_rows(self, section: str, positions: list[int], path: Path, shape: Shape, text: str) -> bool:
        """Give the same field of several rows the same value, in one step."""
        if len(positions) == 1:
            return self.write((section, positions[0], *path), shape, text)
        try:
            value = value_from(shape, text)
            plan = self.document.plan
            for position in positions:
                plan = self._with(plan, (section, position, *path), value)[0]
        except (UnreadableText, PlanProblem) as error:
            self._keep((section, positions[0], *path), shape, text, error.problem, error.remedy)
            return False
        text = self.tr("Set {field} of {count} rows to {value}")
        title = _title(shape, path)
        shown = _cut(text_of(shape, value))
        self.document.apply(plan, text.format(field=title, count=len(positions), value=shown))
        return True

    def _with(self, plan: Plan, path: Path, value: Any) -> tuple[Plan, list[Path]]:
        """The plan with a value, and with those drafts nearby that fit together with it. Raises PlanProblem."""
        near = self.drafts.near(path)
        try:
            changed = self._set(plan, path, value)
        except PlanProblem as problem:
            together = self._together(plan, path, value, near)
            if together is None:
                raise problem
            return together
        resolved = []
        for other, draft in near:
            try:
                changed = self._set(changed, other, value_from(draft.shape, draft.text))
            except (PlannerError, UnreadableText):
                continue
            resolved.append(other)
        return changed, resolved

    def _set(self, plan: Plan, path: Path, value: Any) -> Plan:
        if path and isinstance(path[-1], str):
            also = companions(value_at(plan, path[:-1]), path[-1], value)
            if also:
                return replace_many(plan, path[:-1], also | {path[-1]: value})
        return replace_at(plan, path, value)

    def _together(
        self, plan: Plan, path: Path, value: Any, near: list[tuple[Path, TypedText]]
    ) -> tuple[Plan, list[Path]] | None:
        """The value with all drafts of the same model at once, if that fits."""
        siblings = {other: draft for other, draft in near if other[:-1] == path[:-1] and isinstance(other[-1], str)}
        if not siblings or not isinstance(value_at(plan, path[:-1]), BaseModel):
            return None
        try:
            values = {str(other[-1]): value_from(draft.shape, draft.text) for other, draft in siblings.items()}
            return replace_many(plan, path[:-1], values | {str(path[-1]): value}), list(siblings)
        except (PlannerError, UnreadableText):
            return None

    def refuse(self, path: Path, shape: Shape, text: str, problem: str, remedy: str) -> None:
        """Keep a text that cannot be taken, with its problem and its remedy."""
        self._keep(path, shape, text, problem, remedy)

    def _keep(self, path: Path, shape: Shape, text: str, problem: str, remedy: str, merge: str = "") -> None:
        """Keep an invalid text, and revert the value of its valid prefix: if 20000 is too large, 2000 was not meant."""
        typing, self._typing = self._typing, None
        is_half = typing is not None and merge == typing.merge and typing.after is self.document.plan
        plan = typing.before if typing is not None and is_half else self.document.plan
        self.drafts.put(path, TypedText(text, problem, remedy, shape, value_at(plan, path)))
        if typing is not None and is_half:
            self.document.apply(plan, self.tr("Typing"), merge)
            for other, draft in typing.drafts:
                self.drafts.put(other, draft)

    def _step_text(self, path: Path, shape: Shape, value: Any) -> str:
        owner, title = owner_name(self.document.plan, path), _title(shape, path)
        if shape.kind in _PARTS:
            text = self.tr("Remove {field} from {owner}") if value is None else self.tr("Change {field} of {owner}")
            return text.format(field=title, owner=owner)
        if value is None or value == "":
            return self.tr("Clear {field} of {owner}").format(field=title, owner=owner)
        if shape.kind is ShapeKind.SWITCH:
            text = self.tr("Turn on {field} of {owner}") if value else self.tr("Turn off {field} of {owner}")
            return text.format(field=title, owner=owner)
        text = self.tr("Set {field} of {owner} to {value}")
        return text.format(field=title, owner=owner, value=_cut(text_of(shape, value)))


def _title(shape: Shape, path: Path) -> str:
    return plan_text(shape.title) if shape.title else str(path[-1])


def _cut(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _MAX_SHOWN else text[: _MAX_SHOWN - 1] + "…"


def _same(old: Any, new: Any) -> bool:
    """Equal, and of the same type as far as the file shows it: 1 is not True."""
    return type(old) is type(new) and bool(old == new) or (isinstance(old, float) and old == new)


def owner_name(plan: Plan, path: Path) -> str:
    """What a path belongs to, for people: the name of its row, or the title of its settings."""
    if len(path) > 1 and isinstance(path[1], int):
        row = value_at(plan, path[:2])
        return str(getattr(row, "name", "")) or str(path[1] + 1)
    info = Plan.model_fields[str(path[0])]
    return plan_text(info.title or str(path[0])) if len(path) > 1 else plan_text("the plan")
