"""The pods of a what-if: they come and go, share the load evenly, and are measured as the plan's pipeline measures.

Times are microseconds, CPU is milli-CPU. All chance comes from one fixed seed, so that a preview does not flicker.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from planner.engine.draws import Draws, key_of, key_within
from planner.hpa.metrics.counter_rates import CounterRates
from planner.hpa.metrics.kubelet_samples import KubeletSamples, Served
from planner.hpa.metrics.metrics_pipeline import NEVER_US, UsageSamples
from planner.hpa.rules.pod_evaluation import PodColumns, evaluate_pods
from planner.hpa.rules.replica_calculator import Proposal, Tolerance
from planner.hpa.rules.series_evaluation import evaluate_series
from planner.hpa.rules.settings import HpaSettings
from planner.hpa.rules.spec import MetricSpec
from planner.plan.model.autoscalers.hpa_metric import MetricSource, ResourceName, TargetType
from planner.plan.model.autoscalers.metrics_pipeline import MetricsPipelineSettings, Sampling
from planner.units import US_PER_MIN, US_PER_S

Ints = NDArray[np.int64]
EXACT = MetricsPipelineSettings(sampling=Sampling.SAMPLED, phase=15 * US_PER_S)
_BEFORE_US = 10 * US_PER_MIN
"""How long the pods of the start have run at the beginning of the plot; rules and samples know only times from 0 on."""
_STEP_US = 15 * US_PER_S
_NO_LIMIT = 1 << 40
_SEED = 1


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
    """When the autoscaler evaluates, and the way of the use of pods to it; without settings exact and undelayed."""

    sync_us: int = 15 * US_PER_S
    evaluation_us: int = 0
    """How long an evaluation takes."""
    pipeline: MetricsPipelineSettings = EXACT


class PlayedPods:
    """Pods by number, and what the autoscaler sees of them. Times are those of the plot."""

    def __init__(self, metric: MetricSpec, pods: WhatIfPods, load: LoadShape, clock: Clockwork) -> None:
        self.metric = metric
        self._pods, self._load, self._clock = pods, load, clock
        pipeline = clock.pipeline
        self._created_us: Ints = np.full(pods.replicas, -_BEFORE_US, np.int64)
        self._rows: Ints = np.arange(pods.replicas)
        self._made = pods.replicas
        self._samples = UsageSamples(pipeline.delay)
        self._kubelets: KubeletSamples | None = None
        self._rates: CounterRates | None = None
        if pipeline.sampling is not Sampling.SAMPLED:
            key = key_of("what if")
            self._kubelets = KubeletSamples(
                pipeline.kubelet_interval,
                pipeline.scrape_interval,
                Draws(_SEED),
                lambda rows: key_within(key, rows.astype(np.uint64)),
            )
        if pipeline.sampling is Sampling.RATE:
            self._rates = CounterRates(pipeline.rate_window)

    def syncs(self, until_us: int) -> Iterator[int]:
        """Times of the evaluations; pods are measured on the way."""
        scrape_us, interval_us = self._first_scrape_us(), self._clock.pipeline.scrape_interval
        step_us, now_us = 0, self._clock.sync_us
        while now_us <= until_us:
            while min(scrape_us, step_us) <= now_us:
                if scrape_us <= step_us:
                    self._scrape(scrape_us)
                    scrape_us += interval_us
                else:
                    self._spend(step_us)
                    step_us += _STEP_US
            self._look(now_us)
            yield now_us
            now_us += self._clock.sync_us + self._clock.evaluation_us

    def resize(self, replicas: int, now_us: int) -> None:
        """New pods are created, or the youngest go."""
        kept = min(replicas, len(self._rows))
        new = replicas - kept
        self._created_us = np.concatenate([self._created_us[:kept], np.full(new, now_us, np.int64)])
        self._rows = np.concatenate([self._rows[:kept], np.arange(self._made, self._made + new)])
        self._made += new

    def ready_count(self, now_us: int) -> int:
        """Pods that serve."""
        return int(np.count_nonzero(self._ready(now_us)))

    def propose(self, current: int, now_us: int, tolerance: Tolerance, settings: HpaSettings) -> Proposal:
        """The proposal of the metric. Raises MetricFailed."""
        if self.metric.source in (MetricSource.OBJECT, MetricSource.EXTERNAL):
            total, pods = self._series_milli(now_us - self._clock.pipeline.delay), len(self._rows)
            return evaluate_series(self.metric, total, current, pods, self.ready_count(now_us), tolerance)
        return evaluate_pods(self.metric, self._columns(now_us), current, now_us + _BEFORE_US, tolerance, settings)

    # -- measuring ----------------------------------------------------------------------------

    def _first_scrape_us(self) -> int:
        """Real scrapes went on before; without a phase they come half an interval after syncs of the same period."""
        pipeline = self._clock.pipeline
        phase_us = pipeline.scrape_interval // 2 if pipeline.phase is None else pipeline.phase
        if self._kubelets is None:
            return phase_us
        needed_us = min(_BEFORE_US, pipeline.rate_window + 2 * pipeline.scrape_interval)
        return phase_us - needed_us // pipeline.scrape_interval * pipeline.scrape_interval

    def _spend(self, now_us: int) -> None:
        """What ready pods have used so far; their use since the last call is that of its beginning."""
        if self._kubelets is not None:
            ready = self._ready(now_us)
            rows, started_us = self._rows[ready], (self._created_us + self._pods.startup_us)[ready] + _BEFORE_US
            self._kubelets.advance(now_us + _BEFORE_US, rows, self._use_milli(now_us - 1)[ready], started_us)

    def _scrape(self, now_us: int) -> None:
        self._spend(now_us)
        ready = self._ready(now_us)
        rows, shifted_us = self._rows[ready], now_us + _BEFORE_US
        if self._kubelets is None:
            usage = self._use_milli(now_us)[ready]
            self._samples.record(shifted_us, self._clock.pipeline.scrape_interval, rows, usage)
        elif self._rates is not None:
            self._rates.scrape(shifted_us, self._kubelets.newest(rows))
        else:
            started_us = (self._created_us + self._pods.startup_us)[ready] + _BEFORE_US
            self._record(shifted_us, self._kubelets.scrape(rows, started_us))

    def _look(self, now_us: int) -> None:
        """The autoscaler is about to look."""
        if self._rates is not None:
            self._record(now_us + _BEFORE_US, self._rates.query(now_us + _BEFORE_US))
        self._samples.advance(now_us + _BEFORE_US)
        self._samples.reserve(self._made)

    def _record(self, shifted_us: int, served: Served) -> None:
        self._samples.record(shifted_us, served.window_us, served.pods, served.usage_milli, None, served.time_us)

    def _columns(self, now_us: int) -> PodColumns:
        self._samples.reserve(self._made)
        is_cpu = self.metric.name == ResourceName.CPU and self.metric.source is not MetricSource.PODS
        ready, rows, samples = self._ready(now_us), self._rows, self._samples
        has_sample = samples.time_us[rows] != NEVER_US
        count = len(rows)
        return PodColumns(
            usage=samples.usage_milli[rows],
            request=np.full(count, self._pods.request_milli),
            ignored=np.zeros(count, np.bool_),
            pending=~ready,
            not_ready=~ready,
            has_sample=has_sample,
            answered=int(np.count_nonzero(has_sample)),
            start_us=self._created_us + _BEFORE_US,
            ready_transition_us=self._created_us + self._pods.startup_us + _BEFORE_US,
            sample_us=samples.time_us[rows],
            window_us=samples.window_us[rows],
            is_cpu=is_cpu,
        )

    # -- load ---------------------------------------------------------------------------------

    def _use_milli(self, time_us: int) -> Ints:
        """What each pod uses; 0 before it is ready."""
        ready = self._ready(time_us)
        burns = ready & (time_us < self._created_us + self._pods.startup_us + self._pods.startup_cpu_us)
        limit = _NO_LIMIT if self._pods.limit_milli < 0 else self._pods.limit_milli
        each = self._work_milli(time_us) // max(1, int(np.count_nonzero(ready)))
        use = np.where(ready, each, 0) + np.where(burns, self._pods.startup_cpu_milli, 0)
        return np.asarray(np.minimum(limit, use), np.int64)

    def _work_milli(self, time_us: int) -> int:
        """The work of all pods together; at factor 1 the replicas of the start are at the target."""
        return round(self._at_target_milli() * self._pods.replicas * self._load.at(time_us))

    def _at_target_milli(self) -> int:
        """What a pod uses at the target."""
        if self.metric.target_type is TargetType.UTILIZATION:
            return self._pods.request_milli * self.metric.target // 100
        return self.metric.target

    def _series_milli(self, time_us: int) -> int:
        """The value of the series; at factor 1 it calls for the replicas of the start."""
        is_each = self.metric.target_type is TargetType.AVERAGE_VALUE
        return round(self.metric.target * (self._pods.replicas if is_each else 1) * self._load.at(time_us))

    def _ready(self, now_us: int) -> NDArray[np.bool_]:
        return np.asarray(self._created_us + self._pods.startup_us <= now_us, np.bool_)
