"""The file `NAME.headroom-results` beside a plan: every run of its experiments, found again by what it depends on.

An SQLite database. Table `outcomes` has a row per run with the digest of the plan that ran, its seed, simulated time
and version of the program: when the plan changes, its runs are simply not found any more. `partings` keeps the
comparisons of the decisions of two runs. Nothing in it depends on the time of day.
"""

import json
import os
import sqlite3
import zlib
from pathlib import Path
from typing import Any

from planner.errors import ResultFileError
from planner.experiments.execution.breaks import kept_break
from planner.experiments.execution.outcome import PackedSeries, RunOutcome
from planner.language.translation import tr
from planner.record.result import Figure

ENDING = ".headroom-results"
FORMAT = 1
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_APPLICATION_ID = 0x48726573
_TABLES = """
CREATE TABLE IF NOT EXISTS outcomes (
  plan_digest TEXT NOT NULL, seed INTEGER NOT NULL, until_us INTEGER NOT NULL, version TEXT NOT NULL,
  digest TEXT NOT NULL, end_us INTEGER NOT NULL, figures TEXT NOT NULL, slo_missed TEXT NOT NULL,
  series_names TEXT NOT NULL, series_time_us TEXT NOT NULL, series BLOB NOT NULL, breaks TEXT NOT NULL,
  problem TEXT NOT NULL,
  PRIMARY KEY (plan_digest, seed, until_us, version)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS partings (
  a TEXT NOT NULL, b TEXT NOT NULL, seed INTEGER NOT NULL, until_us INTEGER NOT NULL, version TEXT NOT NULL,
  parting TEXT NOT NULL, PRIMARY KEY (a, b, seed, until_us, version)
) WITHOUT ROWID;
"""


def results_path(plan_path: str | os.PathLike[str]) -> Path:
    """Where the results of a plan file are."""
    path = Path(plan_path)
    return path.with_name(f"{path.stem if path.suffix == '.headroom' else path.name}{ENDING}")


