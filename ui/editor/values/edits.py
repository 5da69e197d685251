"""Edits of single values: text to value, value into the plan, one undo step with a descriptive text."""

from functools import partial
from typing import Any, NamedTuple

from pydantic import BaseModel
from PySide6.QtCore import QObject, Signal

from planner.errors import PlannerError, PlanProblem
from planner.plan.edits.edit import remove_at, replace_at, replace_many, value_at
from planner.plan.files.places import Path
from planner.plan.model.plan import Plan
from planner.plan.model.traffic import LoadProfile, Traffic
from ui.document.drafts import Drafts, TypedText, followed, near, without
from ui.document.plan_document import PlanDocument
from ui.editor.values.adjust import companions
from ui.editor.values.field_names import with_titles
from ui.editor.values.shapes import Shape, ShapeKind, fields_of
from ui.editor.values.text import UnreadableText, plan_text, text_of, value_from
from ui.editor.values.where import is_within

_MAX_SHOWN = 40
_PARTS = frozenset({ShapeKind.GROUP, ShapeKind.VARIANT, ShapeKind.LIST, ShapeKind.MAP})
"""What is added, taken away and moved instead of typed: there is no text to keep when it does not fit."""


class _Typing(NamedTuple):
    """Keys pressed in one field so far."""

    merge: str
    before: Plan
    drafts: Drafts
    """Those before it."""
    after: Plan


