"""A token bucket in front of the eviction API (golang.org/x/time/rate, as the updater uses it). Times are seconds."""


class RateLimit:
    """So many evictions a second on average, and `burst` at once; a rate of 0 or less is no limit."""

    def __init__(self, per_s: float = -1.0, burst: int = 1) -> None:
        self._per_s, self._burst = per_s, burst
        self._tokens, self._at_s = float(burst), 0.0

    def wait_s(self, now_s: float, deadline_s: float) -> float | None:
        """How long to wait for a token, which is then taken; None if that ends after the deadline."""
        if self._per_s <= 0:
            return 0.0
        tokens = min(float(self._burst), self._tokens + max(0.0, now_s - self._at_s) * self._per_s) - 1.0
        wait_s = max(0.0, -tokens / self._per_s)
        if self._burst < 1 or now_s >= deadline_s or now_s + wait_s > deadline_s:
            return None
        self._tokens, self._at_s = tokens, now_s
        return wait_s
