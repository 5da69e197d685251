"""New, open, save and what goes with them: recent files, questions, messages about files."""

from pathlib import Path

from PySide6.QtCore import QObject

from planner.errors import PlannerError, PlanProblems
from planner.plan.files.io import load_plan
from planner.plan.model.plan import Plan
from ui.document.plan_document import PlanDocument
from ui.document.questions import SUFFIX, Answer, Questions
from ui.process.settings import WindowSettings
from ui.widgets.message_bar import MessageBar, MessageKind

_FILE_MESSAGE = "file"
_SHOWN_PROBLEMS = 3


class PlanFiles(QObject):
    """Carries out the File menu. Errors in opening or saving a file are shown in the window."""

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

    @property
    def shown_name(self) -> str:
        """The file's name, or the plan's as long as it has no file."""
        path = self._document.path
        return path.name if path is not None else self._document.plan.name or self.tr("Untitled plan")

    def new(self) -> bool:
        """Start an empty plan; False if the user cancels."""
        if not self.may_leave():
            return False
        self._messages.withdraw(_FILE_MESSAGE)
        self._document.new()
        return True

    def open_sample(self, path: Path) -> bool:
        """Begin with a copy of a sample plan, so that saving does not write into the program's own files."""
        plan = self._read(path)
        if plan is None or not self.may_leave():
            return False
        self._messages.withdraw(_FILE_MESSAGE)
        self._document.new(plan)
        return True

    def open_chosen(self) -> bool:
        """Open a file that the user chooses."""
        path = self._questions.file_to_open(self._folder())
        return path is not None and self.open(path)

    def open(self, path: Path) -> bool:
        """Open this file; False (and a message) if it cannot be opened or the user cancels."""
        plan = self._read(path)
        if plan is None or not self.may_leave():  # an invalid file is reported before any question
            return False
        self._show(plan, path)
        return True

    def reload(self) -> bool:
        """Show what is in the file now; unsaved changes go."""
        path = self._document.path
        plan = self._read(path) if path is not None else None
        if plan is None or path is None:
            return False
        self._show(plan, path)
        return True

    def save(self) -> bool:
        """Save to the plan's file, choosing one the first time; whether it was saved."""
        path = self._document.path
        return self.save_as() if path is None else self._write(path)

    def save_as(self) -> bool:
        """Save to a file that the user chooses; whether it was saved."""
        path = self._document.path or self._folder() / f"{_file_name(self._document.plan.name)}{SUFFIX}"
        chosen = self._questions.file_to_save(path)
        return chosen is not None and self._write(chosen)

    def may_leave(self) -> bool:
        """Whether the plan may be closed: it is saved, or the user discards the changes."""
        if not self._document.modified:
            return True
        match self._questions.unsaved_changes(self.shown_name):
            case Answer.SAVE:
                return self.save()
            case Answer.DISCARD:
                return True
            case Answer.CANCEL:
                return False

    def _read(self, path: Path) -> Plan | None:
        try:
            return load_plan(path)
        except PlannerError as error:
            if not path.exists():
                self._settings.drop_recent(path)
            self._show_error(self.tr("“{name}” was not opened.").format(name=path.name), error)
            return None

    def _show(self, plan: Plan, path: Path) -> None:
        self._messages.withdraw(_FILE_MESSAGE)
        self._document.show_file(plan, path)
        self._remember(self._document.path)

    def _write(self, path: Path) -> bool:
        try:
            self._document.save_as(path)
        except PlannerError as error:
            self._show_error(self.tr("“{name}” was not saved.").format(name=path.name), error)
            return False
        self._messages.withdraw(_FILE_MESSAGE)
        self._remember(self._document.path)
        return True

    def _remember(self, path: Path | None) -> None:
        if path is not None:
            self._settings.add_recent(path)
            self._settings.keep_folder("plans", path.parent)

    def _folder(self) -> Path:
        path = self._document.path
        return path.parent if path is not None else self._settings.folder("plans")

    def _show_error(self, text: str, error: PlannerError) -> None:
        problems = error.problems if isinstance(error, PlanProblems) else (error,)
        lines = [str(problem) for problem in problems[:_SHOWN_PROBLEMS]]
        if len(problems) > _SHOWN_PROBLEMS:
            lines.append(self.tr("and {count} more").format(count=len(problems) - _SHOWN_PROBLEMS))
        self._messages.show_message(MessageKind.ERROR, text, "\n".join(lines), key=_FILE_MESSAGE)


def _file_name(title: str) -> str:
    """A plan's title as a file name that every system takes."""
    kept = "".join(letter if letter.isalnum() or letter in "-_" else "-" for letter in title.strip().lower())
    return "-".join(part for part in kept.split("-") if part)[:60] or "plan"
