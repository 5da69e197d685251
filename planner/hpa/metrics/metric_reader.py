"""Gathers what a metric of an autoscaler is computed from, and asks the rules."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from planner.hpa.metrics.container_use import WHOLE_POD, ContainerPart, container_use, part_of
from planner.hpa.metrics.metrics_pipeline import NEVER_US, UsageSamples
from planner.hpa.metrics.series_values import SeriesValues
from planner.hpa.metrics.spec_requests import request_of
from planner.hpa.rules.metric_errors import MetricErrorCode, MetricFailed
from planner.hpa.rules.pod_evaluation import PodColumns, SteadyPods, evaluate_pods, evaluate_steady, steady_pods
from planner.hpa.rules.replica_calculator import INT64_MAX, Proposal, Tolerance, replicas_for_total, replicas_for_value
from planner.hpa.rules.settings import HpaSettings
from planner.plan.model.autoscalers.hpa_spec import MetricSource, MetricSpec, ResourceName, TargetType
from planner.state.cluster import Cluster
from planner.state.pods import NONE, PodPhase
from planner.units import US_PER_S

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
# Looking up a member of an enum costs a call in Python 3.11.
_TOTALS = (MetricSource.OBJECT, MetricSource.EXTERNAL)
_RESOURCES = (MetricSource.RESOURCE, MetricSource.CONTAINER_RESOURCE)
_OF_PODS, _MEMORY = MetricSource.PODS, ResourceName.MEMORY.value
BYTE_MILLI = 1000
"""Milli-units of a byte."""


@dataclass(slots=True)
class Gathered:
    """Columns of a workload's pods that stay equal while its version does, and no sample vanishes."""

    version: int
    losses: int
    rows: Ints
    deleted: Bools
    pending: Bools
    ready: Bools
    start_us: Ints
    ready_transition_us: Ints
    requests: dict[MetricSpec, tuple[Ints, MetricErrorCode]] = field(default_factory=dict)
    steady: dict[int, SteadyPods] = field(default_factory=dict)
    """By identity of the metric, which is found faster than what it holds."""


