"""A pod under a CPU quota that serves requests one after the other: the CFS bandwidth limit of a container.

As Linux does it (6.12, kernel/sched/fair.c): what runs does so at full speed until the quota of the period is used up,
then all of it stands still until the next period brings a new quota; what is left of the old one is lost.
"""

import math
from bisect import insort

from planner.workloads.latency.mmc import Floats, Ints

_NONE_LEFT = 1e-9
"""Seconds: a request that needs just the quota does not stop."""


class QuotaServer:
    """A pod and the requests at it."""

    def __init__(self, pod: tuple[float, float, float, float, float], works: Floats) -> None:
        """`pod`: quota and period (s), how often the quota is looked at (s), cores, most requests in service."""
        self._quota, self._period, self._tick, self._cores, self._most = pod
        self._works: list[float] = works.tolist()
        self._now = self._progress = 0.0
        self._left, self._ends = self._quota, self._period
        self._stopped, self._stopped_at = False, 0.0
        self._running: list[tuple[float, int]] = []
        """The progress at which each request is done; that of all in service grows at the same speed."""
        self._begun = self._came = 0
        self.throttled_s = 0.0
        """In which it stood still."""

    def serve(self, arrivals: Floats, responses: Floats, done_at: Floats, who: Ints) -> None:
        """Responses of requests that arrive at these times; the last two columns are room for the compiled twin."""
        self._arrived, self._responses = arrivals.tolist(), responses
        for number, at in enumerate(self._arrived):
            self._work_until(at)
            if not self._running:
                self._wake(at)
            self._came = number + 1
            self._begin()
        self._work_until(math.inf)

    def _work_until(self, at: float) -> None:
        """Up to that moment, or until nothing is left to do."""
        running = self._running
        while running and self._now < at:
            if self._stopped:
                if self._ends > at:
                    self._now = at
                    return
                self._now = self._ends
                self.throttled_s += self._now - self._stopped_at
                self._renew()
                self._pass_periods(at)
                continue
            use, speed = float(len(running)), 1.0
            if use > self._cores:
                use, speed = self._cores, self._cores / use
            done = self._now + max(running[0][0] - self._progress, 0.0) / speed
            then, stop = min(done, at), self._stop_at(use)
            stops = stop + _NONE_LEFT < then
            if stops:
                then = stop
            if self._ends <= then:
                self._advance(self._ends, use, speed)
                self._renew()
                continue
            self._advance(then, use, speed)
            if stops:
                self._stop()
            elif done <= at:
                self._finish()

    def _advance(self, then: float, use: float, speed: float) -> None:
        self._progress += speed * (then - self._now)
        self._left -= use * (then - self._now)
        self._now = then

    def _finish(self) -> None:
        self._progress, number = self._running.pop(0)
        self._responses[number] = self._now - self._arrived[number]
        self._begin()

    def _begin(self) -> None:
        """Requests that have come and have room go into service, in the order of their arrival."""
        while self._begun < self._came and len(self._running) < self._most:
            insort(self._running, (self._progress + self._works[self._begun], self._begun))
            self._begun += 1

    # -- the quota ----------------------------------------------------------------------------

    def _stop_at(self, use: float) -> float:
        """When the quota is seen to be used up, if so many cores go on using it."""
        at = self._now + max(self._left, 0.0) / use
        if self._tick == 0.0:
            return at
        ticks = max(math.ceil(at / self._tick - _NONE_LEFT), math.floor(self._now / self._tick + _NONE_LEFT) + 1.0)
        return ticks * self._tick

    def _stop(self) -> None:
        self._left = min(self._left, 0.0)
        self._stopped, self._stopped_at = True, self._now

    def _wake(self, at: float) -> None:
        """The first request after a pause, in which quotas came and went."""
        self._now = at
        if at >= self._ends:
            passed = math.floor((at - self._ends) / self._period) + 1.0
            self._ends += passed * self._period
            self._fill(passed)

    def _renew(self) -> None:
        """The period ends."""
        self._ends += self._period
        self._fill(1.0)

    def _pass_periods(self, at: float) -> None:
        """Whole periods that end before that moment and before a request is done: all alike, with a quota for each."""
        count = float(len(self._running))
        if self._stopped or min(count, self._cores) * self._period <= self._quota:
            return
        quotas = (self._running[0][0] - self._progress) * count / self._quota
        passed = math.floor(min((at - self._now) / self._period, math.ceil(quotas - _NONE_LEFT) - 1.0))
        if passed >= 1:
            self._progress += passed * self._quota / count
            self._now += passed * self._period
            self._ends += passed * self._period
            self.throttled_s += passed * (self._period - self._quota / min(count, self._cores))

    def _fill(self, periods: float) -> None:
        """The quotas of so many periods: what was used beyond one is taken from them, what one leaves is lost."""
        self._left = min(self._quota * periods + min(self._left, 0.0), self._quota)
        self._stopped, self._stopped_at = self._left <= _NONE_LEFT, self._now
