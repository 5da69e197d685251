"""Evaluates all planned autoscalers against the cluster: gathers arrays, calls the rules, writes the scale."""

import math
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from planner.hpa.conditions import Condition
from planner.hpa.evaluation_record import evaluation_decision
from planner.hpa.history import HpaMemory
from planner.hpa.metric_reader import MetricReader
from planner.hpa.metrics_pipeline import UsageSamples
from planner.hpa.multi_metric import MetricsResult, combine, effective_tolerance, outcome_of
from planner.hpa.reconcile import EvaluationInputs, HpaStatus, MetricStatus, Outcome, evaluate
from planner.hpa.replica_calculator import Tolerance
from planner.hpa.rest import is_at_rest, longest_window_us
from planner.hpa.series_values import SeriesValues
from planner.hpa.settings import HpaSettings
from planner.hpa.spec import spec_from_plan
from planner.plan.horizontal_pod_autoscaler import HorizontalPodAutoscaler
from planner.plan.hpa_metric import SERIES_SOURCES
from planner.plan.hpa_spec import HpaSpec, MetricSpec
from planner.record.decisions import Actor, Decision
from planner.state.cluster import Cluster

Decide = Callable[[Decision], None]
Repeat = Callable[[Actor, str, int], None]
"""Count further equal decisions of an actor about a subject."""


class HpaSync(NamedTuple):
    """One evaluation as the report shows it."""

    namespace: str
    name: str
    before: int
    after: int
    observed: int | None
    """Utilization in percent, or average in milli-units, of the first metric; None if it failed or was not read."""
    conditions: tuple[Condition, ...] = ()
    failed: bool = False
    """The evaluation ended with an error."""


@dataclass(slots=True)
class _Autoscaler:
    """One autoscaler of the run with what the controller keeps of it."""

    name: str
    namespace: str
    workload: int
    spec: HpaSpec
    tolerance: Tolerance
    reader: MetricReader
    series: tuple[MetricSpec, ...]
    """Its metrics that read a series."""
    window_us: int
    """How far back a recommendation may count."""
    status: HpaStatus = field(default_factory=HpaStatus)
    memory: HpaMemory = field(default_factory=HpaMemory)
    seen_series: tuple[int | None, ...] = ()


