"""Gathers what each metric of an autoscaler is computed from, and calls the rule."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from planner.hpa.metrics.container_use import WHOLE_POD, ContainerPart, container_use, part_of
from planner.hpa.metrics.metrics_pipeline import NEVER_US, UsageSamples
from planner.hpa.metrics.pod_totals import CountedPods, CpuOfPods, CpuRequests, reads_cpu_of_pods
from planner.hpa.metrics.requests import requests_of
from planner.hpa.metrics.series_values import SeriesValues
from planner.hpa.rules.pod_evaluation import PodColumns, SteadyPods, evaluate_pods, evaluate_steady, steady_pods
from planner.hpa.rules.replica_calculator import MetricErrorCode, Proposal, Tolerance
from planner.hpa.rules.series_evaluation import evaluate_series, series_total
from planner.hpa.rules.settings import HpaSettings
from planner.hpa.rules.spec import MetricSpec
from planner.plan.model.autoscalers.hpa_metric import SERIES_SOURCES, MetricSource, ResourceName, TargetType
from planner.state.cluster import Cluster
from planner.state.pods import NONE, PodPhase
from planner.units import US_PER_S

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
# Looking up a member of an enum costs a call in Python 3.11.
_TOTALS = (MetricSource.OBJECT, MetricSource.EXTERNAL)
_RESOURCES = (MetricSource.RESOURCE, MetricSource.CONTAINER_RESOURCE)
_OF_PODS, _CPU, _MEMORY = MetricSource.PODS, ResourceName.CPU.value, ResourceName.MEMORY.value
BYTE_MILLI = 1000
"""Milli-units of a byte."""


@dataclass(slots=True)
class Gathered:
    """Columns of a workload's pods, valid until its version changes or samples are lost."""

    version: int
    losses: int
    rows: Ints
    ignored: Bools
    pending: Bools
    not_ready: Bools
    start_us: Ints
    ready_transition_us: Ints
    requests: dict[int, tuple[Ints, MetricErrorCode]] = field(default_factory=dict)
    """By position of the metric in the specification, as all that follows."""
    steady: dict[int, SteadyPods] = field(default_factory=dict)
    parts: dict[str, list[tuple[ContainerPart | None, Bools]]] = field(default_factory=dict)
    """By container."""


