"""Copies of unsaved plans that a crash has left behind, on this machine or on another one with the same home."""

import contextlib
import json
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QSysInfo

from planner.disk.temporary import remove_leftovers
from planner.errors import PlannerError
from planner.plan.files.io import load_plan, plan_from_text, plan_to_text
from planner.plan.model.plan import Plan
from ui.document.drafts import Drafts, TypedText, is_gone, value_or_gone
from ui.document.recovery import SUFFIX, lock_of

_QUIET_S = 300.0
"""Every running program touches its lock several times in this time."""


@dataclass(frozen=True)
class LostPlan:
    """A copy that a crash has left behind."""

    file: Path
    plan: Plan
    path: Path | None
    """The file the plan belongs to; None if it was never saved."""
    saved: float
    """When the copy was written, seconds since 1970."""
    version: str | None = None
    """The version of its file on which the plan is based; None if it is not known."""
    host: str = ""
    """The name of the machine where it was written; empty if it is this one."""
    drafts: Drafts = field(default_factory=dict)
    """Texts that were no values of their fields."""
    may_be_open: bool = False
    """Whether the program may still run there; its copy is never removed then."""

    def forget(self) -> None:
        """Remove the copy for good."""
        if not self.may_be_open:
            for file in (self.file, Path(lock_of(self.file).fileName())):
                with contextlib.suppress(OSError):
                    file.unlink(missing_ok=True)


def lost_plans(folder: Path) -> list[LostPlan]:
    """Copies whose process is gone and whose plan differs from the file it belongs to, the newest first.

    Of a process on another machine only the name is known: its copy is listed too. Copies that hold nothing new are
    removed; what cannot be read is left alone.
    """
    _clean(folder)
    found = [lost for file in sorted(folder.glob(f"*{SUFFIX}")) if (lost := _lost(file)) is not None]
    return sorted(found, key=lambda lost: lost.saved, reverse=True)


def _lost(file: Path) -> LostPlan | None:
    lock = lock_of(file)
    if lock.tryLock(0):
        lock.unlock()
        may_be_open = False
    else:
        _process, host, _program = lock.getLockInfo()
        if host in ("", QSysInfo.machineHostName()):
            return None  # its process still runs
        may_be_open = _age_s(Path(lock.fileName())) < _QUIET_S
    lost = _read(file, may_be_open)
    if lost is not None and _is_saved(lost):
        lost.forget()
        return None
    return lost


def _clean(folder: Path) -> None:
    """What processes have left that were killed while they wrote their copy."""
    remove_leftovers(folder, time.time())
    for file in folder.glob(f"*{SUFFIX}.lock"):
        if not file.with_suffix("").exists():
            lock = lock_of(file.with_suffix(""))
            if lock.tryLock(0):
                lock.unlock()


def _age_s(file: Path) -> float:
    try:
        return time.time() - file.stat().st_mtime
    except OSError:
        return 0.0


def _read(file: Path, may_be_open: bool) -> LostPlan | None:
    try:
        note = json.loads(file.read_text(encoding="utf-8"))
        plan = plan_from_text(note["plan"], str(file))
        path = Path(note["path"]) if note["path"] else None
        version, host = note.get("version"), str(note.get("host") or "")
        host = "" if host == QSysInfo.machineHostName() else host
        drafts = _drafts(plan, note.get("typed", ()))
        return LostPlan(file, plan, path, float(note["saved"]), version, host, drafts, may_be_open)
    except (OSError, ValueError, LookupError, TypeError, AttributeError, PlannerError):
        return None


def _drafts(plan: Plan, typed: Iterable[Sequence[Any]]) -> Drafts:
    """Texts of fields that the plan has. Raises if they are not written as a copy writes them."""
    found = {tuple(path): TypedText(text, problem, remedy, None) for path, text, problem, remedy in typed}
    bases = {path: value_or_gone(plan, path) for path in found}
    return {path: replace(draft, base=bases[path]) for path, draft in found.items() if not is_gone(bases[path])}


def _is_saved(lost: LostPlan) -> bool:
    if lost.drafts:
        return False
    if lost.path is None:
        return lost.plan == Plan()
    try:
        return plan_to_text(load_plan(lost.path)) == plan_to_text(lost.plan)
    except PlannerError:
        return False
