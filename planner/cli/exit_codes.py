"""What the command line tells the shell."""

GOOD = 0
INTERNAL_ERROR = 1
BAD_INPUT = 2
CHECK_FAILED = 3
INTERRUPTED = 130

IN_WORDS = """\
\b
Exit codes:
  0    good
  1    internal error: a bug, shown in full
  2    bad input: place, problem and cure are on standard error
  3    a check that was asked for fails (simulate --slo)
  130  interrupted; what was finished is on disk"""
"""For the help; the first line keeps it from being wrapped."""
