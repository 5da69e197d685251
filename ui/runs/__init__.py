"""Runs of the session: the thread that makes them, what they have recorded so far, and the time looked at."""