class HpaController:
    """The HPA controller of a run; its memory starts empty."""

    def __init__(
        self,
        cluster: Cluster,
        samples: UsageSamples,
        autoscalers: Iterable[HorizontalPodAutoscaler],
        settings: HpaSettings,
        decide: Decide,
        series: SeriesValues | None = None,
        repeat: Repeat | None = None,
        skip_unchanged: bool = True,
    ) -> None:
        """`skip_unchanged`: an autoscaler at rest whose inputs did not change is not computed again (see `rest`)."""
        self._cluster = cluster
        self._samples = samples
        self._series = series or SeriesValues()
        self._settings = settings
        self._decide = decide
        self._repeat = repeat
        self._skip_unchanged = skip_unchanged
        names = zip(cluster.workload_namespaces, cluster.workload_names, strict=True)
        self._rows_of_names = {name: row for row, name in enumerate(names)}
        ordered = sorted(autoscalers, key=lambda hpa: (hpa.namespace, hpa.name))
        self._autoscalers = [self._compile(hpa) for hpa in ordered]
        self._with_series = [(index, hpa) for index, hpa in enumerate(self._autoscalers) if hpa.series]
        self._rows: NDArray[np.int64] = np.array([hpa.workload for hpa in self._autoscalers], np.int64)
        self._at_rest = np.zeros(len(ordered), np.bool_)
        self._skipped: NDArray[np.int64] = np.zeros(len(ordered), np.int64)
        """Evaluations left out since the last one, whose outcome they would have repeated."""
        self._seen_version = np.zeros(len(ordered), np.int64)
        self._seen_losses = 0
        self._sync_times_us: deque[int] = deque()
        self._longest_window_us = max((hpa.window_us for hpa in self._autoscalers), default=0)
        self._syncs: list[HpaSync] = []
        self.latest_us = -1
        self.latest: list[HpaSync] = []
        """What the last sync found, and when that was."""

    def sync(self, now_us: int) -> list[HpaSync]:
        """Evaluate every autoscaler once, in order of namespace and name."""
        self._samples.advance(now_us)
        self._samples.reserve(self._cluster.pods.count)
        unchanged = self._unchanged(now_us)
        if len(self._syncs) != len(self._autoscalers):
            self._syncs = [HpaSync(hpa.namespace, hpa.name, 0, 0, None) for hpa in self._autoscalers]
        for index in np.flatnonzero(~unchanged).tolist():
            self._syncs[index] = self._sync_one(index, now_us)
        self._skipped += unchanged
        self._remember_sync(now_us)
        self.latest_us, self.latest = now_us, list(self._syncs)
        return self.latest

    def restart(self) -> None:
        """Lose all memory, as a restart or a change of leader does."""
        self.finish()
        for hpa in self._autoscalers:
            hpa.memory = HpaMemory()
        self._at_rest[:] = False

    def finish(self) -> None:
        """Count the evaluations that were left out; to be called when the record is to be complete."""
        for index in range(len(self._autoscalers)):
            self._catch_up(index)

    def metric_values(self) -> list[float]:
        """Current value of every metric, in the order of `status.metric_columns`; nan: failed or not read."""
        values: list[float] = []
        for hpa in self._autoscalers:
            known = hpa.status.metrics
            values += [_shown(metric) for metric in known] if known else [math.nan] * len(hpa.spec.metrics)
        return values

    @property
    def statuses(self) -> dict[tuple[str, str], HpaStatus]:
        """The status of every autoscaler by namespace and name."""
        return {(hpa.namespace, hpa.name): hpa.status for hpa in self._autoscalers}

    def _compile(self, hpa: HorizontalPodAutoscaler) -> _Autoscaler:
        workload = self._rows_of_names.get((hpa.namespace, hpa.scale_target))
        if workload is None:
            raise ValueError(f"there is no workload {hpa.namespace}/{hpa.scale_target}")
        spec = spec_from_plan(hpa)
        return _Autoscaler(
            name=hpa.name,
            namespace=hpa.namespace,
            workload=workload,
            spec=spec,
            tolerance=effective_tolerance(spec, self._settings),
            reader=MetricReader(self._cluster, self._samples, self._series, self._settings, workload),
            series=tuple(metric for metric in spec.metrics if metric.source in SERIES_SOURCES),
            window_us=longest_window_us(spec, self._settings),
        )

    # -- one evaluation -----------------------------------------------------------------------

    def _sync_one(self, index: int, now_us: int) -> HpaSync:
        hpa = self._autoscalers[index]
        self._catch_up(index)
        current = int(self._cluster.workloads.desired[hpa.workload])

        def read_metrics() -> MetricsResult:
            propose = partial(hpa.reader.propose, current=current, now_us=now_us, tolerance=hpa.tolerance)
            return combine([outcome_of(metric, partial(propose, metric)) for metric in hpa.spec.metrics], current)

        scale = None if self._cluster.workloads.absent[hpa.workload] else current
        inputs = EvaluationInputs(now_us, hpa.spec, self._settings, scale, read_metrics)
        outcome = evaluate(inputs, hpa.status, hpa.memory)
        hpa.status, hpa.memory = outcome.status, outcome.memory
        after = current if outcome.replicas is None else outcome.replicas
        if after != current:
            self._cluster.set_replicas(hpa.workload, after)
        workload = self._cluster.workload_names[hpa.workload]
        self._decide(evaluation_decision(workload, hpa.name, outcome, current, after, hpa.tolerance, now_us))
        self._at_rest[index] = is_at_rest(outcome, current) and hpa.reader.is_timeless(hpa.spec.metrics, now_us)
        self._seen_version[index] = self._cluster.workloads.version[hpa.workload]
        conditions, failed = outcome.status.conditions, outcome.has_error
        return HpaSync(hpa.namespace, hpa.name, current, after, _observed(outcome), conditions, failed)

    # -- leaving out what cannot change -------------------------------------------------------

    def _unchanged(self, now_us: int) -> NDArray[np.bool_]:
        """Autoscalers at rest whose pods, samples and series are what they were at their last evaluation."""
        changed: NDArray[np.bool_] = np.zeros(self._cluster.workloads.count, np.bool_)
        changed[self._cluster.pods.workload[self._samples.take_changed()]] = True
        same_pods = self._cluster.workloads.version[self._rows] == self._seen_version
        unchanged: NDArray[np.bool_] = np.asarray(self._at_rest & same_pods, np.bool_)
        unchanged &= ~changed[self._rows]
        if not self._skip_unchanged or self._samples.losses != self._seen_losses:
            unchanged[:] = False
        self._seen_losses = self._samples.losses
        for index, hpa in self._with_series:
            values = hpa.reader.series_values(hpa.series, now_us)
            unchanged[index] &= values == hpa.seen_series
            hpa.seen_series = values
        return unchanged

    def _catch_up(self, index: int) -> None:
        """Remember and count what was left out, as if it had been evaluated each time."""
        hpa, skipped = self._autoscalers[index], int(self._skipped[index])
        if skipped == 0:
            return
        times_us = list(self._sync_times_us)[-skipped:]
        if times_us:
            hpa.memory = hpa.memory.repeating(hpa.status.desired_replicas, times_us, times_us[-1] - hpa.window_us)
        if self._repeat is not None:
            self._repeat(Actor.HPA, self._cluster.workload_names[hpa.workload], skipped)
        self._skipped[index] = 0

    def _remember_sync(self, now_us: int) -> None:
        self._sync_times_us.append(now_us)
        while self._sync_times_us[0] < now_us - self._longest_window_us:
            self._sync_times_us.popleft()


def _shown(metric: MetricStatus) -> float:
    """Percent, or units of the metric."""
    if metric.value_milli is None:
        return math.nan
    return metric.value_milli / 1000 if metric.utilization_pct is None else float(metric.utilization_pct)


def _observed(outcome: Outcome) -> int | None:
    if outcome.metrics is None or not outcome.metrics.outcomes:
        return None
    proposal = outcome.metrics.outcomes[0].proposal
    if proposal is None:
        return None
    return proposal.value_milli if proposal.utilization_pct is None else proposal.utilization_pct