class ResultsFile:
    """Runs that were made, by plan, seed, simulated time and version. Each is written as soon as it is there."""

    def __init__(self, path: Path | None, version: str) -> None:
        """None keeps them in memory. Raises ResultFileError for a file that is none of these or cannot be used."""
        self.path, self._version = path, version
        try:
            self._base = sqlite3.connect(":memory:" if path is None else path, timeout=30.0, check_same_thread=False)
            self._check_format()
            # A log beside the file: short runs do not wait for the disk; only a power cut loses the last of them.
            self._base.execute("PRAGMA journal_mode = WAL")
            self._base.execute("PRAGMA synchronous = NORMAL")
            self._base.executescript(_TABLES)
            self._base.execute(f"PRAGMA application_id = {_APPLICATION_ID}")
            self._base.execute(f"PRAGMA user_version = {FORMAT}")
            self._base.commit()
        except sqlite3.Error as error:
            raise self._problem(error) from error

    def _check_format(self) -> None:
        found = self._base.execute("PRAGMA user_version").fetchone()[0]
        if found > FORMAT:
            problem = tr(
                "The results are in format {found}; this program knows formats up to {format}.",
                found=found,
                format=FORMAT,
            )
            raise ResultFileError(str(self.path), problem, tr("Use the newer program, or delete the file."))
        application = self._base.execute("PRAGMA application_id").fetchone()[0]
        has_tables = self._base.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if application != _APPLICATION_ID and has_tables:
            raise ResultFileError(
                str(self.path), tr("This is not a file of results."), tr("Move it away; it is in the way.")
            )

    def _problem(self, error: sqlite3.Error) -> ResultFileError:
        if getattr(error, "sqlite_errorcode", None) in _DAMAGED:
            problem = tr("This is no file of results, or it is damaged ({reason}).", reason=error)
            return ResultFileError(str(self.path), problem, tr("Move it away: its runs are made again."))
        problem = tr("The results cannot be kept here ({reason}).", reason=error)
        return ResultFileError(str(self.path), problem, tr("Check folder and permissions, or delete the file."))

    def find(self, plan_digest: str, seed: int, until_us: int) -> RunOutcome | None:
        """A run that was made by this version; None if there is none that can be read. Raises ResultFileError."""
        row = self._one(
            "SELECT digest, end_us, figures, slo_missed, series_names, series_time_us, series, breaks,"
            " problem FROM outcomes"
            " WHERE plan_digest = ? AND seed = ? AND until_us = ? AND version = ?",
            (plan_digest, seed, until_us, self._version),
        )
        try:
            return None if row is None else self._outcome(plan_digest, seed, row)
        except (ValueError, TypeError, zlib.error):  # something else has written into the row
            return None

    def _outcome(self, plan_digest: str, seed: int, row: tuple[Any, ...]) -> RunOutcome:
        figures = {name: Figure(value, unit) for name, (value, unit) in json.loads(row[2]).items()}
        series = PackedSeries(tuple(json.loads(row[4])), tuple(json.loads(row[5])), row[6])
        series.table()  # whether it can be read
        missed, breaks = tuple(json.loads(row[3])), tuple(kept_break(*one) for one in json.loads(row[7]))
        return RunOutcome(plan_digest, seed, self._version, row[0], row[1], figures, missed, series, breaks, row[8])

    def keep(self, outcome: RunOutcome, until_us: int) -> None:
        """Write a run down to the disk. Raises ResultFileError."""
        figures = {name: (figure.value, figure.unit) for name, figure in outcome.figures.items()}
        row = (
            outcome.plan_digest, outcome.seed, until_us, outcome.version, outcome.digest, outcome.until_us,
            json.dumps(figures), json.dumps(outcome.slo_missed), json.dumps(outcome.series.names),
            json.dumps(outcome.series.time_us), outcome.series.content,
            json.dumps([(one.what, one.at_s, one.subject) for one in outcome.breaks]), outcome.problem,
        )  # fmt: skip
        self._write(f"INSERT OR REPLACE INTO outcomes VALUES ({', '.join('?' * len(row))})", row)

    def find_parting(self, a: str, b: str, seed: int, until_us: int) -> dict[str, Any] | None:
        """Where the runs of two plans part, as `keep_parting` wrote it; None if that was never looked up."""
        row = self._one(
            "SELECT parting FROM partings WHERE a = ? AND b = ? AND seed = ? AND until_us = ? AND version = ?",
            (a, b, seed, until_us, self._version),
        )
        return None if row is None else json.loads(row[0])

    def keep_parting(self, a: str, b: str, seed: int, until_us: int, parting: dict[str, Any]) -> None:
        """Write down where the runs of two plans part. Raises ResultFileError."""
        row = (a, b, seed, until_us, self._version, json.dumps(parting, ensure_ascii=False))
        self._write("INSERT OR REPLACE INTO partings VALUES (?, ?, ?, ?, ?, ?)", row)

    def take_over(self, other: Path) -> None:
        """Add the runs of another file that are not here yet. Raises ResultFileError if it cannot be read."""
        ResultsFile(other, self._version).close()  # refuses what is none
        try:
            self._base.execute("ATTACH DATABASE ? AS other", (str(other),))
            with self._base:
                for table in ("outcomes", "partings"):
                    self._base.execute(f"INSERT OR IGNORE INTO {table} SELECT * FROM other.{table}")
            self._base.execute("DETACH DATABASE other")
        except sqlite3.Error as error:
            raise self._problem(error) from error

    def close(self) -> None:
        """Close the file; what was written stays."""
        self._base.close()

    def _one(self, query: str, values: tuple[Any, ...]) -> tuple[Any, ...] | None:
        try:
            found: tuple[Any, ...] | None = self._base.execute(query, values).fetchone()
            return found
        except sqlite3.Error as error:
            raise self._problem(error) from error

    def _write(self, query: str, values: tuple[Any, ...]) -> None:
        try:
            with self._base:
                self._base.execute(query, values)
        except sqlite3.Error as error:
            raise self._problem(error) from error