class MetricReader:
    """The metrics of one workload at an evaluation."""

    def __init__(
        self, cluster: Cluster, samples: UsageSamples, series: SeriesValues, settings: HpaSettings, workload: int
    ) -> None:
        self._cluster = cluster
        self._samples = samples
        self._series = series
        self._settings = settings
        self._workload = workload
        self._gathered: Gathered | None = None
        self._parts: dict[MetricSpec, ContainerPart | None] = {}

    def propose(self, metric: MetricSpec, current: int, now_us: int, tolerance: Tolerance) -> Proposal:
        """What the metric asks for. Raises MetricFailed."""
        if metric.source in _TOTALS:
            return self._from_series(metric, current, now_us, tolerance)
        gathered = self.gathered()
        if metric.source is _OF_PODS:
            columns = self._series_columns(metric, gathered, now_us)
            return evaluate_pods(metric, columns, current, now_us, tolerance, self._settings)
        steady = gathered.steady.get(id(metric))
        if steady is not None and (now_us >= steady.from_us or self._began_ready(gathered)):
            return self._from_steady(metric, steady, gathered, current, tolerance)
        columns = self._columns(metric, gathered)
        found = steady_pods(columns, self._settings)
        if found is not None and (found.request_milli >= 0 or metric.target_type is TargetType.AVERAGE_VALUE):
            gathered.steady[id(metric)] = found
            if now_us >= found.from_us or self._began_ready(gathered):
                return self._from_steady(metric, found, gathered, current, tolerance)
        return evaluate_pods(metric, columns, current, now_us, tolerance, self._settings)

    def is_timeless(self, metrics: tuple[MetricSpec, ...], now_us: int) -> bool:
        """Whether nothing but a change of use, pods or series could change what these metrics ask for from now on."""
        return all(self._is_timeless(metric, now_us) for metric in metrics)

    def _is_timeless(self, metric: MetricSpec, now_us: int) -> bool:
        if metric.source in _RESOURCES:
            steady = None if self._gathered is None else self._gathered.steady.get(id(metric))
            return steady is not None and now_us >= steady.from_us
        return True

    # -- pods ---------------------------------------------------------------------------------

    def gathered(self) -> Gathered:
        """The pods of the workload, looked at anew only after a change."""
        known, version = self._gathered, int(self._cluster.workloads.version[self._workload])
        if known is None or known.version != version or known.losses != self._samples.losses:
            known = self._gathered = self._gather(version)
        return known

    def _gather(self, version: int) -> Gathered:
        pods = self._cluster.pods
        members = self._cluster.workload_pods[self._workload]
        rows = np.fromiter(members, dtype=np.int64, count=len(members))
        return Gathered(
            version=version,
            losses=self._samples.losses,
            rows=rows,
            deleted=pods.deletion_us[rows] != NONE,
            pending=pods.phase[rows] == PodPhase.PENDING,
            ready=pods.ready[rows],
            # The kubelet acknowledges a pod, and sets its start time, when it is bound.
            start_us=_whole_seconds(pods.bound_us[rows]),
            ready_transition_us=_whole_seconds(pods.ready_change_us[rows]),
        )

    def _columns(self, metric: MetricSpec, gathered: Gathered) -> PodColumns:
        request, error = self._requests(metric, gathered)
        sample_us = self._samples.time_us[gathered.rows]
        return PodColumns(
            usage=self._usage(metric, gathered),
            request=request,
            deleted=gathered.deleted,
            pending=gathered.pending,
            ready=gathered.ready,
            has_sample=sample_us != NEVER_US,
            start_us=gathered.start_us,
            ready_transition_us=gathered.ready_transition_us,
            sample_us=sample_us,
            window_us=self._samples.window_us[gathered.rows],
            is_cpu=metric.name == ResourceName.CPU,
            unit_milli=_unit(metric),
            request_error=error,
        )

    def _from_steady(
        self, metric: MetricSpec, steady: SteadyPods, gathered: Gathered, current: int, tolerance: Tolerance
    ) -> Proposal:
        usage = int(np.add.reduce(self._usage(metric, gathered))) * _unit(metric)
        return evaluate_steady(metric, steady, usage, current, tolerance)

    def _began_ready(self, gathered: Gathered) -> bool:
        """Whether every sample began after its pod turned ready: it counts however young the pod is (`_unready`)."""
        samples, rows = self._samples, gathered.rows
        begun_us = samples.time_us[rows] - samples.window_us[rows]
        return bool((begun_us >= gathered.ready_transition_us).all())

    def _usage(self, metric: MetricSpec, gathered: Gathered) -> Ints:
        part = self._part(metric)
        if metric.name == _MEMORY:
            return self._samples.memory_of(gathered.rows, part.place)
        return container_use(self._samples.usage_milli[gathered.rows], part)

    def _part(self, metric: MetricSpec) -> ContainerPart:
        if not metric.container:
            return WHOLE_POD
        if metric not in self._parts:
            spec = self._cluster.pod_specs[self._workload]
            self._parts[metric] = part_of(spec, metric.container)
        part = self._parts[metric]
        if part is None:
            raise MetricFailed(MetricErrorCode.CONTAINER_NOT_IN_METRICS)
        return part

    def _requests(self, metric: MetricSpec, gathered: Gathered) -> tuple[Ints, MetricErrorCode]:
        if metric not in gathered.requests:
            found, error = [], MetricErrorCode.MISSING_REQUEST
            specs = self._cluster.pods.spec[gathered.rows]
            known: dict[int, int] = {}
            for index in specs.tolist():
                if index not in known:
                    try:
                        known[index] = request_of(self._cluster.pod_specs[index], metric, self._settings)
                    except MetricFailed as failure:
                        known[index], error = -1, failure.code
                found.append(known[index])
            gathered.requests[metric] = np.array(found, np.int64), error
        return gathered.requests[metric]

    # -- series -------------------------------------------------------------------------------

    def _series_columns(self, metric: MetricSpec, gathered: Gathered, now_us: int) -> PodColumns:
        """Every ready pod has an even share of the series, or its value; a running one that is not ready has 0."""
        total = self._total(metric, now_us)
        if not len(gathered.rows):
            raise MetricFailed(MetricErrorCode.NO_METRICS_RETURNED)
        serving = gathered.ready & ~gathered.deleted
        each = total if self._series.is_of_each_pod(metric.name) else total // max(1, int(np.count_nonzero(serving)))
        nothing = np.zeros(len(gathered.rows), np.int64)
        return PodColumns(
            usage=np.where(serving, each, 0),
            request=nothing,
            deleted=gathered.deleted,
            pending=gathered.pending,
            ready=gathered.ready,
            has_sample=~gathered.pending,
            start_us=gathered.start_us,
            ready_transition_us=gathered.ready_transition_us,
            sample_us=nothing,
            window_us=nothing,
            is_cpu=False,
        )

    def _total(self, metric: MetricSpec, now_us: int) -> int:
        value = self._series.value_milli(metric.source, metric.name, now_us)
        if value is None:
            raise MetricFailed(MetricErrorCode.METRICS_API_ERROR)
        return min(value, INT64_MAX)

    def _from_series(self, metric: MetricSpec, current: int, now_us: int, tolerance: Tolerance) -> Proposal:
        total = self._total(metric, now_us)
        if metric.target_type is TargetType.AVERAGE_VALUE:
            status_replicas = int(self._cluster.workloads.active[self._workload])
            return replicas_for_total(total, metric.target, status_replicas, tolerance)
        gathered = self.gathered()
        ready = int(np.count_nonzero(gathered.ready)) if len(gathered.rows) else None
        return replicas_for_value(total, metric.target, current, ready, tolerance)

    def series_values(self, metrics: tuple[MetricSpec, ...], now_us: int) -> tuple[int | None, ...]:
        """The values of those metrics that read a series."""
        return tuple(self._series.value_milli(metric.source, metric.name, now_us) for metric in metrics)


def _unit(metric: MetricSpec) -> int:
    return BYTE_MILLI if metric.name == _MEMORY else 1


def _whole_seconds(time_us: Ints) -> Ints:
    """Times as the API keeps them; -1 stays below 0."""
    return time_us // US_PER_S * US_PER_S


Propose = Callable[[MetricSpec], Proposal]
