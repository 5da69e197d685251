"""How well a latency target was met over a run, and the worst latencies, for a workload alone or with its calls."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Attainment:
    """SLO time and worst latencies since the start of a run."""

    offered: float = 0.0
    """Requests that arrived."""
    looked_us: int = 0
    """Time in which a target was looked at."""
    met_us: int = 0
    met_offered: float = 0.0
    worst_p95_s: float = 0.0
    worst_p95_us: int = -1
    """When the worst p95 began; -1 while nothing was served."""
    worst_p99_s: float = 0.0
    worst_p99_us: int = -1

    @property
    def of_time(self) -> float:
        """Share of time in which the target was met; 1 if it was never looked at."""
        return self.met_us / self.looked_us if self.looked_us else 1.0

    @property
    def of_requests(self) -> float:
        """Share of requests that arrived while the target was met; 1 without requests."""
        # Two sums of the same numbers in another order differ in their last digits.
        return min(1.0, self.met_offered / self.offered) if self.offered > 0.0 else 1.0
