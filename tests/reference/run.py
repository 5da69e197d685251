"""One experiment, request by request."""

import heapq
import math
import random
from collections.abc import Callable
from dataclasses import dataclass, field

from tests.reference.experiments import CHANGE_S, US_PER_S, Experiment, Pipeline
from tests.reference.formula import Autoscaler, Seen, Settings
from tests.reference.pipeline import MetricsServer, PrometheusRate, Sample, Scraper
from tests.requests.pod import PERIOD_S, Pod, PodLaw

ROW_S = 5
IDLE_S = 120
"""So long the cluster is idle before the run, so that all pipelines have figures of the first pods."""
_KUBELET_US = 10 * US_PER_S
_RATE_US = 60 * US_PER_S
_DAY_US = 86_400 * US_PER_S
_EVALUATION_S = (0.015, 0.045)
"""How long an evaluation takes: the next one is a sync period after its end."""


@dataclass
class Course:
    """What happened: a figure per row of 5 s."""

    pods: list[float] = field(default_factory=list)
    """Living pods that are not being deleted."""
    in_flight: list[float] = field(default_factory=list)
    """Requests at pods, also at those that are being deleted."""
    cpu_s: list[float] = field(default_factory=list)
    """CPU seconds used by all pods since the beginning."""
    served: int = 0
    lost: int = 0
    spent_on_served_s: float = 0.0


class Replica(Pod):
    """A pod with one worker, and its part in the metrics pipeline."""

    def __init__(self, experiment: Experiment, start_us: int, ready_us: int, chance: random.Random) -> None:
        limit = experiment.limit_cores
        super().__init__(PodLaw(limit, workers=1, cores=1, offset_s=PERIOD_S * chance.random()))
        self.start_us, self.ready_us = start_us, ready_us
        self.uid = chance.random()
        self.stopping_us: int | None = None
        self.newest = Sample(start_us, 0)
        self.scraper: Scraper = PrometheusRate(_RATE_US)
        if experiment.pipeline is not Pipeline.PROMETHEUS:
            self.scraper = MetricsServer(start_us, experiment.pipeline.scrape_s * US_PER_S)

    @property
    def spent_us(self) -> int:
        """CPU used since the start."""
        return round(self.counts.spent_s * US_PER_S)

    @property
    def served(self) -> int:
        """Requests that are done."""
        return len(self.counts.served)

    def age_power(self, now_us: int) -> int:
        """Of two, in nanoseconds; a ReplicaSet deletes pods of lower powers first (controller_utils.go)."""
        return int(math.log2(max(1, now_us - self.ready_us) * 1000))

    def work_until(self, now_us: int) -> None:
        """Up to this moment."""
        self.run_until(now_us / US_PER_S)