class PlanEdits(QObject):
    """Changes values of a document's plan. Invalid values become its drafts and leave the plan unchanged."""

    refused = Signal(str)
    """Why something could not be added, removed or moved."""
    sizes_wanted = Signal(tuple)
    """A place in a workload whose pods are to be sized."""
    variant_wanted = Signal(tuple)
    """The path of a field that a new variant should set."""

    def __init__(self, document: PlanDocument, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.document = document
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
        """Give a field a value. True if it fits.

        The place may have gone since the field was opened: a list of choices stays open while a plan is read again.
        """
        plan = self.document.plan
        try:
            current = value_at(plan, path)
        except PlanProblem as gone:
            self.refused.emit(with_titles(f"{gone.problem} {gone.remedy}", path))
            return False
        if _same(current, value):
            self.forget(path, shape, merge)
            return True
        try:
            changed, resolved = self._with(plan, path, value)
        except PlanProblem as problem:
            if shape.kind in _PARTS:
                self.refused.emit(with_titles(f"{problem.problem} {problem.remedy}", path))
            else:
                self._keep(path, shape, text or text_of(shape, value), problem.problem, problem.remedy, merge)
            return False
        self._remember(merge, changed)
        drafts = without(followed(self.document.drafts, plan, changed), path, *resolved)
        if shape.kind is ShapeKind.LIST:  # its items have moved
            drafts = without(drafts, *(inside for inside in drafts if is_within(inside, path)))
        self.document.apply(changed, self._step_text(path, shape, value), merge, drafts)
        return True

    def forget(self, path: Path, shape: Shape, merge: str = "") -> None:
        """Drop what was typed into a field: its value holds again."""
        drafts = self.document.drafts
        if path in drafts:
            plan = self.document.plan
            text = self._step_text(path, shape, value_at(plan, path))
            self.document.apply(plan, text, merge, without(drafts, path))

    def _remember(self, merge: str, after: Plan) -> None:
        """What typing in a field began with, in case it ends with a text that does not fit."""
        typing, before, drafts = self._typing, self.document.plan, self.document.drafts
        if typing is not None and typing.merge == merge and typing.after is before:
            before, drafts = typing.before, typing.drafts
        self._typing = _Typing(merge, before, drafts, after) if merge else None

    def reset(self, path: Path, shape: Shape) -> None:
        """Back to the default, so that the file does not mention the field."""
        plan = self.document.plan
        try:
            changed = remove_at(plan, path)
        except PlanProblem as problem:
            self._keep(path, shape, text_of(shape, shape.default), problem.problem, problem.remedy)
            return
        text = self.tr("Set {field} of {owner} to its default")
        drafts = without(followed(self.document.drafts, plan, changed), path)
        self.document.apply(changed, text.format(field=_title(shape, path), owner=owner_name(plan, path)), "", drafts)

    def put_load(self, traffic: Path, profile: LoadProfile, merge: str = "") -> None:
        """Give a workload another load; the path is that of its traffic."""
        shape = next(field.shape for field in fields_of(Traffic) if field.name == "profile")
        self.put((*traffic, "profile"), shape, profile, merge)

    def put_rows(self, section: str, positions: list[int], path: Path, shape: Shape, text: str) -> bool:
        """Give the same field of several rows the same value, in one step."""
        if len(positions) == 1:
            return self.write((section, positions[0], *path), shape, text)
        cells = [(section, position, *path) for position in positions]
        before = plan = self.document.plan
        step = self.tr("Set {field} of {count} rows to {value}")
        try:
            value = value_from(shape, text)
            for cell in cells:
                plan = self._with(plan, cell, value)[0]
        except (UnreadableText, PlanProblem) as error:
            plan, shown = before, text
            drafts = {**self.document.drafts, **{cell: _typed(before, cell, shape, text, error) for cell in cells}}
        else:
            shown = text_of(shape, value)
            drafts = dict(without(followed(self.document.drafts, before, plan), *cells))
        step = step.format(field=_title(shape, path), count=len(positions), value=_cut(shown))
        self.document.apply(plan, step, "", drafts)
        return not any(cell in drafts for cell in cells)

    def _with(self, plan: Plan, path: Path, value: Any) -> tuple[Plan, list[Path]]:
        """The plan with a value, and with those drafts nearby that fit together with it. Raises PlanProblem."""
        others = near(self.document.drafts, path)
        try:
            changed = self._set(plan, path, value)
        except PlanProblem as problem:
            together = self._together(plan, path, value, others)
            if together is None:
                raise problem
            return together
        resolved = []
        for other, draft in others:
            if draft.read is None:
                continue
            try:
                changed = self._set(changed, other, draft.read(draft.text))
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
        self, plan: Plan, path: Path, value: Any, others: list[tuple[Path, TypedText]]
    ) -> tuple[Plan, list[Path]] | None:
        """The value with all drafts of the same model at once, if that fits."""
        siblings = [(other, draft) for other, draft in others if other[:-1] == path[:-1] and isinstance(other[-1], str)]
        if not siblings or not isinstance(value_at(plan, path[:-1]), BaseModel):
            return None
        try:
            values = {str(other[-1]): draft.read(draft.text) for other, draft in siblings if draft.read is not None}
            together = [other for other, draft in siblings if draft.read is not None]
            return replace_many(plan, path[:-1], values | {str(path[-1]): value}), together
        except (PlannerError, UnreadableText):
            return None

    def refuse(self, path: Path, shape: Shape, text: str, problem: str, remedy: str) -> None:
        """Keep a text that cannot be taken, with its problem and its remedy."""
        self._keep(path, shape, text, problem, remedy)

    def _keep(self, path: Path, shape: Shape, text: str, problem: str, remedy: str, merge: str = "") -> None:
        """Keep an invalid text, and revert the value of its valid prefix: if 20000 is too large, 2000 was not meant."""
        typing, self._typing = self._typing, None
        plan, drafts = self.document.plan, self.document.drafts
        if typing is not None and merge == typing.merge and typing.after is plan:
            plan, drafts = typing.before, typing.drafts
        step = self.tr("Type “{text}” into {field} of {owner}")
        step = step.format(text=_cut(text), field=_title(shape, path), owner=owner_name(plan, path))
        typed = _typed(plan, path, shape, text, PlanProblem("", problem, remedy))
        self.document.apply(plan, step, merge, {**drafts, path: typed})

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


def _typed(plan: Plan, path: Path, shape: Shape, text: str, error: UnreadableText | PlanProblem) -> TypedText:
    return TypedText(text, error.problem, error.remedy, value_at(plan, path), partial(value_from, shape))


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
