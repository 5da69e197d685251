"""When a controller's loop runs that waits for a fixed time after it is done.

Such a loop drifts by its own run time: once an evaluation is over, the HPA controller puts the autoscaler back into its
queue for the sync period (Kubernetes 1.36, pkg/controller/podautoscaler/horizontal.go, processNextWorkItem, and
rate_limiters.go). The start of the run is no moment of the loop, so its phase is drawn.
"""

from planner.engine.draws import Draws, key_of


class LoopClock:
    """Moments of one loop, microseconds."""

    def __init__(self, name: str, period_us: int, run_time_us: int, draws: Draws) -> None:
        """`run_time_us`: how long the loop runs on average; each run takes half to one and a half times that."""
        self._key = key_of(name)
        self._period_us, self._run_time_us = period_us, run_time_us
        self._phases, self._run_times = draws.of("loops/phase"), draws.of("loops/run time")
        self._runs = 0

    def first_us(self, phase_us: int | None) -> int:
        """The first moment: the given one, or one within the first period."""
        if phase_us is not None:
            return phase_us
        return 1 + int(self._phases.uniform(self._key) * self._period_us)

    def next_us(self, now_us: int) -> int:
        """The moment that follows one at `now_us`."""
        share = 0.5 + self._run_times.uniform(self._key, self._runs) if self._run_time_us else 0.0
        self._runs += 1
        return now_us + self._period_us + round(self._run_time_us * share)
