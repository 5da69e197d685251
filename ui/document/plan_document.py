"""The open plan. Everything that edits calls `apply`; everything that shows it listens."""

from pathlib import Path
from typing import NamedTuple, cast

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoCommand, QUndoStack

from planner.plan.files.io import load_version, save_plan
from planner.plan.files.saving import Saved
from planner.plan.model.plan import Plan
from ui.document.drafts import NO_DRAFTS, Drafts, followed, problems_of
from ui.document.plan_check import PlanCheck

_FIELDS = frozenset(Plan.model_fields)


class _State(NamedTuple):
    """What an undo step goes back to."""

    plan: Plan
    drafts: Drafts


class PlanDocument(QObject):
    """One plan, its file, its undo steps and its check.

    A text that is no value of its field belongs to the document as much as the plan: it is a problem, an undo step,
    and unsaved until it is corrected, since the file cannot hold it.
    """

    changed = Signal(frozenset)
    """The top-level fields of the plan (Python names) that differ from before."""
    drafts_changed = Signal()
    """Other texts are no values now; comes after `changed`."""
    replaced = Signal()
    """Another document is shown (new, open, recovered); there is nothing to undo."""
    path_changed = Signal()
    modified_changed = Signal(bool)
    saved = Signal()

    def __init__(self, plan: Plan | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._plan = self._saved = plan if plan is not None else Plan()
        self._drafts = NO_DRAFTS
        self._was_modified = False
        self._path: Path | None = None
        self._version: str | None = None
        self._accepted: str | None = None
        self.check = PlanCheck(self._plan, self)
        self.undo_stack = QUndoStack(self)
        self.undo_stack.cleanChanged.connect(self._show_modified)

    @property
    def plan(self) -> Plan:
        """The plan as it is now; frozen, so it may be kept and handed to a thread."""
        return self._plan

    @property
    def saved_plan(self) -> Plan:
        """The plan as it was opened or saved last."""
        return self._saved

    @property
    def drafts(self) -> Drafts:
        """Texts that are no values, by the paths of their fields."""
        return self._drafts

    @property
    def path(self) -> Path | None:
        """The file it belongs to; None as long as it was never saved."""
        return self._path

    @property
    def version(self) -> str | None:
        """The version of the file that was read or written last; None if it is not known."""
        return self._version

    @property
    def modified(self) -> bool:
        """Whether it differs from what is in its file."""
        return not self.undo_stack.isClean() or bool(self._drafts)

    def apply(self, plan: Plan, text: str, merge: str = "", drafts: Drafts | None = None) -> None:
        """Show another version of the plan as one undo step, called `text`.

        Steps that follow each other with the same non-empty `merge` become one. An equal plan with equal drafts is no
        step. Without `drafts`, those there are go with their rows.
        """
        before = _State(self._plan, self._drafts)
        after = _State(plan, followed(self._drafts, self._plan, plan) if drafts is None else drafts)
        if _is_other(before, after):
            self.undo_stack.push(_SwapPlan(self, before, after, text, merge))

    def new(self, plan: Plan | None = None) -> None:
        """Begin an unnamed plan."""
        self._replace(plan if plan is not None else Plan(), None, None)

    def open(self, path: Path) -> None:
        """Show the plan of a file. Raises PlanFileError or PlanProblems; the document is unchanged then."""
        self.show_file(*load_version(path), path)

    def show_file(self, plan: Plan, version: str, path: Path) -> None:
        """Show a plan that was just read from this version of the file."""
        self._replace(plan, path.absolute(), version)

    def open_copy(self, plan: Plan, path: Path | None, version: str | None = None, drafts: Drafts = NO_DRAFTS) -> None:
        """Show a plan that is not what its file holds (a recovered one): it counts as modified.

        `version` is the one of the file on which the plan is based, None if it is not known.
        """
        self._replace(plan, path, version, drafts)
        self.undo_stack.resetClean()

    def accept_on_disk(self, version: str) -> None:
        """The user knows that the file has this version now and keeps the shown plan, which counts as modified."""
        self._accepted = version
        self.undo_stack.resetClean()

    def save(self) -> Saved:
        """Write the plan to its file. Raises as `save_as`."""
        assert self._path is not None, "the first save is save_as"
        return self.save_as(self._path)

    def save_as(self, path: Path) -> Saved:
        """Write the plan to this file, which it belongs to from now on. Drafts are not written and stay unsaved.

        Raises PlanFileChanged if its own file has another version than this document knows, PlanFileError if it cannot
        be written; the file is as before then. Another program's version that is replaced stays as a numbered backup.
        """
        path = path.absolute()
        moved = path != self._path
        known = None if moved else self._version
        expected = None if moved else self._accepted if self._accepted is not None else known
        saved = save_plan(self._plan, path, expected=expected, foreign=expected is None or expected != known)
        self._path, self._version, self._accepted = path, saved.version, None
        self._saved = self._plan
        self.undo_stack.setClean()
        self._show_modified()
        if moved:
            self.path_changed.emit()
        self.saved.emit()
        return saved

    def take_over(self, other: "PlanDocument") -> None:
        """Become what another document is, with its undo steps; for one that no view shows yet."""
        former = other.undo_stack
        steps = [cast(_SwapPlan, former.command(at)) for at in range(former.count())]
        self._path, self._version, self._accepted = other._path, other._version, other._accepted
        self._saved = other._saved
        self._hold(*(steps[0].before if steps else _State(other._plan, other._drafts)))
        for count, step in enumerate(steps, 1):
            self.undo_stack.push(_SwapPlan(self, step.before, step.after, step.text(), ""))
            if former.cleanIndex() == count:
                self.undo_stack.setClean()
        if former.cleanIndex() < 0:
            self.undo_stack.resetClean()
        self.undo_stack.setIndex(former.index())
        self._show_modified()

    def swap(self, plan: Plan, drafts: Drafts) -> None:
        """Called by the undo step only; everything else goes through `apply`."""
        differing, other_drafts = _differing(self._plan, plan), drafts != self._drafts
        self._hold(plan, drafts)
        if differing:
            self.changed.emit(differing)
        if other_drafts:
            self.drafts_changed.emit()
        self._show_modified()

    def _replace(self, plan: Plan, path: Path | None, version: str | None, drafts: Drafts = NO_DRAFTS) -> None:
        self._hold(plan, drafts)
        self._saved = plan
        self._path, self._version, self._accepted = path, version, None
        self.undo_stack.clear()
        self.undo_stack.setClean()  # an empty stack is not cleaned by clearing it
        self.replaced.emit()
        self.changed.emit(_FIELDS)
        self.drafts_changed.emit()
        self.path_changed.emit()
        self._show_modified()

    def _show_modified(self) -> None:
        if self.modified != self._was_modified:
            self._was_modified = self.modified
            self.modified_changed.emit(self.modified)

    def _hold(self, plan: Plan, drafts: Drafts) -> None:
        if plan is not self._plan:
            self.check.begin(plan)
        self._plan, self._drafts = plan, drafts
        self.check.keep_typed(problems_of(drafts, plan))


class _SwapPlan(QUndoCommand):
    """The only kind of undo step: one frozen plan replaces another, each with its drafts."""

    def __init__(self, document: PlanDocument, before: _State, after: _State, text: str, merge: str) -> None:
        super().__init__(text)
        self._document, self.before, self.after, self._merge = document, before, after, merge

    def id(self) -> int:
        return 1 if self._merge else -1

    def mergeWith(self, other: QUndoCommand) -> bool:
        newer = cast(_SwapPlan, other)
        if newer._merge != self._merge:
            return False
        self.after = newer.after
        self.setText(newer.text())
        self.setObsolete(not _is_other(self.before, self.after))
        return True

    def redo(self) -> None:
        self._document.swap(*self.after)

    def undo(self) -> None:
        self._document.swap(*self.before)


def _is_other(before: _State, after: _State) -> bool:
    return before.drafts != after.drafts or bool(_differing(before.plan, after.plan))


def _differing(old: Plan, new: Plan) -> frozenset[str]:
    """Names of the fields that differ, whether in value or in being set at all (the file shows that)."""
    return frozenset(name for name in Plan.model_fields if _differs(old, new, name))


def _differs(old: Plan, new: Plan, name: str) -> bool:
    if (name in old.model_fields_set) != (name in new.model_fields_set):
        return True
    before, after = getattr(old, name), getattr(new, name)
    return before is not after and before != after
