"""How far an experiment is and how long it will take, on standard error.

The only place of the core that sees a clock: what it shows never reaches a result.
"""

import contextlib
import sys
import time  # noqa: TID251
from collections.abc import Callable

import click

from planner.language.translation import tr

_WIDTH = 60
_EVERY_S = 0.2
_EVERY_S_IN_A_FILE = 10.0


class ExperimentProgress:
    """One changing line on a terminal; elsewhere a line now and then."""

    def __init__(self) -> None:
        self._on_terminal = sys.stderr is not None and sys.stderr.isatty()
        self._began_s = self._shown_s = time.monotonic()
        self._wrote = False

    def __enter__(self) -> "ExperimentProgress":
        return self

    def show(self, done: int, total: int) -> None:
        """`done` of `total` runs are made."""
        now_s = time.monotonic()
        pause_s = _EVERY_S_IN_A_FILE if not self._on_terminal else _EVERY_S if done < total else 0.0
        if done == 0 or now_s - self._shown_s < pause_s:
            return
        self._shown_s = now_s
        if done < total:
            left_s = (now_s - self._began_s) / done * (total - done)
            self._write(tr("{done} of {total} runs, {time} left", done=done, total=total, time=in_words(left_s)))
        else:  # where two runs part may take as long as the runs
            self._write(tr("{total} runs are made; computing the answer…", total=total))

    def _write(self, line: str) -> None:
        self._wrote = True
        with contextlib.suppress(OSError):  # the terminal is gone: the experiment goes on for its file
            click.echo(f"\r{line:<{_WIDTH}}" if self._on_terminal else line, err=True, nl=not self._on_terminal)

    def __exit__(self, *_error: object) -> None:
        if self._on_terminal and self._wrote:
            with contextlib.suppress(OSError):
                click.echo("", err=True)


def in_words(seconds: float) -> str:
    """A span to the precision that matters: "40 s", "3 min", "2 h 10 min"."""
    if seconds < 60.0:
        return tr("{count} s", count=max(1, round(seconds)))
    minutes = round(seconds / 60.0)
    return (
        tr("{count} min", count=minutes)
        if minutes < 60
        else tr("{hours} h {minutes} min", hours=minutes // 60, minutes=minutes % 60)
    )


def seconds_of(work: Callable[[], object]) -> float:
    """How long something takes once."""
    began_s = time.monotonic()
    work()
    return time.monotonic() - began_s