class MetricReader:
    """The metrics of one autoscaler, by their position in its specification."""

    def __init__(
        self,
        cluster: Cluster,
        samples: UsageSamples,
        series: SeriesValues,
        settings: HpaSettings,
        workload: int,
        metrics: tuple[MetricSpec, ...],
        requests: CpuRequests | None = None,
    ) -> None:
        """`requests`: known to all autoscalers."""
        self._cluster = cluster
        self._samples = samples
        self._series = series
        self._settings = settings
        self._workload = workload
        self._metrics = metrics
        self._of_series = tuple(metric for metric in metrics if metric.source in SERIES_SOURCES)
        self._gathered: Gathered | None = None
        self._parts: dict[tuple[str, int], ContainerPart | None] = {}
        requests = requests or CpuRequests(cluster, settings)
        self._cpu = [
            CpuOfPods(cluster, samples, settings, requests, workload, metric) if reads_cpu_of_pods(metric) else None
            for metric in metrics
        ]

    def propose(self, position: int, current: int, now_us: int, tolerance: Tolerance) -> Proposal:
        """The proposal of a metric. Raises MetricFailed."""
        metric, cpu = self._metrics[position], self._cpu[position]
        if cpu is not None and (proposal := cpu.propose(current, now_us, tolerance)) is not None:
            return proposal
        if metric.source in _TOTALS:
            return self._from_series(metric, current, now_us, tolerance)
        gathered = self.gathered()
        if metric.source is _OF_PODS:
            columns = self._series_columns(metric, gathered, now_us)
            return evaluate_pods(metric, columns, current, now_us, tolerance, self._settings)
        steady = gathered.steady.get(position)
        if steady is not None and (now_us >= steady.from_us or self._began_ready(gathered)):
            return self._from_steady(metric, steady, gathered, current, tolerance)
        columns = self._columns(position, gathered)
        found = steady_pods(columns, self._settings)
        if found is not None and (found.request_milli >= 0 or metric.target_type is TargetType.AVERAGE_VALUE):
            gathered.steady[position] = found
            if now_us >= found.from_us or self._began_ready(gathered):
                return self._from_steady(metric, found, gathered, current, tolerance)
        return evaluate_pods(metric, columns, current, now_us, tolerance, self._settings)

    def is_timeless(self, now_us: int) -> bool:
        """Whether only a change of use, pods or series could change what the metrics propose."""
        return all(self._is_timeless(position, now_us) for position in range(len(self._metrics)))

    def _is_timeless(self, position: int, now_us: int) -> bool:
        cpu = self._cpu[position]
        if cpu is not None and cpu.counted is not None:
            return cpu.is_timeless(now_us)
        if self._metrics[position].source in _RESOURCES:
            known = self._gathered
            steady = None if known is None else known.steady.get(position)
            if known is None or steady is None:
                return False
            return now_us >= steady.from_us or self._began_ready(known)  # no later sample begins earlier
        return True

    def counted_pods(self) -> CountedPods | None:
        """The pods of an only metric, CPU utilization of whole pods, if all of them counted at the last proposal."""
        metric, known, cpu = self._metrics[0], self._gathered, self._cpu[0]
        if len(self._metrics) > 1 or metric.target_type is not TargetType.UTILIZATION:
            return None
        if cpu is not None and cpu.counted is not None:
            return cpu.counted_pods()
        steady = None if known is None else known.steady.get(0)
        if known is None or steady is None or steady.request_milli <= 0:
            return None
        return CountedPods(known.rows, steady.request_milli) if metric.name == _CPU and not metric.container else None

    @property
    def reads_series(self) -> bool:
        """Whether any of the metrics reads a series."""
        return bool(self._of_series)

    def series_values(self, now_us: int) -> tuple[int | None, ...]:
        """The values of those metrics that read a series."""
        return tuple(self._series.value_milli(metric.source, metric.name, now_us) for metric in self._of_series)

    # -- pods ---------------------------------------------------------------------------------

    def gathered(self) -> Gathered:
        """The pods of the workload, gathered again only after a change."""
        known, version = self._gathered, int(self._cluster.workloads.version[self._workload])
        if known is None or known.version != version or known.losses != self._samples.losses:
            known = self._gathered = self._gather(version)
        return known

    def has_pods(self) -> bool:
        """Whether the workload has any pod."""
        return bool(len(self.gathered().rows))

    def _gather(self, version: int) -> Gathered:
        pods = self._cluster.pods
        members = self._cluster.workload_pods[self._workload]
        rows = np.fromiter(members, dtype=np.int64, count=len(members))
        return Gathered(
            version=version,
            losses=self._samples.losses,
            rows=rows,
            ignored=pods.deletion_us[rows] != NONE,
            pending=pods.phase[rows] == PodPhase.PENDING,
            not_ready=~pods.ready[rows],
            # The kubelet acknowledges a pod, and sets its start time, when it is bound.
            start_us=_whole_seconds(pods.bound_us[rows]),
            ready_transition_us=_whole_seconds(pods.ready_change_us[rows]),
        )

    def _columns(self, position: int, gathered: Gathered) -> PodColumns:
        metric = self._metrics[position]
        parts = self._container_parts(metric, gathered)
        request, error = self._requests(position, gathered)
        sample_us = self._samples.time_us[gathered.rows]
        has_sample = sample_us != NEVER_US
        return PodColumns(
            usage=self._usage(metric, gathered),
            request=request,
            ignored=gathered.ignored,
            pending=gathered.pending,
            not_ready=gathered.not_ready,
            has_sample=has_sample,
            start_us=gathered.start_us,
            ready_transition_us=gathered.ready_transition_us,
            sample_us=sample_us,
            window_us=self._samples.window_us[gathered.rows],
            answered=int(np.count_nonzero(has_sample)) if self._samples.is_answering else -1,
            lacks_container=any(part is None and _counts(has_sample, mine) for part, mine in parts),
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
        """Of each pod, or of the container of the metric in it."""
        parts = self._container_parts(metric, gathered)
        if len(parts) == 1:
            return self._usage_of(metric, parts[0][0] or WHOLE_POD, gathered.rows)
        usage = np.zeros(len(gathered.rows), np.int64)
        for part, mine in parts:
            usage[mine] = self._usage_of(metric, part or WHOLE_POD, gathered.rows[mine])
        return usage

    def _usage_of(self, metric: MetricSpec, part: ContainerPart, rows: Ints) -> Ints:
        if metric.name == _MEMORY:
            return self._samples.memory_of(rows, part.place)
        return container_use(self._samples.usage_milli[rows], part)

    def _container_parts(self, metric: MetricSpec, gathered: Gathered) -> list[tuple[ContainerPart | None, Bools]]:
        """The part that the container of the metric has in the pods, with the positions of those where it is so.

        None: they have no such container. Pods of different templates differ during a rollout.
        """
        known = gathered.parts.get(metric.container)
        if known is None:
            known = gathered.parts[metric.container] = self._parts_by_pod(metric.container, gathered)
        return known

    def _parts_by_pod(self, container: str, gathered: Gathered) -> list[tuple[ContainerPart | None, Bools]]:
        specs = self._cluster.pods.spec[gathered.rows]
        found: dict[ContainerPart | None, Bools] = {}
        for spec in np.unique(specs).tolist() if container else []:
            if (container, spec) not in self._parts:
                self._parts[container, spec] = part_of(self._cluster.pod_specs[spec], container)
            part, mine = self._parts[container, spec], specs == spec
            found[part] = found[part] | mine if part in found else mine
        return list(found.items()) or [(WHOLE_POD, np.ones(len(gathered.rows), np.bool_))]

    def _requests(self, position: int, gathered: Gathered) -> tuple[Ints, MetricErrorCode]:
        if position not in gathered.requests:
            pods, rows = self._cluster.pods, gathered.rows
            wanted = np.where(pods.desired[rows] == NONE, pods.spec[rows], pods.desired[rows])  # of a resize in place
            are_alike = len(wanted) > 0 and bool((wanted == wanted[0]).all())
            specs = [self._cluster.pod_specs[index] for index in wanted[: 1 if are_alike else None].tolist()]
            amounts, error = requests_of(specs, self._metrics[position], self._settings)
            gathered.requests[position] = np.repeat(amounts, len(rows)) if are_alike else amounts, error
        return gathered.requests[position]

    # -- series -------------------------------------------------------------------------------

    def _series_columns(self, metric: MetricSpec, gathered: Gathered, now_us: int) -> PodColumns:
        """Every ready pod has an even share of the series, or its value; a running pod that is not ready has 0."""
        total = self._total(metric, now_us)
        serving = ~gathered.not_ready & ~gathered.ignored
        share = 1 if self._series.is_of_each_pod(metric.name) else max(1, int(np.count_nonzero(serving)))
        nothing = np.zeros(len(gathered.rows), np.int64)
        has_sample = ~gathered.pending
        return PodColumns(
            usage=np.where(serving, total // share, 0),
            request=nothing,
            ignored=gathered.ignored,
            pending=gathered.pending,
            not_ready=gathered.not_ready,
            has_sample=has_sample,
            start_us=gathered.start_us,
            ready_transition_us=gathered.ready_transition_us,
            sample_us=nothing,
            window_us=nothing,
            answered=int(np.count_nonzero(has_sample)),
            is_cpu=False,
        )

    def _total(self, metric: MetricSpec, now_us: int) -> int:
        value = self._series.value_milli(metric.source, metric.name, now_us)
        return series_total(None if value is None else (value,))

    def _from_series(self, metric: MetricSpec, current: int, now_us: int, tolerance: Tolerance) -> Proposal:
        total, gathered = self._total(metric, now_us), self.gathered()
        count = len(gathered.rows)
        ready = count - int(np.count_nonzero(gathered.not_ready)) if count else None
        status_replicas = int(self._cluster.workloads.active[self._workload])
        return evaluate_series(metric, total, current, status_replicas, ready, tolerance)


def _counts(has_sample: Bools, mine: Bools) -> bool:
    """Whether the container is missing in what the API returns: a pod without sample is not part of that."""
    return bool(has_sample[mine].any() or not has_sample.any())


def _unit(metric: MetricSpec) -> int:
    return BYTE_MILLI if metric.name == _MEMORY else 1


def _whole_seconds(time_us: Ints) -> Ints:
    """Times as the API keeps them."""
    return np.where(time_us == NONE, NEVER_US, time_us // US_PER_S * US_PER_S)
