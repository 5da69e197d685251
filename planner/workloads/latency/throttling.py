"""CPU limits as CFS quotas (spec/load-latency-cost.md section 3, "Throttling").

Threads run at full speed until the quota of a period is used up and stand still until the next one. This is what one
burst of work meets; `quota_stops.py` says what requests under a load meet.
"""

import numpy as np

from planner.workloads.latency.columns import Amounts, Counts, Floats

PERIOD_S = 0.1


def full_periods(work_s: Amounts, limit_cores: Amounts, threads: Counts, period_s: float = PERIOD_S) -> Floats:
    """Periods whose quota a burst of `work_s` CPU seconds uses up before its last one; it starts a fresh period."""
    per_period_s = np.minimum(limit_cores, threads) * period_s
    limited = per_period_s > 0.0
    periods = np.ceil(np.round(work_s / np.where(limited, per_period_s, 1.0), 9)) - 1.0
    return np.where(limited, np.maximum(0.0, periods), 0.0)


def burst_time_s(work_s: Amounts, limit_cores: Amounts, threads: Counts, period_s: float = PERIOD_S) -> Floats:
    """Wall seconds that a burst of `work_s` CPU seconds needs under a CPU limit, from the start of a fresh period.

    `threads` threads are runnable; a limit of 0 means none is set. k full periods pass, the rest of the work runs
    unthrottled in the last one.
    """
    periods = full_periods(work_s, limit_cores, threads, period_s)
    per_period_s = np.minimum(limit_cores, threads) * period_s
    return np.maximum(0.0, periods * period_s + (work_s - periods * per_period_s) / threads)
