"""The queues of a run: what waits in each, how old the oldest message is, and the steps of their workloads."""

from collections.abc import Sequence

import numpy as np

from planner.plan.model.demand import Demand
from planner.plan.model.serving import Balancer, MessageQueue, Retries
from planner.units import US_PER_S
from planner.workloads.latency.gamma import DEVIATES, gamma_quantile
from planner.workloads.load.demand import Floats, Ints
from planner.workloads.load.messages.ages import WaitingMessages
from planner.workloads.load.messages.consumption import (
    Consumed,
    Consumers,
    QueueColumns,
    consume,
    consumers_of,
    room_of,
)
from planner.workloads.load.messages.queue_shares import QueueShares
from planner.workloads.load.serving_pods import ServingPods
from planner.workloads.load.step.load_step import WorkloadSteps
from planner.workloads.load.step.pod_groups import PodGroups
from planner.workloads.served_workload import ServedWorkload


def demand_of_consumers(demand: Demand, queue: MessageQueue) -> Demand:
    """How pods work that fetch messages: they take from one queue, a batch at once, and refuse none."""
    workers = queue.batch_size if demand.workers is None else min(demand.workers, queue.batch_size)
    settings = {
        "workers": workers,
        "balancer": Balancer.SHARED_QUEUE,
        "queue_limit": None,
        "connection_limit": None,
        "timeout": 0,
        "retries": Retries(),
    }
    return demand.model_copy(update=settings)


