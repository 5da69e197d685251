"""A copy of the unsaved plan in the user's data folder.

Each process has its own copy with a lock beside it; a lock that is no longer held marks a crash (`lost_plans`). Only
the user may read the copies.
"""

import contextlib
import json
import os
import tempfile
import time
import uuid
from functools import partial
from pathlib import Path

from PySide6.QtCore import QLockFile, QObject, QSysInfo, QTimer, Signal

from planner.disk.atomic import replace_file
from planner.disk.cures import reason_of
from planner.plan.files.io import plan_to_text
from planner.plan.model.plan import Plan
from ui.document.drafts import Drafts
from ui.document.plan_check import is_large
from ui.document.plan_document import PlanDocument
from ui.process.folders import make_private
from ui.process.latest_work import LatestWork

AUTOSAVE_MS = 30_000
SUFFIX = ".recovery"


class RecoveryCopy(QObject):
    """Keeps the copy: every 30 s while the document is modified; gone once it is saved or left on purpose.

    The text of a large plan is made in a thread.
    """

    failed = Signal(str)
    """The copy cannot be written any more, and why; once, until it can be again."""
    works_again = Signal()
    """It can be, or is not needed."""

    def __init__(self, document: PlanDocument, folder: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document, self._folder = document, folder
        self._file = folder / f"{os.getpid()}-{uuid.uuid4().hex[:8]}{SUFFIX}"
        self._lock: QLockFile | None = None
        self._kept: tuple[Plan, Drafts] | None = None
        self._writing = LatestWork("autosave", self)
        self._is_failing = False
        self._timer = QTimer(self, interval=AUTOSAVE_MS)
        self._timer.timeout.connect(self._on_timer)
        self._timer.start()
        document.modified_changed.connect(self._on_modified)
        document.replaced.connect(self._on_replaced)
        document.saved.connect(self._on_saved)

    @property
    def file(self) -> Path:
        """Where the copy is, if there is one."""
        return self._file

    def write(self) -> bool:
        """Write the copy if the plan is modified and not in it yet. Whether the plan is safe; `failed` says why not."""
        if not self._is_wanted():
            return True
        self._writing.forget()
        state = (self._document.plan, self._document.drafts)
        return self._store(state, _content(state, self._about()))

    def _is_wanted(self) -> bool:
        """Whether there is something unsaved that is not in the copy."""
        kept = self._kept
        is_kept = kept is not None and self._document.plan is kept[0] and self._document.drafts is kept[1]
        return self._document.modified and not is_kept

    def _store(self, state: tuple[Plan, Drafts], content: bytes) -> bool:
        try:
            self._take_lock()
            replace_file(self._file, content, mode=0o600)
        except OSError as error:
            if not self._is_failing:
                self._is_failing = True
                self.failed.emit(reason_of(error))
            return False
        self._kept = state
        self._end_failing()
        return True

    def discard(self) -> None:
        """Remove the copy: its plan was saved or is not wanted."""
        self._kept = None
        self._writing.forget()
        self._end_failing()
        if self._lock is not None:
            with contextlib.suppress(OSError):
                self._file.unlink(missing_ok=True)
            self._lock.unlock()
            self._lock = None

    def _on_timer(self) -> None:
        if self._lock is not None:
            with contextlib.suppress(OSError):
                os.utime(self._lock.fileName())  # another machine sees by its age whether this process runs
        state = (self._document.plan, self._document.drafts)
        if not is_large(state[0]):
            self.write()
        elif self._is_wanted():  # making its text takes seconds
            self._writing.start(partial(_content, state, self._about()), partial(self._store, state))

    def _on_modified(self, modified: bool) -> None:
        if not modified:
            self.discard()

    def _on_replaced(self) -> None:
        self.discard()

    def _on_saved(self) -> None:
        """What is still unsaved is based on another version of the file now."""
        self._kept = None

    def _end_failing(self) -> None:
        if self._is_failing:
            self._is_failing = False
            self.works_again.emit()

    def _take_lock(self) -> None:
        make_private(self._folder)
        if self._lock is None:
            lock = lock_of(self._file)
            if not lock.tryLock(0):
                _try_to_write(self._folder)
                raise PermissionError(13, "Permission denied", lock.fileName())
            self._lock = lock

    def _about(self) -> dict[str, object]:
        """What is known of the plan beside its text."""
        path = self._document.path
        return {
            "pid": os.getpid(),
            "host": QSysInfo.machineHostName(),
            "path": str(path) if path is not None else None,
            "version": self._document.version,
            "saved": time.time(),
        }


def _content(state: tuple[Plan, Drafts], about: dict[str, object]) -> bytes:
    """Also called in a thread: uses no Qt."""
    plan, drafts = state
    typed = [(path, draft.text, draft.problem, draft.remedy) for path, draft in drafts.items()]
    return json.dumps({**about, "plan": plan_to_text(plan), "typed": typed}, ensure_ascii=False).encode()


def _try_to_write(folder: Path) -> None:
    """Raise why nothing can be written there: a lock does not know a full disk from one that may not be written."""
    with tempfile.TemporaryFile(dir=folder) as probe:
        probe.write(b"?" * 1024)


def lock_of(file: Path) -> QLockFile:
    """The lock beside a copy, held by the process that writes it."""
    lock = QLockFile(str(file) + ".lock")
    lock.setStaleLockTime(0)  # a long session is no crash; a process that is gone always is
    return lock
