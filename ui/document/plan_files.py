"""New, open, save and what goes with them: recent files, questions, messages about files."""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import islice
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from planner.disk.version import ABSENT
from planner.errors import PlanFileChanged, PlannerError, PlanProblem, PlanProblems
from planner.plan.files.io import load_version, save_aside
from planner.plan.model.plan import Plan
from ui.document.drafts import problems_of
from ui.document.plan_document import PlanDocument
from ui.document.questions import SUFFIX, Answer, Conflict, Questions
from ui.process.latest_work import LatestWork
from ui.process.settings import WindowSettings
from ui.widgets.message_bar import Action, MessageBar, MessageKind
from ui.wording.names import file_name, short_name

_FILE_MESSAGE, _READING_MESSAGE, _NOT_OPENED_MESSAGE = "file", "reading", "not opened"
_SHOWN_PROBLEMS = 3
_LARGE_BYTES = 1 << 16
"""A smaller file is read in less than a tenth of a second."""
_Read = tuple[Plan, str]
"""A plan and the version of its file."""


class PlanFiles(QObject):
    """Carries out the File menu. Errors in opening or saving a file are shown in the window.

    A large file is read in a thread; until it can be shown, a message says so, and the window stays as it is.
    """

    opened = Signal()
    """The user opened a plan, which is shown now."""
    in_words: Callable[[PlanProblem], str] = staticmethod(str)
    """A problem as the screen names the fields of the plan; the window says how."""

    def __init__(
        self,
        document: PlanDocument,
        settings: WindowSettings,
        questions: Questions,
        messages: MessageBar,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._document, self._settings = document, settings
        self._questions, self._messages = questions, messages
        self._reading = LatestWork("read", self)
        self._being_read: Path | None = None
        document.replaced.connect(self.stop_reading)
        document.saved.connect(self._on_saved)
        for went_on in (document.changed, document.replaced, document.saved):
            went_on.connect(lambda: messages.withdraw(_NOT_OPENED_MESSAGE))

    @property
    def shown_name(self) -> str:
        """The file's name, or the plan's as long as it has no file."""
        path = self._document.path
        return short_name(path.name if path is not None else self._document.plan.name) or self.tr("Untitled plan")

    def new(self) -> bool:
        """Start an empty plan; False if the user cancels."""
        if not self.may_leave():
            return False
        self._messages.withdraw(_FILE_MESSAGE)
        self._document.new()
        self.opened.emit()
        return True

    def open_sample(self, path: Path) -> bool:
        """Begin with a copy of a sample plan, so that saving does not write into the program's own files."""
        return self._read(path, self._show_sample)

    def _show_sample(self, read: _Read) -> bool:
        return self.begin_with(read[0])

    def begin_with(self, plan: Plan) -> bool:
        """A plan of its own with this content; False if the user cancels."""
        if not self.may_leave():
            return False
        self._messages.withdraw(_FILE_MESSAGE)
        self._document.new(plan)
        self.opened.emit()
        return True

    def open_chosen(self) -> bool:
        """Open a file that the user chooses."""
        path = self._questions.file_to_open(self._folder())
        return path is not None and self.open(path)

    def open(self, path: Path) -> bool:
        """Open this file. False (and a message) if it cannot be opened, the user cancels, or it is still being read."""
        return self._read(path, partial(self._show_opened, path))

    def _show_opened(self, path: Path, read: _Read) -> bool:
        if not self.may_leave():  # an invalid file is reported before any question
            return False
        self._show(*read, path)
        self.opened.emit()
        return True

    def reload(self, otherwise: Callable[[], object] = lambda: None) -> None:
        """Show what is in the file now; unsaved changes are kept beside it. `otherwise`: the file cannot be read."""
        path = self._document.path
        if path is not None:
            self._read(path, partial(self._show_again, path, otherwise), otherwise)

    def _show_again(self, path: Path, otherwise: Callable[[], object], read: _Read) -> bool:
        kept = None
        if self._document.modified:
            try:
                kept = save_aside(self._document.plan, path)
            except PlannerError as error:
                again = partial(self.reload, otherwise)
                text = self.tr("“{name}” was not reloaded.").format(name=path.name)
                self._show_error(text, error, [(self.tr("Reload"), again)])
                return False
        self._show(*read, path)
        if kept is not None:
            self._show_kept(self.tr("Your version of “{name}” is kept as “{kept}”."), path, kept)
        return True

    def save(self) -> bool:
        """Save to the plan's file, choosing one the first time; whether it was saved."""
        path = self._document.path
        return self.save_as() if path is None else self._write(path)

    def save_as(self) -> bool:
        """Save to a file that the user chooses; whether it was saved."""
        return self._save_as(self._document.path or self._folder() / f"{file_name(self._document.plan.name)}{SUFFIX}")

    def may_leave(self) -> bool:
        """Whether the plan may be closed: it is saved, or the user discards the changes."""
        if not self._document.modified:
            return True
        match self._questions.unsaved_changes(self.shown_name):
            case Answer.SAVE:
                return self.save() and not self._document.drafts  # what could not be saved is not lost unseen
            case Answer.DISCARD:
                return True
            case Answer.CANCEL:
                return False

    def stop_reading(self) -> None:
        """Whatever is being read is no longer wanted."""
        self._reading.forget()
        self._being_read = None
        self._messages.withdraw(_READING_MESSAGE)

    def _read(self, path: Path, then: Callable[[_Read], bool], otherwise: Callable[[], object] = lambda: None) -> bool:
        """Read a file, in a thread if it is large. What `then` returns; False if that is called later or never."""
        self.stop_reading()
        if not _is_large(path):
            return self._take(path, then, otherwise, _read(path))
        self._being_read = path
        text = self.tr("“{name}” is being read…").format(name=path.name)
        cancel = (self.tr("Cancel"), self.stop_reading)
        self._messages.show_message(MessageKind.INFO, text, actions=[cancel], key=_READING_MESSAGE)
        self._reading.start(partial(_read, path), partial(self._take, path, then, otherwise))
        return False

    def _take(
        self, path: Path, then: Callable[[_Read], bool], otherwise: Callable[[], object], read: _Read | PlannerError
    ) -> bool:
        self.stop_reading()
        self._messages.withdraw(_NOT_OPENED_MESSAGE)
        if not isinstance(read, PlannerError):
            return then(read)
        if not path.exists():
            self._settings.drop_recent(path)
        self._show_error(self.tr("“{name}” was not opened.").format(name=path.name), read, key=_NOT_OPENED_MESSAGE)
        otherwise()
        return False

    def _on_saved(self) -> None:
        if self._being_read == self._document.path:
            self.stop_reading()  # the file holds something else now

    def _show(self, plan: Plan, version: str, path: Path) -> None:
        self._messages.withdraw(_FILE_MESSAGE)
        self._document.show_file(plan, version, path)
        self._remember(self._document.path)

    def _save_as(self, suggestion: Path) -> bool:
        chosen = self._questions.file_to_save(suggestion)
        return chosen is not None and self._write(chosen)

    def _write(self, path: Path) -> bool:
        try:
            saved = self._document.save_as(path)
        except PlanFileChanged as changed:
            return self._settle(path, changed.found)
        except PlannerError as error:
            text = self.tr("“{name}” was not saved.").format(name=path.name)
            self._show_error(text, error, [(self.tr("Save as…"), self.save_as)])
            return False
        self._messages.withdraw(_FILE_MESSAGE)
        self._remember(self._document.path)
        if saved.backup is not None and saved.backup.name != f"{path.resolve().name}~":
            self._show_kept(self.tr("What “{name}” held before is kept as “{kept}”."), path, saved.backup)
        if self._document.drafts:
            self._show_left_out(path)
        return True

    def _show_left_out(self, path: Path) -> None:
        """Say that some fields were saved with the value before what was typed."""
        drafts, plan = self._document.drafts, self._document.plan
        text = self.tr("“{name}” was saved without what is no valid value; these fields keep the value they had.")
        shown = islice(problems_of(drafts, plan), _SHOWN_PROBLEMS)
        lines = [self.in_words(problem) for problem in shown]
        if len(drafts) > len(lines):
            lines.append(self.tr("and {count} more").format(count=len(drafts) - len(lines)))
        text = text.format(name=path.name)
        self._messages.show_message(MessageKind.WARNING, text, "\n".join(lines), key=_FILE_MESSAGE)

    def _settle(self, path: Path, found: str) -> bool:
        """Another program has changed or removed the file; whether the plan was saved after all."""
        ask = self._questions.gone_from_disk if found == ABSENT else self._questions.changed_on_disk
        match ask(path.name):
            case Conflict.COPY:
                return self._save_as(_free_name(path))
            case Conflict.OVERWRITE:
                self._document.accept_on_disk(found)
                return self._write(path)
            case Conflict.RELOAD:
                self.reload()
                return False
            case Conflict.CANCEL:
                return False

    def _show_kept(self, text: str, path: Path, kept: Path) -> None:
        text = text.format(name=path.name, kept=kept.name)
        self._messages.show_message(MessageKind.INFO, text, key=_FILE_MESSAGE)

    def _remember(self, path: Path | None) -> None:
        if path is not None:
            self._settings.add_recent(path)
            self._settings.keep_folder("plans", path.parent)

    def _folder(self) -> Path:
        path = self._document.path
        return path.parent if path is not None else self._settings.folder("plans")

    def _show_error(
        self, text: str, error: PlannerError, actions: Sequence[Action] = (), key: str = _FILE_MESSAGE
    ) -> None:
        problems = error.problems if isinstance(error, PlanProblems) else (error,)
        lines = [str(problem) for problem in problems[:_SHOWN_PROBLEMS]]
        more = len(problems) - len(lines) + (error.more if isinstance(error, PlanProblems) else 0)
        if more:
            lines.append(self.tr("and {count} more").format(count=more))
        self._messages.show_message(MessageKind.ERROR, text, "\n".join(lines), actions, key=key)


def _is_large(path: Path) -> bool:
    try:
        return path.stat().st_size > _LARGE_BYTES
    except (OSError, ValueError):
        return False  # reading it says what is wrong


def _read(path: Path) -> _Read | PlannerError:
    """Also called in a thread: uses no Qt."""
    try:
        return load_version(path)
    except PlannerError as error:
        return error


def _free_name(path: Path) -> Path:
    """A name beside a file that nothing has yet."""
    number = 2
    while (free := path.with_name(f"{path.stem}-{number}{path.suffix}")).exists():
        number += 1
    return free
