"""The reaction of a single autoscaler to a step or a spike of load, for the plot next to its form.

No nodes, no scheduler, no queue: pods start after a fixed time and share the load evenly. The evaluations are
those of a run. Times are microseconds, CPU is milli-CPU.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from planner.hpa.rules.history import HpaMemory
from planner.hpa.rules.multi_metric import MetricsResult, combine, effective_tolerance, outcome_of
from planner.hpa.rules.pod_evaluation import PodColumns, evaluate_pods
from planner.hpa.rules.reconcile import EvaluationInputs, HpaStatus, evaluate
from planner.hpa.rules.replica_calculator import Proposal, Tolerance, known_value
from planner.hpa.rules.series_evaluation import evaluate_series
from planner.hpa.rules.settings import HpaSettings
from planner.hpa.rules.spec import HpaSpec, MetricSpec
from planner.plan.model.autoscalers.hpa_metric import MetricSource, ResourceName, TargetType
from planner.units import US_PER_MIN, US_PER_S

Ints = NDArray[np.int64]
_LONG_AGO_US = 10 * US_PER_MIN
_NO_LIMIT = 1 << 40


@dataclass(frozen=True, slots=True)
class LoadShape:
    """Load as a multiple of what keeps the replicas at the start exactly at the target."""

    factor: float
    at_us: int = US_PER_MIN
    hold_us: int | None = None
    """Length of a spike; None: a step that stays."""

    def at(self, time_us: int) -> float:
        """The multiple at a time."""
        is_over = self.hold_us is not None and time_us >= self.at_us + self.hold_us
        return self.factor if time_us >= self.at_us and not is_over else 1.0


@dataclass(frozen=True, slots=True)
class WhatIfPods:
    """The pods of the workload."""

    replicas: int
    """At the start; all have been ready for a long time."""
    request_milli: int = 1000
    limit_milli: int = -1
    """-1: none."""
    startup_us: int = 10 * US_PER_S
    """From the creation of a pod until it is Ready."""
    startup_cpu_milli: int = 0
    startup_cpu_us: int = 0


@dataclass(frozen=True, slots=True)
class Clockwork:
    """When the use of pods is sampled and the autoscaler evaluated."""

    sync_us: int = 15 * US_PER_S
    resolution_us: int = 15 * US_PER_S
    delay_us: int = 0


class ReactionStep(NamedTuple):
    """The state after one evaluation. `observed`: percent for Utilization, else in units of the metric."""

    time_us: int
    load: float
    replicas: int
    ready: int
    observed: float | None
    limited: str


def react(
    spec: HpaSpec,
    settings: HpaSettings,
    pods: WhatIfPods,
    load: LoadShape,
    clock: Clockwork | None = None,
    duration_us: int = 30 * US_PER_MIN,
) -> list[ReactionStep]:
    """Play the first metric of the autoscaler against the load; one step an evaluation."""
    stage = _PlayedPods(spec.metrics[0], pods, load, clock or Clockwork())
    tolerance = effective_tolerance(spec, settings)
    current, status, memory, steps = pods.replicas, HpaStatus(), HpaMemory(), list[ReactionStep]()
    for now_us in stage.syncs(duration_us):

        def read(current: int = current, now_us: int = now_us) -> MetricsResult:
            compute = partial(stage.propose, current, now_us, tolerance, settings)
            return combine([outcome_of(stage.metric, compute)], current)

        outcome = evaluate(EvaluationInputs(now_us, spec, settings, current, read), status, memory)
        status, memory = outcome.status, outcome.memory
        current = current if outcome.replicas is None else outcome.replicas
        stage.resize(current, now_us)
        limited = str(outcome.normalized.limited) if outcome.normalized and outcome.normalized.is_limited else ""
        observed = _observed(outcome.metrics)
        steps.append(ReactionStep(now_us, load.at(now_us), current, stage.ready_count(now_us), observed, limited))
    return steps


def _observed(result: MetricsResult | None) -> float | None:
    proposal = None if result is None else result.outcomes[0].proposal
    if proposal is None:
        return None
    if proposal.utilization_pct is not None:
        return float(proposal.utilization_pct)
    value_milli = known_value(proposal.value_milli)
    return None if value_milli is None else value_milli / 1000


@dataclass(slots=True)
class _PlayedPods:
    """Pods that come and go, and their samples."""

    metric: MetricSpec
    pods: WhatIfPods
    load: LoadShape
    clock: Clockwork
    created_us: Ints = field(init=False)
    sample_us: Ints = field(init=False)
    usage: Ints = field(init=False)

    def __post_init__(self) -> None:
        self.created_us = np.full(self.pods.replicas, -_LONG_AGO_US, np.int64)
        self.sample_us = np.full(self.pods.replicas, -1, np.int64)
        self.usage = np.zeros(self.pods.replicas, np.int64)

    def syncs(self, until_us: int) -> Iterator[int]:
        """Times of the evaluations; samples are taken on the way."""
        next_sample_us = self.clock.resolution_us
        for now_us in range(self.clock.sync_us, until_us + 1, self.clock.sync_us):
            while next_sample_us <= now_us - self.clock.delay_us:
                self._sample(next_sample_us)
                next_sample_us += self.clock.resolution_us
            yield now_us

    def resize(self, replicas: int, now_us: int) -> None:
        """New pods are created, or the youngest go."""
        kept = min(replicas, len(self.created_us))
        new = replicas - kept
        self.created_us = np.concatenate([self.created_us[:kept], np.full(new, now_us, np.int64)])
        self.sample_us = np.concatenate([self.sample_us[:kept], np.full(new, -1, np.int64)])
        self.usage = np.concatenate([self.usage[:kept], np.zeros(new, np.int64)])

    def ready_count(self, now_us: int) -> int:
        """Pods that serve."""
        return int(np.count_nonzero(self._ready(now_us)))

    def propose(self, current: int, now_us: int, tolerance: Tolerance, settings: HpaSettings) -> Proposal:
        """The proposal of the metric. Raises MetricFailed."""
        if self.metric.source in (MetricSource.OBJECT, MetricSource.EXTERNAL):
            total, pods = self._series_milli(now_us - self.clock.delay_us), len(self.created_us)
            return evaluate_series(self.metric, total, current, pods, self.ready_count(now_us), tolerance)
        # Pods of the start are older than the plot, and the rules know only times from 0 on.
        shifted_us = now_us + _LONG_AGO_US
        return evaluate_pods(self.metric, self._columns(now_us), current, shifted_us, tolerance, settings)

    def _columns(self, now_us: int) -> PodColumns:
        is_cpu = self.metric.name == ResourceName.CPU and self.metric.source is not MetricSource.PODS
        ready, has_sample = self._ready(now_us), self.sample_us >= 0
        count = len(self.created_us)
        return PodColumns(
            usage=self.usage,
            request=np.full(count, self.pods.request_milli),
            ignored=np.zeros(count, np.bool_),
            pending=~ready,
            not_ready=~ready,
            has_sample=has_sample,
            answered=int(np.count_nonzero(has_sample)),
            start_us=self.created_us + _LONG_AGO_US,
            ready_transition_us=self.created_us + self.pods.startup_us + _LONG_AGO_US,
            sample_us=self.sample_us + _LONG_AGO_US,
            window_us=np.full(count, self.clock.resolution_us),
            is_cpu=is_cpu,
        )

    def _sample(self, time_us: int) -> None:
        ready = self._ready(time_us)
        burns = ready & (time_us < self.created_us + self.pods.startup_us + self.pods.startup_cpu_us)
        limit = _NO_LIMIT if self.pods.limit_milli < 0 else self.pods.limit_milli
        each = self._work_milli(time_us) // max(1, int(np.count_nonzero(ready)))
        use = np.minimum(limit, np.where(ready, each, 0) + np.where(burns, self.pods.startup_cpu_milli, 0))
        self.usage = np.where(ready, use, self.usage)
        self.sample_us = np.where(ready, time_us, self.sample_us)

    def _work_milli(self, time_us: int) -> int:
        """The work of all pods together; at factor 1 the replicas of the start are at the target."""
        return round(self._at_target_milli() * self.pods.replicas * self.load.at(time_us))

    def _at_target_milli(self) -> int:
        """What a pod uses at the target."""
        if self.metric.target_type is TargetType.UTILIZATION:
            return self.pods.request_milli * self.metric.target // 100
        return self.metric.target

    def _series_milli(self, time_us: int) -> int:
        """The value of the series; at factor 1 it calls for the replicas of the start."""
        base = self.metric.target * (self.pods.replicas if self.metric.target_type is TargetType.AVERAGE_VALUE else 1)
        return round(base * self.load.at(time_us))

    def _ready(self, now_us: int) -> NDArray[np.bool_]:
        return np.asarray(self.created_us + self.pods.startup_us <= now_us, np.bool_)
