"""A pod: requests are served by workers whose CPU time a CFS quota bounds, 100 ms by 100 ms. Times in seconds.

As Linux does it (kernel/sched/fair.c): threads run at full speed until the quota of the period is used up, all of them
then stand still, and the next period brings a new quota; what is left of the old one is lost. Periods lie on a fixed
grid that arrivals know nothing of.
"""

import heapq
import math
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

PERIOD_S = 0.1
"""cpu.cfs_period_us of the kubelet."""
_NONE_LEFT = 1e-9
"""Seconds; a request that needs just the quota does not stop."""

Ended = Callable[[float, int, bool], None]
"""Called with the moment at which a try ends, its number, and whether it was served."""


@dataclass(frozen=True)
class PodLaw:
    """How a pod serves."""

    limit: float = math.inf
    """CPU limit in cores."""
    workers: float = math.inf
    """Requests that it works on at once; where they share, cores that it can keep busy."""
    sharing: bool = False
    """All requests share what the workers can do; otherwise workers take one after the other."""
    cores: float = 8.0
    """Of the node."""
    queue_limit: float = math.inf
    """Most requests at the pod."""
    timeout_s: float = math.inf
    """A request is lost that has waited so long for a worker, or, `in_service`, is not done by then."""
    in_service: bool = False
    offset_s: float = 0.0
    """Where in a period the clock starts."""
    tick_s: float = 0.0
    """The quota is looked at so often; what was used beyond it is taken from the next one. 0: at every moment."""

    @property
    def saturation(self) -> float:
        """Cores that it can keep busy for long."""
        return min(self.limit, self.workers, self.cores)


@dataclass
class Counts:
    """What a pod has done so far."""

    rejected: int = 0
    timed_out: int = 0
    throttled_periods: int = 0
    throttled_s: float = 0.0
    spent_s: float = 0.0
    """CPU seconds."""
    request_s: float = 0.0
    """Requests at the pod, summed over time."""
    served: list[tuple[int, float, float]] = field(default_factory=list)
    """Number, wait and response of each request that was served, in the order of their ends."""


class Pod:
    """Serves the requests that it is given."""

    def __init__(self, law: PodLaw, ended: Ended | None = None) -> None:
        self.law, self.counts, self.now = law, Counts(), 0.0
        self._ended = ended
        self._coming: list[tuple[float, int, float]] = []
        self._waiting: deque[tuple[float, int, float]] = deque()
        self._running: list[tuple[float, float, int, float]] = []
        """Progress at which it will be done, arrival, number, begin."""
        self._progress = 0.0
        """Work that a request would have got that has been in service since the start."""
        self._most = math.inf if law.sharing else law.workers
        self._could = min(law.workers, law.cores) if law.sharing else law.cores
        self._limited = law.limit < min(law.workers, law.cores)
        self._quota = law.limit * PERIOD_S
        self._left, self._stopped = self._quota, False
        self._period_ends = PERIOD_S - law.offset_s % PERIOD_S

    @property
    def held(self) -> int:
        """Requests at the pod."""
        return len(self._waiting) + len(self._running)

    def take(self, arrival: float, number: int, work: float) -> None:
        """A request to come."""
        heapq.heappush(self._coming, (arrival, number, work))

    def run_until(self, end: float) -> None:
        """Work up to this moment, its events included."""
        running, coming = self._running, self._coming
        while True:
            busy = len(running)
            speed = min(1.0, self._could / busy) if busy else 0.0
            at, event = (coming[0][0], self._arrive) if coming else (math.inf, None)
            if busy and not self._stopped:
                done = self.now + max(0.0, running[0][0] - self._progress) / speed
                if done < at:
                    at, event = done, self._finish
                if self._limited and (used_up := self._used_up(busy * speed)) + _NONE_LEFT < at:
                    at, event = used_up, self._stop
            if busy and self._limited and self._period_ends <= at:
                at, event = self._period_ends, self._renew
            if self.law.in_service and busy and (late := self._latest()) < at:
                at, event = late, self._give_up
            if event is None or at > end:
                self._advance(min(end, at), busy, speed)
                return
            self._advance(at, busy, speed)
            event()

    def _advance(self, at: float, busy: int, speed: float) -> None:
        if math.isinf(at):
            return
        passed = at - self.now
        self.now = at
        if busy:
            self.counts.request_s += (busy + len(self._waiting)) * passed
            if self._stopped:
                self.counts.throttled_s += passed
            else:
                self._progress += speed * passed
                self._left -= busy * speed * passed
                self.counts.spent_s += busy * speed * passed

    # -- requests -----------------------------------------------------------------------------

    def _arrive(self) -> None:
        arrival, number, work = heapq.heappop(self._coming)
        waiting, law = self._waiting, self.law
        while waiting and arrival - waiting[0][0] > law.timeout_s:
            self._lose(waiting.popleft()[1])
        if self.held >= law.queue_limit:
            self.counts.rejected += 1
            self._end(number, False)
            return
        if not self._running and self._limited:
            self._wake()
        waiting.append((arrival, number, work))
        self._start()

    def _start(self) -> None:
        while self._waiting and len(self._running) < self._most:
            arrival, number, work = self._waiting.popleft()
            if self.now - arrival > self.law.timeout_s:
                self._lose(number)
            else:
                heapq.heappush(self._running, (self._progress + work, arrival, number, self.now))

    def _finish(self) -> None:
        self._progress, arrival, number, begin = heapq.heappop(self._running)
        self.counts.served.append((number, begin - arrival, self.now - arrival))
        self._start()
        self._end(number, True)

    def _latest(self) -> float:
        return min(one[1] for one in self._running) + self.law.timeout_s

    def _give_up(self) -> None:
        oldest = min(self._running, key=lambda one: one[1])
        self._running.remove(oldest)
        heapq.heapify(self._running)
        self._lose(oldest[2])
        self._start()

    def _lose(self, number: int) -> None:
        self.counts.timed_out += 1
        self._end(number, False)

    def _end(self, number: int, served: bool) -> None:
        if self._ended is not None:
            self._ended(self.now, number, served)

    # -- quota --------------------------------------------------------------------------------

    def _used_up(self, use: float) -> float:
        """When the pod stops at the latest if nothing else happens."""
        at, tick = self.now + max(0.0, self._left) / use, self.law.tick_s
        if tick == 0.0:
            return at
        return max(math.ceil(at / tick - _NONE_LEFT), math.floor(self.now / tick + _NONE_LEFT) + 1) * tick

    def _wake(self) -> None:
        """A request after a pause: the periods since then have brought nothing."""
        if self.now >= self._period_ends:
            passed = math.floor((self.now - self._period_ends) / PERIOD_S) + 1
            self._period_ends += passed * PERIOD_S
            self._fill(passed)

    def _renew(self) -> None:
        self._period_ends += PERIOD_S
        self._fill(1)
        self.counts.throttled_periods += self._stopped

    def _fill(self, periods: int) -> None:
        self._left = self._quota * periods + min(0.0, self._left)
        self._left = min(self._left, self._quota)
        self._stopped = self._left <= _NONE_LEFT

    def _stop(self) -> None:
        self._left, self._stopped = min(self._left, 0.0), True
        self.counts.throttled_periods += 1
