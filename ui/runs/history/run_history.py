"""Keeps every finished run, in the user's folder or beside the plan."""

from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QDateTime, QObject, Signal

from planner.plan.model.plan import Plan
from ui.process.latest_work import LatestWork
from ui.process.log import LOG
from ui.runs.history.kept_run import KeptRun, kept
from ui.runs.history.run_folder import RunFolder, beside
from ui.runs.run_data import RunData
from ui.runs.session import RunSession


class RunHistory(QObject):
    """The runs of both folders, the newest first. Writing happens beside the window."""

    changed = Signal()
    failed = Signal(str)
    """Why something could not be kept."""

    def __init__(self, session: RunSession, folder: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session, self._own = session, RunFolder(folder, is_private=True)
        self._plan_file: Path | None = None
        self._followed: set[int] = set()
        self._count = 0
        self._writing = LatestWork("history", self)
        self.live: dict[str, RunData] = {}
        """Runs of this session, by their keys."""
        session.runs_changed.connect(self._follow)

    def show_file(self, plan_file: Path | None) -> None:
        """The file of the open plan, beside which runs may be kept."""
        self._plan_file = plan_file
        self.changed.emit()

    @property
    def can_keep_beside(self) -> bool:
        """Whether the open plan has a file."""
        return self._plan_file is not None

    def runs(self) -> list[KeptRun]:
        """All that are kept."""
        found = {run.key: run for folder in self._folders() for run in folder.runs()}
        return sorted(found.values(), key=lambda run: run.key, reverse=True)

    def is_beside(self, key: str) -> bool:
        """Whether a run is kept beside the open plan."""
        return self._plan_file is not None and key in {run.key for run in beside(self._plan_file).runs()}

    def plan(self, key: str) -> Plan:
        """The plan of a run. Raises PlanFileError."""
        return self._folder_of(key).plan(key)

    def note(self, run: KeptRun, text: str) -> None:
        """Write down what the user says about a run."""
        self._do(partial(self._folder_of(run.key).write_record, replace(run, note=text)))

    def delete(self, key: str) -> None:
        """Forget a run."""
        for folder in self._folders():
            self._do(partial(folder.delete, key))

    def keep_beside(self, run: KeptRun) -> None:
        """Move a run to the open plan's own folder."""
        if self._plan_file is not None and not self.is_beside(run.key):
            self._do(partial(_move, run, self._own, beside(self._plan_file)))

    def _folders(self) -> list[RunFolder]:
        return [self._own, *([beside(self._plan_file)] if self._plan_file is not None else [])]

    def _folder_of(self, key: str) -> RunFolder:
        return beside(self._plan_file) if self._plan_file is not None and self.is_beside(key) else self._own

    def _do(self, work: partial[None]) -> None:
        try:
            work()
        except OSError as error:
            self.failed.emit(str(error))
        self.changed.emit()

    def repeats(self, key: str, run: RunData) -> None:
        """A run of this session simulates a kept one again: it is that one, and not kept twice."""
        self.live[key] = run

    # -- runs of this session -----------------------------------------------------------------------

    def _follow(self) -> None:
        for run in self._session.runs:
            if run.number not in self._followed:
                self._followed.add(run.number)
                run.state_changed.connect(partial(self._keep_if_done, run))
        self.live = {key: run for key, run in self.live.items() if run in self._session.runs}

    def _keep_if_done(self, run: RunData) -> None:
        if run.result is None or run.state.is_live or run in self.live.values():
            return
        self._count += 1
        now = QDateTime.currentDateTime()
        key = f"{now.toString('yyyyMMdd-HHmmss-zzz')}-{self._count}"
        one = kept(run, key, now.toString("yyyy-MM-dd HH:mm"), str(self._plan_file or ""))
        self.live[key] = run
        self._writing.start(partial(_write, self._own, one, run.plan), self._on_written)

    def _on_written(self, problem: str) -> None:
        if problem:
            LOG.warning("a run was not kept: %s", problem)
        self.changed.emit()


def _write(folder: RunFolder, run: KeptRun, plan: Plan) -> str:
    """Called in a thread: uses no Qt. What went wrong, or nothing."""
    try:
        folder.write(run, plan)
        folder.tidy()
    except OSError as error:
        return str(error)
    return ""


def _move(run: KeptRun, source: RunFolder, target: RunFolder) -> None:
    target.write(run, source.plan(run.key))
    source.delete(run.key)
