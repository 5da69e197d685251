"""Where the results of the open plan are kept: beside its file, or in a folder of this session until it has one."""

import tempfile
from contextlib import suppress
from pathlib import Path

from planner import __version__
from planner.errors import ResultFileError
from planner.experiments.results.results_file import ENDING, ResultsFile, results_path


class ResultsPlace:
    """The path of the results file. The folder of the session goes with this object's `end`."""

    def __init__(self) -> None:
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._plan_path: Path | None = None
        self._number = 0

    @property
    def path(self) -> Path:
        """Where results are read and written."""
        if self._plan_path is not None:
            return results_path(self._plan_path)
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="headroom-", ignore_cleanup_errors=True)
        return Path(self._folder.name) / f"{self._number}{ENDING}"

    def begin(self, plan_path: Path | None) -> None:
        """Another plan is open."""
        self._plan_path = plan_path
        self._number += 1

    def move(self, plan_path: Path) -> None:
        """The open plan was saved under this name; its results go with it, and join those that are there already."""
        before, self._plan_path = self.path, plan_path
        if before == self.path or not before.exists():
            return
        with suppress(ResultFileError):  # they can be made again
            results = ResultsFile(self.path, __version__)
            try:
                results.take_over(before)
            finally:
                results.close()

    def end(self) -> None:
        """Remove the folder of the session."""
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None
