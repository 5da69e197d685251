"""How many jobs a ScaledJob creates at a poll: KEDA 2.18, pkg/scaling/executor/scale_jobs.go, scaledjob/metrics.go."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from planner.keda.rules.metric_amounts import carried
from planner.keda.rules.scale_loop import UNKNOWN, KedaCondition


class JobStrategy(StrEnum):
    """How running jobs count against the queue."""

    DEFAULT = "default"
    CUSTOM = "custom"
    ACCURATE = "accurate"
    EAGER = "eager"


class Combination(StrEnum):
    """How the queues of several triggers count together."""

    MAX = "max"
    MIN = "min"
    AVG = "avg"
    SUM = "sum"


_MOST = 100


@dataclass(frozen=True)
class ScaledJobSpec:
    """Bounds and strategy."""

    min_replicas: int = 0
    max_replicas: int | None = None
    """Of all jobs; None: 100 beyond the minimum (KEDA 2.18, apis/keda/v1alpha1/scaledjob_types.go, MaxReplicaCount)."""
    strategy: JobStrategy = JobStrategy.DEFAULT
    combination: Combination = Combination.MAX
    deduction: int = 0
    percentage: float | None = None
    """Share of running jobs that the custom strategy counts; None: not a number."""

    @property
    def least(self) -> int:
        """Jobs that always run."""
        return self.min_replicas if self.max_replicas is None else min(self.min_replicas, self.max_replicas)

    @property
    def most(self) -> int:
        """Jobs beyond the minimum."""
        if self.max_replicas is None:
            return _MOST
        return self.max_replicas if self.min_replicas > self.max_replicas else self.max_replicas - self.min_replicas


class JobTrigger(NamedTuple):
    """A trigger with its value; None: it failed."""

    value: float | None
    target: float
    activation: float = 0.0


class QueueState(NamedTuple):
    """What the triggers say together."""

    is_active: bool
    has_error: bool
    wanted: int
    most: int


def queue_state(spec: ScaledJobSpec, triggers: Sequence[JobTrigger]) -> QueueState:
    """Jobs that the queues want, and the most that they allow."""
    known = [
        (carried(one.value), min(carried(one.value) / (carried(one.target) or math.inf), float(spec.most)))
        for one in triggers
        if one.value is not None and one.value > one.activation
    ]
    if spec.combination is Combination.MAX:
        known = [one for one in known if one[0] > 0.0]
    queue, most = _together(known, spec.combination) if known else (0.0, 0.0)
    has_error = any(one.value is None for one in triggers)
    return QueueState(
        bool(known) or spec.least > 0, has_error, math.ceil(queue), math.ceil(min(most, float(spec.most)))
    )


def jobs_to_create(spec: ScaledJobSpec, queue: QueueState, running: int, pending: int) -> int:
    """Jobs that one poll adds to unfinished ones, of which some are pending."""
    if running < spec.least:
        return spec.least - running
    beyond, most, wanted = running - spec.least, spec.most, queue.wanted
    strategy = spec.strategy
    if strategy is JobStrategy.CUSTOM and spec.percentage is None:
        strategy = JobStrategy.DEFAULT
    if strategy is JobStrategy.CUSTOM:
        limit = min(queue.most - spec.deduction - int(beyond * (spec.percentage or 0.0)), most)
    elif strategy is JobStrategy.ACCURATE:
        limit = most - beyond if queue.most + beyond > most else queue.most - pending
    elif strategy is JobStrategy.EAGER:
        limit, wanted = min(most - beyond - pending, queue.most), most
    else:
        limit = queue.most - beyond
    return min(wanted, limit) if queue.is_active and limit > 0 else 0


def job_conditions(
    queue: QueueState, ready: KedaCondition = UNKNOWN, active: KedaCondition = UNKNOWN
) -> tuple[KedaCondition, KedaCondition]:
    """The conditions Ready and Active after a poll."""
    if queue.has_error:
        ready = KedaCondition(None, "PartialTriggerError") if ready.status is not None else ready
    elif not ready.status:
        ready = KedaCondition(True, "ScaledJobReady")
    if active.status is None or active.status != queue.is_active:
        active = KedaCondition(queue.is_active, "ScalerActive" if queue.is_active else "ScalerNotActive")
    return ready, active


def _together(known: Sequence[tuple[float, float]], how: Combination) -> tuple[float, float]:
    if how is Combination.MAX:
        return max(known, key=lambda one: one[0])
    if how is Combination.MIN:
        least = known[0]
        for one in known[1:]:  # a queue of 0 counts as not known yet, as upstream
            least = one if least[0] == 0.0 or one[0] < least[0] else least
        return least
    queue, most = sum(one[0] for one in known), sum(one[1] for one in known)
    return (queue, most) if how is Combination.SUM else (queue / len(known), most / len(known))
