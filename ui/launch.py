"""The command `headroom`: subcommands go to the command line, anything else is meant for the window.

Knows no Qt, so that headless calls start fast and need no screen libraries.
"""

import contextlib
import gc
import os
import signal
import sys
from collections.abc import Sequence
from types import FrameType
from typing import TYPE_CHECKING

from planner.language.translation import language_of, marked, tr, use_language
from ui.process.another_window import NEW_WINDOW
from ui.process.source_reading import stop_source_reading

if TYPE_CHECKING:
    from planner.reports.formats.registry import Writer

BAD_INPUT = 2
_COMPLETION = "_HEADROOM_COMPLETE"
"""Set by a shell that asks how a line goes on; the words are elsewhere then (`planner/cli/completion.py`)."""

NO_SCREEN = marked("""\
headroom: there is no display to open a window on ({reason}).
Type: headroom simulate {plan} --out out     to run the plan and write CSV files into out/
      headroom validate {plan}               to check it
      headroom --help                        for everything else""")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command with these words (default: those of the process) and return its exit code."""
    _leave_quietly_on_signals()
    words = list(sys.argv[1:] if argv is None else argv)
    language, rest = leading_language(words)
    is_new, rest = (True, rest[1:]) if rest and rest[0] == NEW_WINDOW else (False, rest)
    if asks_for_window(rest) and _COMPLETION not in os.environ:
        return _open_window(rest[0] if rest else None, language, is_new)
    from planner import cli  # late, as a signal while this loads is no error

    return cli.main(words, pdf=_pdf_writer)


def _pdf_writer() -> "Writer":
    """What draws PDF; loaded only for that. Raises PlannerError where Qt cannot be loaded."""
    from ui.transfer.pdf.writer import pdf_writer

    return pdf_writer()


def _leave_quietly_on_signals() -> None:
    """As long as the program loads there is nothing to keep, and an exception would end inside of some library.

    Window and command line handle signals in their own way later, while there is something to lose.
    """
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):  # SIGHUP is missing on Windows
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:  # nohup ignores it
            with contextlib.suppress(ValueError):  # not the main thread
                signal.signal(number, _leave)


def _leave(number: int, _frame: FrameType | None) -> None:
    with contextlib.suppress(OSError):
        os.write(2, b"Interrupted.\n")
    os._exit(128 + number)


def leading_language(words: Sequence[str]) -> tuple[str | None, Sequence[str]]:
    """The code after a leading `--lang`, None without one, and the words after it."""
    if len(words) > 1 and words[0] == "--lang":
        return words[1], words[2:]
    if words and words[0].startswith("--lang="):
        return words[0].partition("=")[2], words[1:]
    return None, words


def asks_for_window(words: Sequence[str]) -> bool:
    """Nothing typed, or only a plan file (`*.headroom`, or a path with a folder in it)."""
    if not words:
        return True
    first = words[0]
    if len(words) > 1 or first.startswith("-"):
        return False
    return first.endswith(".headroom") or os.sep in first


def _open_window(plan: str | None, language: str | None, is_new: bool) -> int:
    use_language(language or language_of())
    reason = why_no_screen()
    if not reason:
        gc.disable()  # nothing that loads is garbage; the window searches in its own way
        try:
            stop_source_reading()
            from ui import app
        except ImportError as error:  # a system library of Qt is missing
            reason = str(error)
        else:
            return app.run_window(plan, language, is_new=is_new)
    with contextlib.suppress(OSError):
        print(tr(NO_SCREEN, plan=plan or "PLAN", reason=reason), file=sys.stderr, flush=True)
    return BAD_INPUT


def why_no_screen() -> str:
    """Empty if a window can be opened, else what is missing."""
    if sys.platform in ("win32", "darwin"):
        return ""
    if any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")):
        return ""
    return tr("neither DISPLAY nor WAYLAND_DISPLAY is set")


if __name__ == "__main__":
    sys.exit(main())
