"""Import and export of manifests in the window: reading, reviewing, taking over, writing; and what to say of it."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QWidget

from planner.errors import ImportProblems, PlannerError, ResultFileError
from planner.plan.edits.differences import differences
from planner.plan.files.places import Path as PlanPath
from planner.plan.model.plan import Plan
from ui.document.plan_document import PlanDocument
from ui.process.latest_work import LatestWork
from ui.theme.theme import ThemeSource
from ui.transfer.import_review import ImportChoice, ImportReview, ImportTarget, rows_of
from ui.transfer.manifest_reading import ManifestReading, is_manifest_text, with_paste
from ui.transfer.merging import merged
from ui.widgets.message_bar import MessageBar, MessageKind
from ui.wording.numbers import counted

if TYPE_CHECKING:
    from planner.api import Imported, Losses

    _Written = tuple[list[Path], Losses] | ResultFileError

_MESSAGE = "manifests"
_SHOWN = 4


class ManifestMessages(QObject):
    """Everything between manifests and the plan. What an import changes is one step that can be undone."""

    taken = Signal(tuple)
    """An import became part of the plan: the path of the first row that it has brought or changed."""

    def __init__(
        self,
        document: PlanDocument,
        messages: MessageBar,
        theme: ThemeSource,
        begin_plan: Callable[[], bool],
        window: QWidget,
    ) -> None:
        """`begin_plan` opens an empty plan and says whether the user agreed."""
        super().__init__(window)
        self._document, self.messages, self._theme = document, messages, theme
        self._begin_plan, self.window = begin_plan, window
        self.imported: Plan | None = None
        """The plan as it was after the last import: what is in place in the cluster."""
        self.has_plan = False
        """Whether a plan is open, so that an import can be added to it."""
        self._offer = ""
        """What is said while Undo takes an import back."""
        document.replaced.connect(self._forget_imported)
        document.undo_stack.indexChanged.connect(self._end_offer)
        document.changed.connect(self._follow_plan)
        self.review: ImportReview | None = None
        self.reading, self._writing = ManifestReading(self), LatestWork("export", self)
        self.reading.begun.connect(self._show_begun)
        self.reading.done.connect(self.show_review)
        self.reading.failed.connect(self.show_failure)

    def _forget_imported(self) -> None:
        self.imported = None

    # -- import -----------------------------------------------------------------------------------

    def read(self, paths: Sequence[Path]) -> None:
        """Import files and folders."""
        if paths:
            self.reading.read_paths(paths)

    def read_clipboard(self) -> None:
        """Import what was copied elsewhere."""
        self.read_text(QGuiApplication.clipboard().text())

    def read_text(self, text: str) -> None:
        """Import a text; one that contains no manifest is refused."""
        if is_manifest_text(text):
            self.reading.read_text(text)
            return
        problem = self.tr("The clipboard does not contain manifests.")
        remedy = self.tr("Copy YAML or JSON with apiVersion and kind, for example of kubectl get deployments -o yaml.")
        self.messages.show_message(MessageKind.ERROR, problem, remedy, key=_MESSAGE)

    def _show_begun(self, what: str) -> None:
        text = self.tr("Reading {what}…").format(what=what)
        self.messages.show_message(MessageKind.INFO, text, actions=[(self.tr("Cancel"), self._cancel)], key=_MESSAGE)

    def _cancel(self) -> None:
        self.reading.cancel()
        self.messages.withdraw(_MESSAGE)

    def show_progress(self, what: str, share: float, cancel: Callable[[], object]) -> None:
        """Say what is being read from elsewhere, and how far it is."""
        text = self.tr("{what}… {percent} %").format(what=what, percent=int(100 * share))
        known = next((one for one in self.messages.messages if one.key == _MESSAGE), None)
        if known is None or known.text != text:
            self.messages.show_message(MessageKind.INFO, text, actions=[(self.tr("Cancel"), cancel)], key=_MESSAGE)

    def end_progress(self) -> None:
        """Nothing is being read any more."""
        self.messages.withdraw(_MESSAGE)

    def show_review(self, imported: "Imported") -> None:
        """Show what was read, before it becomes part of the plan."""
        self.messages.withdraw(_MESSAGE)
        if self.review is not None:
            self.review.close()  # what is imported last counts
        self.review = ImportReview(imported, self._current(), self._theme, self.window)
        self.review.chosen.connect(self._take)
        self.review.finished.connect(lambda _code, closed=self.review: self._forget_review(closed))
        self.review.show()

    def show_state(self, has_plan: bool) -> None:
        """Whether a plan is open."""
        if has_plan is not self.has_plan:
            self.has_plan = has_plan
            self._follow_plan()

    def _current(self) -> Plan | None:
        """The open plan, where it has anything that an import can meet."""
        return self._document.plan if self.has_plan and rows_of(self._document.plan) else None

    def _follow_plan(self) -> None:
        """The plan was edited, or another opened, while the import waits for a decision."""
        if self.review is not None:
            self.review.show_current(self._current())

    def _forget_review(self, closed: ImportReview) -> None:
        if self.review is closed:
            self.review = None

    def _take(self, choice: ImportChoice) -> None:
        place: PlanPath = ()
        if choice.place is ImportTarget.MERGE:
            before = self._document.plan
            plan = merged(self._document.plan, choice.plan).plan
            self._document.apply(plan, self.tr("Import into the plan"))
            place = next((one.path[:2] for one in differences(before, plan)), ())
        else:
            is_of_a_file = self._document.path is not None  # which saving the import would overwrite
            if (is_of_a_file or not self.has_plan) and not self._begin_plan():
                return
            self._document.apply(choice.plan, self.tr("Import"))
        self.imported = self._document.plan
        self.taken.emit(place)
        text = self.tr("The import is part of the plan. Undo takes it back.")
        undo = (self.tr("Undo"), self._document.undo_stack.undo)
        self.messages.show_message(MessageKind.GOOD, text, actions=[undo], key=_MESSAGE, brief=True)
        self._offer = text

    def _end_offer(self) -> None:
        """Undo would take something else back now."""
        if self._offer and any(one.text == self._offer for one in self.messages.messages):
            self.messages.withdraw(_MESSAGE)
        self._offer = ""

    def show_failure(self, error: PlannerError) -> None:
        """Say why nothing was imported."""
        problems = error.problems if isinstance(error, ImportProblems) else (error,)
        lines = [with_paste(str(problem)) for problem in problems[:_SHOWN]]
        if len(problems) > _SHOWN:
            lines.append(self.tr("and {count} more").format(count=len(problems) - _SHOWN))
        text = self.tr("Nothing was imported.")
        self.messages.show_message(MessageKind.ERROR, text, "\n".join(lines), key=_MESSAGE)

    # -- export -----------------------------------------------------------------------------------

    def write(self, folder: Path) -> None:
        """Write the plan as manifests into a folder."""
        self._writing.start(partial(_write, self._document.plan, folder), partial(self._show_written, folder))

    def _show_written(self, folder: Path, written: "_Written") -> None:
        if isinstance(written, ResultFileError):
            text = self.tr("The manifests were not written.")
            self.messages.show_message(MessageKind.ERROR, text, str(written), key=_MESSAGE)
            return
        files, losses = written
        amount = counted(len(files), self.tr("1 file"), self.tr("{count} files"))
        text = self.tr("Manifests were written to {folder} ({files}).").format(folder=folder, files=amount)
        lines = [*map(str, losses), *losses.remarks]
        remedy = "\n".join(lines[:_SHOWN])
        if len(lines) > _SHOWN:
            remedy += "\n" + self.tr("and {count} more").format(count=len(lines) - _SHOWN)
        show = partial(QDesktopServices.openUrl, QUrl.fromLocalFile(str(folder)))
        actions = [(self.tr("Open folder"), show)]
        if lines:
            text += " " + self.tr("Manifests cannot express:")
        self.messages.show_message(MessageKind.GOOD, text, remedy, actions, key=_MESSAGE)


def _write(plan: Plan, folder: Path) -> "_Written":
    """Called in a thread: uses no Qt."""
    from planner.kube.exporter import export_plan  # late: it knows every kind of manifest

    try:
        return export_plan(plan, folder)
    except ResultFileError as error:
        return error
