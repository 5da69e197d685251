"""CPU limits as CFS quotas (spec/load-latency-cost.md section 3, "Throttling")."""

import math

PERIOD_S = 0.1


def burst_time_s(work_s: float, limit_cores: float, threads: int, period_s: float = PERIOD_S) -> float:
    """Wall seconds that a burst of `work_s` CPU seconds needs under a CPU limit, from the start of a fresh period.

    `threads` threads are runnable; a limit of 0 means none is set. k full periods pass, the rest of the work runs
    unthrottled in the last one.
    """
    if work_s <= 0.0:
        return 0.0
    if limit_cores <= 0.0:
        return work_s / threads
    per_period_s = min(limit_cores * period_s, threads * period_s)
    periods = math.ceil(round(work_s / per_period_s, 9)) - 1
    return periods * period_s + (work_s - periods * per_period_s) / threads


def throttled_share(work_s: float, limit_cores: float, threads: int, period_s: float = PERIOD_S) -> float:
    """Share of the burst's wall time in which it is stopped by its quota."""
    wall_s = burst_time_s(work_s, limit_cores, threads, period_s)
    return max(0.0, 1.0 - work_s / (threads * wall_s)) if wall_s else 0.0
