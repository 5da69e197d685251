"""The files of kept runs: `KEY.json` says what came out, `KEY.headroom` is the plan."""

import contextlib
from pathlib import Path

from planner.disk.atomic import replace_file
from planner.plan.files.io import load_plan, plan_to_text
from planner.plan.model.plan import Plan
from ui.process.folders import make_private
from ui.process.log import LOG
from ui.runs.history.kept_run import KeptRun, from_text, to_text

MOST_KEPT = 200
"""Beyond that the oldest without a note go."""


class RunFolder:
    """One folder. Methods raise OSError; they use no Qt."""

    def __init__(self, path: Path, *, is_private: bool = False) -> None:
        self.path, self._is_private = path, is_private

    def write(self, run: KeptRun, plan: Plan) -> None:
        """Keep a run; the plan first, so that a run that is listed has one."""
        self._make()
        replace_file(self._plan_file(run.key), plan_to_text(plan).encode())
        self.write_record(run)

    def write_record(self, run: KeptRun) -> None:
        """Keep what changed about a run."""
        self._make()
        replace_file(self._record_file(run.key), to_text(run).encode())

    def runs(self) -> list[KeptRun]:
        """The newest first; files that are no kept runs are left out."""
        found = []
        for file in sorted(self.path.glob("*.json"), reverse=True) if self.path.is_dir() else ():
            try:
                run = from_text(file.read_text(encoding="utf-8"))
            except FileNotFoundError:
                continue  # another window has just forgotten it
            except (OSError, ValueError) as error:
                LOG.warning("%s is left out: %s", file, error)
                continue
            if run.key == file.stem and self._plan_file(run.key).exists():
                found.append(run)
        return found

    def plan(self, key: str) -> Plan:
        """The plan of a run. Raises PlanFileError."""
        return load_plan(self._plan_file(key))

    def delete(self, key: str) -> None:
        """Forget a run."""
        for file in (self._record_file(key), self._plan_file(key)):
            with contextlib.suppress(FileNotFoundError):
                file.unlink()

    def tidy(self) -> None:
        """Forget the oldest runs without a note beyond the number that is kept."""
        for run in [one for one in self.runs()[MOST_KEPT:] if not one.note]:
            self.delete(run.key)

    def _make(self) -> None:
        if self._is_private:
            make_private(self.path)
        else:
            self.path.mkdir(exist_ok=True)

    def _record_file(self, key: str) -> Path:
        return self.path / f"{key}.json"

    def _plan_file(self, key: str) -> Path:
        return self.path / f"{key}.headroom"


def beside(plan_file: Path) -> RunFolder:
    """The folder of runs that belong to a plan file and go where it goes."""
    return RunFolder(plan_file.with_name(f"{plan_file.stem}.runs"))
