"""Ctrl-C, SIGTERM and SIGHUP: the first one ends a run, whose results are kept; a second one aborts."""

import contextlib
import os
import signal
import sys
from collections.abc import Callable, Iterator
from types import FrameType

from planner.cli.exit_codes import of_signal
from planner.language.translation import tr

_NAMES = ("SIGINT", "SIGTERM", "SIGHUP")
"""SIGHUP is missing on Windows."""
_SIGNALS = tuple(getattr(signal, name) for name in _NAMES if hasattr(signal, name))
_Handler = Callable[[int, FrameType | None], None]


class Interrupted(KeyboardInterrupt):
    """A signal that ends the command at once; everything that is being written is put back."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number

    def __str__(self) -> str:
        return (
            tr("Interrupted.")
            if self.number == signal.SIGINT
            else tr("Ended by {name}.", name=signal.Signals(self.number).name)
        )


class Interruption:
    """Whether a signal has asked the run to end. Called by the run as its `cancelled`."""

    def __init__(self) -> None:
        self.number = 0
        """Of the signal; 0 as long as there was none."""

    def __call__(self) -> bool:
        return self.number != 0

    @property
    def exit_code(self) -> int:
        """Of the signal, or of Ctrl-C."""
        return of_signal(self.number or signal.SIGINT)

    def on_signal(self, number: int, _frame: FrameType | None) -> None:
        """Remember the first one; abort with the second one."""
        if self.number:
            raise Interrupted(number)
        self.number = number
        text = tr("Ending the run and keeping what it has; send the signal again to abort.")
        if number == signal.SIGINT:
            text = tr("Ending the run and keeping what it has; press Ctrl-C again to abort.")
        if sys.stderr is not None:  # written past the stream, which the signal may have met half way through a line
            with contextlib.suppress(OSError):
                os.write(2, f"\n{text}\n".encode())


@contextlib.contextmanager
def ended_by_signals() -> Iterator[None]:
    """Inside, a signal raises Interrupted, so that files being written are put back before the program ends."""

    def end(number: int, _frame: FrameType | None) -> None:
        raise Interrupted(number)

    with _handled_by(end):
        yield


@contextlib.contextmanager
def interruptible() -> Iterator[Interruption]:
    """Inside, the first signal asks the run to end, and the second one raises Interrupted."""
    interruption = Interruption()
    with _handled_by(interruption.on_signal):
        try:
            yield interruption
        except OSError as error:
            if interruption() and error.filename is None:  # the terminal has gone with SIGHUP
                raise Interrupted(interruption.number) from error
            raise


@contextlib.contextmanager
def _handled_by(handler: _Handler) -> Iterator[None]:
    """Nothing changes for signals that are ignored (nohup), and outside of the main thread, where the caller handles
    them."""
    before = {}
    try:
        for number in _SIGNALS:
            if signal.getsignal(number) is not signal.SIG_IGN:
                before[number] = signal.signal(number, handler)
    except ValueError:
        pass
    try:
        yield
    finally:
        for number, old in before.items():
            signal.signal(number, old)
