"""When the next loop runs (Cluster Autoscaler 1.36.1, loop/trigger.go)."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LoopTimes:
    """What is known when a loop has decided. Times are microseconds, None where it never happened."""

    start_us: int
    """Start of the loop that has just decided."""
    previous_start_us: int | None
    """Start of the loop before it."""
    last_scale_up_us: int | None
    last_deletion_us: int | None
    """Start of the last loop that began to delete nodes."""


@dataclass(frozen=True, slots=True)
class NextLoop:
    """The next loop starts at `latest_us`, or earlier: at the first wake-up signal, not before `earliest_us`.

    A signal that came since the last one was consumed counts at once. A loop that starts consumes it.
    """

    earliest_us: int
    latest_us: int


def next_frequent_loop(times: LoopTimes, scan_interval_us: int, loop_duration_us: int) -> NextLoop:
    """Frequent loops: after a productive one the next follows as soon as the loop is over.

    Productive is judged from the start of the loop *before* the last, because the real program notes
    the start of a loop only after waiting for it. So two immediate loops follow a productive one.
    """
    over_us = times.start_us + loop_duration_us
    since_us = times.previous_start_us
    if since_us is None:
        since_us = times.start_us
    scaled = (times.last_scale_up_us, times.last_deletion_us)
    if any(at_us is not None and at_us >= since_us for at_us in scaled):
        return NextLoop(over_us, over_us)
    return NextLoop(over_us, over_us + scan_interval_us)


def next_fixed_loop(start_us: int, scan_interval_us: int) -> NextLoop:
    """Loops at a fixed rhythm, woken by nothing."""
    due_us = start_us + scan_interval_us
    return NextLoop(due_us, due_us)
