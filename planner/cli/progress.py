"""How far a run or a search is, on standard error."""

import contextlib
import sys

import click

from planner.cli.terminal import say
from planner.language.translation import tr
from planner.units import format_duration

_WIDTH = 60


class Progress:
    """One changing line on a terminal; elsewhere a line every tenth of a run, or for each run of a search."""

    def __init__(self) -> None:
        self._on_terminal = sys.stderr is not None and sys.stderr.isatty()
        self._last = 0
        self._step = 1 if self._on_terminal else 10
        self._run = 0
        """The run of a search that was shown last."""

    def __enter__(self) -> "Progress":
        return self

    def show(self, now_us: int, until_us: int) -> None:
        """Called by the run as its time goes on."""
        percent = 100 * now_us // max(until_us, 1)
        if percent < self._last + self._step:
            return
        self._last = percent - percent % self._step
        self._write(
            tr(
                "simulated {now} of {until} ({percent} %)",
                now=format_duration(now_us),
                until=format_duration(until_us),
                percent=self._last,
            )
        )

    def show_share(self, what: str, done: int, total: int) -> None:
        """Called as something else goes on: series that are read, workloads that are fitted."""
        percent = 100 * done // max(total, 1)
        if percent >= self._last + self._step and percent < 100:
            self._last = percent - percent % self._step
            self._write(f"{what} ({self._last} %)")

    def show_search(self, run: int, factor: float, done: float) -> None:
        """Called by a search, which runs a plan at one load after the other."""
        if not self._on_terminal:
            if run != self._run:
                self._write(tr("run {run}: {factor:.3g} times the load", run=run, factor=factor))
            self._run = run
            return
        percent = int(100 * done)
        if percent < self._last + self._step and percent >= self._last and percent < 100:
            return
        self._last = percent - percent % self._step if percent < 100 else 0
        self._write(tr("run {run}: {factor:.3g} times the load ({percent} %)", run=run, factor=factor, percent=percent))

    def _write(self, line: str) -> None:
        with contextlib.suppress(OSError):  # the terminal is gone: the run goes on for its report
            click.echo(f"\r{line:<{_WIDTH}}" if self._on_terminal else line, err=True, nl=not self._on_terminal)

    def __exit__(self, *_error: object) -> None:
        if self._on_terminal and self._last:
            say("")
