"""The command `headroom`: subcommands go to the command line, anything else is meant for the window.

Knows no Qt, so that headless calls start fast and need no screen libraries.
"""

import contextlib
import os
import sys
from collections.abc import Sequence

BAD_INPUT, INTERRUPTED = 2, 130

NO_WINDOW = """\
headroom: the window is not part of this version; plans are run from the command line.
Type: headroom simulate {plan} --out out     to run the plan and write CSV files into out/
      headroom validate {plan}               to check it
      headroom --help                        for everything else"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command with these words (default: those of the process) and return its exit code."""
    words = list(sys.argv[1:] if argv is None else argv)
    if asks_for_window(words):
        with contextlib.suppress(OSError):
            print(NO_WINDOW.format(plan=words[0] if words else "PLAN"), file=sys.stderr, flush=True)
        return BAD_INPUT
    try:
        from planner import cli  # late: Ctrl-C while this loads is no error either
    except KeyboardInterrupt:
        return INTERRUPTED
    return cli.main(words)


def asks_for_window(words: Sequence[str]) -> bool:
    """Nothing typed, or only a plan file (`*.headroom`, or a path with a folder in it)."""
    if not words:
        return True
    first = words[0]
    if len(words) > 1 or first.startswith("-"):
        return False
    return first.endswith(".headroom") or os.sep in first
