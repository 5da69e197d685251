"""One step of the pods that fetch from queues.

A pod holds up to a batch of messages and works on all of them at once, as far as its CPU allows; it fetches the next
one when one is done. So nothing waits at the pods, and no message is lost. docs/model.md, "Queues of messages".
"""

from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np

from planner.plan.model.serving import MessageQueue
from planner.units import US_PER_S
from planner.workloads.load.demand import Floats
from planner.workloads.load.step.pod_groups import PodGroups


@dataclass(frozen=True)
class QueueColumns:
    """Settings of queues; inf where there is no bound."""

    batch: Floats
    visibility_s: Floats
    partitions: Floats

    @classmethod
    def of(cls, queues: list[MessageQueue]) -> Self:
        """Of queues, in order."""
        return cls(
            np.array([one.batch_size for one in queues], np.float64),
            np.array([one.visibility_timeout / US_PER_S or np.inf for one in queues]),
            np.array([one.partitions or np.inf for one in queues]),
        )

    def take(self, rows: np.ndarray) -> Self:
        """Some of them."""
        return type(self)(self.batch[rows], self.visibility_s[rows], self.partitions[rows])


class Consumers(NamedTuple):
    """The pods of each queue, in columns; zeros where there are none."""

    active: Floats
    """Pods that have something to do while messages wait."""
    rate: Floats
    """Messages per second that each of them works through."""
    shortest_s: Floats
    """Time of a message at a pod that holds no other."""


class Consumed(NamedTuple):
    """What a step leads to, in columns: arrived + before = done + waiting + held."""

    done: Floats
    worked: Floats
    """Messages that were worked through, those that are delivered again included."""
    waiting: Floats
    held: Floats
    hold_s: Floats
    """Mean time of a message at a pod; nan where no pod takes any."""


def consumers_of(groups: PodGroups, queues: QueueColumns) -> Consumers:
    """Pods that fetch from queues: those of one queue are alike, so each queue has one group or none."""
    n = len(queues.batch)
    active, rate, shortest = np.zeros((3, n))
    working = groups.working
    rows = np.flatnonzero(working.takes)
    at = working.service[rows]
    alone_s = working.demands.floor_s[rows] + working.service_s[rows]
    active[at] = np.minimum(working.weight[rows], queues.partitions[at])
    rate[at] = np.minimum(working.capacity_rate[rows], queues.batch[at] / alone_s)
    shortest[at] = alone_s
    return Consumers(active, rate, shortest)


def room_of(queues: QueueColumns, pods: Consumers, held: Floats, dt_s: Floats) -> Floats:
    """Messages that the pods of each queue can fetch in a step, with so many in their hands already."""
    return np.asarray(np.maximum(0.0, pods.active * (pods.rate * dt_s + queues.batch) - held))


def consume(queues: QueueColumns, pods: Consumers, before: Floats, arrived: Floats, dt_s: Floats) -> Consumed:
    """A step in which so many messages arrive evenly, with so many `before` that wait or are worked on.

    A message that takes longer than the visibility timeout is worked on once more for each time that it passes.
    """
    could, room = pods.active * pods.rate, pods.active * queues.batch
    whole = before + arrived
    full_s = np.where(could > 0.0, room / np.where(could > 0.0, could, 1.0), np.inf)
    begun = np.minimum(arrived / dt_s * pods.shortest_s, room)
    is_full = whole - could * dt_s > begun
    hold_s = np.where(is_full, np.maximum(full_s, pods.shortest_s), pods.shortest_s)
    deliveries = 1.0 + np.floor(np.where(np.isfinite(hold_s), hold_s, 0.0) / queues.visibility_s)
    done = np.clip(np.minimum(whole - begun, could / deliveries * dt_s), 0.0, None)
    left = whole - done
    held = np.minimum(left, room)
    return Consumed(done, done * deliveries, left - held, held, np.where(could > 0.0, hold_s, np.nan))
