"""How long a refused pod waits (kube-scheduler 1.36, backend/queue/backoff_queue.go). Times in microseconds."""

from planner.units import US_PER_S

UNSCHEDULABLE_TIMEOUT_US = 300 * US_PER_S
UNSCHEDULABLE_FLUSH_US = 30 * US_PER_S
_MANY = 64
"""Doublings of a microsecond that are longer than any plan."""


def backoff_duration_us(attempts: int, initial_us: int, longest_us: int) -> int:
    """Doubles with every attempt up to the longest."""
    return min(initial_us << min(attempts - 1, _MANY), longest_us)


def backoff_end_us(ended_us: int, attempts: int, initial_us: int, longest_us: int) -> int:
    """End of the backoff after an attempt that ended then, cut down to a whole second."""
    end = ended_us + backoff_duration_us(attempts, initial_us, longest_us)
    return end // US_PER_S * US_PER_S


def backoff_is_over(now_us: int, end_us: int) -> bool:
    """Over when the present whole second is later than the end."""
    return now_us // US_PER_S * US_PER_S > end_us


def first_flush_us(entered_us: int) -> int:
    """First flush, on multiples of 30 s, that finds a pod more than 5 minutes in the unschedulable pool."""
    return ((entered_us + UNSCHEDULABLE_TIMEOUT_US) // UNSCHEDULABLE_FLUSH_US + 1) * UNSCHEDULABLE_FLUSH_US
