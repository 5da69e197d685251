"""A copy of the unsaved plan in the user's data folder, and finding the copies that a crash has left.

Each process has its own copy with a lock beside it; a lock that is no longer held marks a crash.
"""

import contextlib
import json
import os
import time
import uuid
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QIODevice, QLockFile, QObject, QSaveFile, QTimer

from planner.errors import PlannerError
from planner.plan.files.io import load_plan, plan_from_text, plan_to_text
from planner.plan.model.plan import Plan
from ui.document.plan_document import PlanDocument

AUTOSAVE_MS = 30_000
_SUFFIX = ".recovery"


class RecoveryCopy(QObject):
    """Keeps the copy: every 30 s while the document is modified; gone once it is saved or left on purpose."""

    def __init__(self, document: PlanDocument, folder: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document, self._folder = document, folder
        self._file = folder / f"{os.getpid()}-{uuid.uuid4().hex[:8]}{_SUFFIX}"
        self._lock: QLockFile | None = None
        self._kept: Plan | None = None
        self._timer = QTimer(self, interval=AUTOSAVE_MS)
        self._timer.timeout.connect(self.write)
        self._timer.start()
        document.modified_changed.connect(self._on_modified)
        document.replaced.connect(self._on_replaced)

    @property
    def file(self) -> Path:
        """Where the copy is, if there is one."""
        return self._file

    def write(self) -> bool:
        """Write the copy if the plan is modified and not in it yet. Whether the plan is safe."""
        plan = self._document.plan
        if not self._document.modified or plan is self._kept:
            return True
        if not self._take_lock() or not self._write(plan):
            return False
        self._kept = plan
        return True

    def discard(self) -> None:
        """Remove the copy: its plan was saved or is not wanted."""
        self._kept = None
        if self._lock is not None:
            with contextlib.suppress(OSError):
                self._file.unlink(missing_ok=True)
            self._lock.unlock()
            self._lock = None

    def _on_modified(self, modified: bool) -> None:
        if not modified:
            self.discard()

    def _on_replaced(self) -> None:
        self.discard()

    def _take_lock(self) -> bool:
        if self._lock is None:
            with contextlib.suppress(OSError):
                self._folder.mkdir(parents=True, exist_ok=True)
            lock = _lock_of(self._file)
            if not lock.tryLock(0):
                return False
            self._lock = lock
        return True

    def _write(self, plan: Plan) -> bool:
        path = self._document.path
        note = {
            "pid": os.getpid(),
            "path": str(path) if path is not None else None,
            "saved": time.time(),
            "plan": plan_to_text(plan),
        }
        file = QSaveFile(str(self._file))
        if not file.open(QIODevice.OpenModeFlag.WriteOnly):
            return False
        file.write(json.dumps(note, ensure_ascii=False).encode())
        return file.commit()


@dataclass(frozen=True)
class LostPlan:
    """A copy that a crash has left behind."""

    file: Path
    plan: Plan
    path: Path | None
    """The file the plan belongs to; None if it was never saved."""
    saved: float
    """When the copy was written, seconds since 1970."""

    def forget(self) -> None:
        """Remove the copy for good."""
        with contextlib.suppress(OSError):
            self.file.unlink(missing_ok=True)


def lost_plans(folder: Path) -> list[LostPlan]:
    """Copies whose process is gone and whose plan differs from the file it belongs to, the newest first.

    Copies that hold nothing new are removed; what cannot be read is left alone.
    """
    found = []
    for file in sorted(folder.glob(f"*{_SUFFIX}")):
        lock = _lock_of(file)
        if not lock.tryLock(0):
            continue  # its process still runs
        try:
            lost = _read(file)
        finally:
            lock.unlock()
        if lost is None:
            continue
        if _is_saved(lost):
            lost.forget()
        else:
            found.append(lost)
    return sorted(found, key=lambda lost: lost.saved, reverse=True)


def _read(file: Path) -> LostPlan | None:
    try:
        note = json.loads(file.read_text(encoding="utf-8"))
        plan = plan_from_text(note["plan"], str(file))
        path = Path(note["path"]) if note["path"] else None
        return LostPlan(file, plan, path, float(note["saved"]))
    except (OSError, ValueError, LookupError, TypeError, PlannerError):
        return None


def _is_saved(lost: LostPlan) -> bool:
    if lost.path is None:
        return lost.plan == Plan()
    try:
        return plan_to_text(load_plan(lost.path)) == plan_to_text(lost.plan)
    except PlannerError:
        return False


def _lock_of(file: Path) -> QLockFile:
    lock = QLockFile(str(file) + ".lock")
    lock.setStaleLockTime(0)  # a long session is no crash; a process that is gone always is
    return lock
