"""Exit codes of the command line."""

GOOD = 0
INTERNAL_ERROR = 1
BAD_INPUT = 2
CHECK_FAILED = 3
INTERRUPTED = 130

IN_WORDS = """\
\b
Exit codes:
  0    success
  1    internal error: a bug, with its traceback
  2    bad input; standard error has the place, the problem and a remedy
  3    a requested check failed (simulate --slo)
  130  interrupted; what was finished is on disk"""
"""For the help; the first line keeps it from being wrapped."""