class MessageQueues:
    """By position of the workload; most workloads have none."""

    def __init__(self, items: Sequence[ServedWorkload]) -> None:
        given = [(position, item) for position, item in enumerate(items) if item.queue is not None]
        queues = [item.queue for _, item in given if item.queue is not None]
        self._columns = QueueColumns.of(queues)
        self.shares = QueueShares(items)
        self._number = np.full(len(items), -1, np.int64)
        self._number[[position for position, _ in given]] = np.arange(len(given))
        self.waiting = np.zeros(len(items))
        """Messages that no pod has fetched."""
        self.waiting[[position for position, _ in given]] = [one.backlog for one in queues]
        self.age_s = np.zeros(len(items))
        """Since when the oldest of them waits, at the end of the latest step."""
        self._ages = [WaitingMessages(one.backlog) for one in queues]
        self._most_rate, self._most_pods = np.full((2, len(items)), np.inf)
        for position, item in given:
            alone_s = item.demand.latency_floor / US_PER_S
            alone_s += item.demand.cpu_seconds_per_request / item.demand.parallelism
            self._most_rate[position] = self._columns.batch[self._number[position]] / alone_s
            self._most_pods[position] = self._columns.partitions[self._number[position]]

    def __bool__(self) -> bool:
        return len(self._ages) > 0

    def are(self, positions: Ints) -> np.ndarray:
        """Which of these workloads have a queue."""
        return np.asarray(self._number[positions] >= 0)

    def reaching(self, rates: Floats, ready: Ints, step_us: int) -> Floats:
        """Requests per second that reach the pods: from a queue also what waits, but no more than they can fetch."""
        most, there = self._most_rate * np.minimum(ready, self._most_pods), rates + self.waiting * (US_PER_S / step_us)
        if self.shares:
            there = there[self.shares.owner] * self.shares.of_all(there, most)
        return np.where(self._number >= 0, np.minimum(there, most), rates)

    def take_back(self, lost: Floats, now_us: int) -> Floats:
        """Messages that were lost with the last pods wait again; what others have lost."""
        mine = np.flatnonzero((lost > 0.0) & (self._number >= 0))
        for position in mine.tolist():
            owner = self.shares.owner[position]
            self._ages[self._number[owner]].give_back(float(lost[position]), now_us)
            self.waiting[owner] += lost[position]
        return np.where(self._number >= 0, 0.0, lost)

    def step(self, part: Ints, rate: Floats, now_us: int, dt_us: Ints, pods: ServingPods) -> WorkloadSteps:
        """A step of the workloads at `part`, all of which have a queue, and with each all that share it."""
        number, groups, dt_s = self._number[part], pods.groups(part), dt_us / US_PER_S
        queues, arrived = self._columns.take(number), rate * dt_s
        inside = pods.held(part)
        held = np.bincount(groups.service, groups.count * inside, minlength=len(part)).astype(np.float64)
        consumers, waited = consumers_of(groups, queues), self.waiting[part]
        if self.shares:
            offered, consumed = self._consume_shared(part, arrived, held, consumers, dt_s)
        else:
            offered, consumed = arrived, consume(queues, consumers, waited + held, arrived, dt_s)
        self._follow(part, arrived, consumed.waiting, now_us, dt_us)
        each = 1.0 / np.maximum(groups.weight, 1.0) * groups.takes
        pods.keep(part, consumed.held[groups.service] * each, consumed.worked[groups.service] * each, dt_us)
        return self._steps(part, groups, offered, consumed)

    def _consume_shared(
        self, part: Ints, arrived: Floats, held: Floats, consumers: Consumers, dt_s: Floats
    ) -> tuple[Floats, Consumed]:
        """A step where workloads share queues, and what each was offered: a guest what it fetched, an owner all."""
        queues = self._columns.take(self._number[part])
        room = room_of(queues, consumers, held, dt_s)
        waited, came = self.shares.spread(part, self.waiting[part], arrived, room)
        found = consume(queues, consumers, waited + held, came, dt_s)
        fetched = waited + came - found.waiting
        is_owner = self.shares.owner[part] == part
        waiting = self.shares.gathered(part, found.waiting)
        return np.where(is_owner, arrived, fetched), found._replace(waiting=waiting)

    def _follow(self, part: Ints, arrived: Floats, waiting: Floats, now_us: int, dt_us: Ints) -> None:
        """Which messages wait now; queues that were empty and are empty need no look."""
        at = np.flatnonzero((waiting > 0.0) | (self.waiting[part] > 0.0))
        self.waiting[part] = waiting
        self.age_s[part] = 0.0
        for position, came, left, length_us in zip(part[at], arrived[at], waiting[at], dt_us[at], strict=True):
            ages = self._ages[self._number[position]]
            ages.add(float(now_us - length_us), float(now_us), float(came))
            ages.leave(float(left))
            self.age_s[position] = (now_us - ages.oldest_us(now_us)) / US_PER_S
        if self.shares:
            self.age_s[part] = self.age_s[self.shares.owner[part]]

    def _steps(self, part: Ints, groups: PodGroups, offered: Floats, consumed: Consumed) -> WorkloadSteps:
        """Latency is the age of the oldest message and its time at a pod; without pods its age so far."""
        age_s, hold_s, n = self.age_s[part], consumed.hold_s, len(part)
        working, variance = groups.working, np.zeros(n)
        demands = working.demands
        scatter = np.square(demands.cv * working.service_s) + np.square(demands.floor_cv * demands.floor_s)
        variance[working.service] = scatter
        without = np.isnan(hold_s)
        hold_s, variance = np.where(without, 0.0, hold_s), np.where(without, 0.0, variance)
        quantiles = [age_s + gamma_quantile(hold_s, variance, deviate) for deviate in DEVIATES.values()]
        unknown = without & (consumed.waiting <= 0.0)
        p50_s, p90_s, p95_s, p99_s, mean_s = (
            np.where(unknown, np.nan, column) for column in (*quantiles, age_s + hold_s)
        )
        zeros = np.zeros(n)
        return WorkloadSteps(
            offered, consumed.done, zeros, zeros, consumed.waiting + consumed.held, mean_s, p50_s, p90_s, p95_s, p99_s,
            zeros, variance, zeros, zeros, zeros,
        )  # fmt: skip


def joined(count: int, parts: Sequence[tuple[Ints, WorkloadSteps]]) -> WorkloadSteps:
    """Steps of different workloads as one, each at its places among `count`."""
    columns = np.empty((len(WorkloadSteps._fields), count))
    for places, steps in parts:
        columns[:, places] = np.stack(steps)
    return WorkloadSteps(*columns)