class ReferenceRun:
    """A queue of events, beside the arrivals, which come one by one."""

    def __init__(self, experiment: Experiment, seed: int) -> None:
        self._experiment, self._chance = experiment, random.Random(f"{experiment.name} {seed}")
        self._rates = experiment.course()
        self._events: list[tuple[int, int, Callable[..., None], tuple]] = []
        self._number = 0
        self._living: list[Replica] = []
        self._ready: list[Replica] = []
        self._stopping: list[Replica] = []
        self._gone_us = 0
        self.course = Course()
        sync_us = experiment.sync_s * US_PER_S
        self._autoscaler = Autoscaler(
            Settings(
                experiment.limit_cores, experiment.target_percent, experiment.least, experiment.most, sync_us, sync_us
            )
        )

    def run(self) -> Course:
        """From idle pods to the end."""
        experiment, begin_us = self._experiment, -IDLE_S * US_PER_S
        for _ in range(experiment.pods):
            self._ready.append(self._begin(begin_us, -_DAY_US, -_DAY_US))
        scrape_us = experiment.pipeline.scrape_s * US_PER_S
        self._at(begin_us + self._chance.randrange(scrape_us), self._scrape, scrape_us)
        if experiment.autoscaled:
            self._at(self._chance.randrange(experiment.sync_s * US_PER_S), self._sync)
        self._at(0, self._row)
        arrival_us = self._next_arrival(0)
        while self._events:
            if self._events[0][0] <= arrival_us:
                now_us, _, act, details = heapq.heappop(self._events)
                if now_us > experiment.end_s * US_PER_S:
                    break
                act(now_us, *details)
                continue
            work_us = round(self._chance.expovariate(1.0 / experiment.cost_s) * US_PER_S) or 1
            self._chance.choice(self._ready).take(arrival_us / US_PER_S, 0, work_us / US_PER_S)
            arrival_us = self._next_arrival(arrival_us)
        self._finish()
        return self.course

    def _at(self, at_us: int, act: Callable[..., None], *details: object) -> None:
        self._number += 1
        heapq.heappush(self._events, (at_us, self._number, act, details))

    def _next_arrival(self, now_us: int) -> int:
        """A Poisson process has no memory, so it begins anew where its rate changes."""
        change_us, part = CHANGE_S * US_PER_S, now_us // (CHANGE_S * US_PER_S)
        while part < len(self._rates):
            end_us = min((part + 1) * change_us, self._experiment.load_s * US_PER_S)
            found_us = now_us + round(self._chance.expovariate(self._rates[part]) * US_PER_S)
            if found_us < end_us:
                return found_us
            now_us, part = end_us, part + 1
        return _DAY_US

    # -- pods ---------------------------------------------------------------------------------

    def _begin(self, now_us: int, start_us: int, ready_us: int) -> Replica:
        """A pod, and the first sample of its kubelet."""
        pod = Replica(self._experiment, start_us, ready_us, self._chance)
        self._living.append(pod)
        self._at(now_us, self._sample, pod)
        return pod

    def _get_ready(self, now_us: int, pod: Replica) -> None:
        if pod.stopping_us is None:
            self._ready.append(pod)

    def _stop(self, now_us: int, pod: Replica) -> None:
        """Out of the Service at once; it works on what it holds until its grace period is over."""
        pod.stopping_us = now_us
        self._living.remove(pod)
        self._stopping.append(pod)
        if pod in self._ready:
            self._ready.remove(pod)
        self._at(now_us + self._experiment.grace_s * US_PER_S, self._kill, pod)

    def _kill(self, now_us: int, pod: Replica) -> None:
        pod.work_until(now_us)
        self._stopping.remove(pod)
        self._gone_us += pod.spent_us
        self.course.served += pod.served
        self.course.lost += pod.held

    # -- metrics and autoscaler ---------------------------------------------------------------

    def _sample(self, now_us: int, pod: Replica) -> None:
        """The kubelet reads the counter of a pod."""
        if pod.stopping_us is not None:
            return
        pod.work_until(now_us)
        pod.newest = Sample(now_us, pod.spent_us)
        self._at(now_us + round(_KUBELET_US * (1.0 + self._chance.random())), self._sample, pod)

    def _scrape(self, now_us: int, distance_us: int) -> None:
        for pod in self._living:
            pod.scraper.scrape(now_us, pod.newest)
        self._at(now_us + distance_us, self._scrape, distance_us)

    def _sync(self, now_us: int) -> None:
        current = len(self._living)
        seen = [Seen(pod.start_us, pod.ready_us, pod.scraper.figure(now_us)) for pod in self._living]
        wanted = self._autoscaler.size(now_us, current, seen)
        for _ in range(wanted - current):
            ready_us = now_us + self._experiment.start_up_s * US_PER_S
            self._at(ready_us, self._get_ready, self._begin(now_us, now_us, ready_us))
        for pod in sorted(self._living, key=lambda pod: (pod.age_power(now_us), pod.uid))[: max(0, current - wanted)]:
            self._stop(now_us, pod)
        took_us = round(self._chance.uniform(*_EVALUATION_S) * US_PER_S)
        self._at(now_us + took_us + self._experiment.sync_s * US_PER_S, self._sync)

    # -- what is kept -------------------------------------------------------------------------

    def _row(self, now_us: int) -> None:
        pods = [*self._living, *self._stopping]
        for pod in pods:
            pod.work_until(now_us)
        self.course.pods.append(len(self._living))
        self.course.in_flight.append(sum(pod.held for pod in pods))
        self.course.cpu_s.append((self._gone_us + sum(pod.spent_us for pod in pods)) / US_PER_S)
        self._at(now_us + ROW_S * US_PER_S, self._row)

    def _finish(self) -> None:
        self.course.served += sum(pod.served for pod in [*self._living, *self._stopping])
