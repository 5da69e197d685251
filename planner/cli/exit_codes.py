"""Exit codes of the command line."""

GOOD = 0
INTERNAL_ERROR = 1
BAD_INPUT = 2
CHECK_FAILED = 3
INTERRUPTED = 130


def of_signal(number: int) -> int:
    """What a shell reports of a program that a signal has ended: 130 for SIGINT, 143 for SIGTERM, 129 for SIGHUP."""
    return 128 + number


IN_WORDS = """\
\b
Exit codes:
  0    success
  1    internal error: a bug, with its traceback
  2    bad input; standard error has the place, the problem and a remedy
  3    a requested check failed (simulate --slo, check --fail-if)
  130  interrupted (143 by SIGTERM, 129 by SIGHUP); what was finished is on disk"""
"""For the help; the first line keeps it from being wrapped."""
