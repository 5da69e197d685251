"""The CPU that whole pods use, the metric that nearly all autoscalers follow, read in one pass of a kernel.

What the kernel cannot answer is left to `MetricReader`, whose twin it is: a metric that fails, and why.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from planner.hpa.metrics.metrics_pipeline import UsageSamples
from planner.hpa.metrics.requests import UNKNOWN_REQUEST, request_of
from planner.hpa.rules.replica_calculator import (
    MetricFailed,
    Proposal,
    Tolerance,
    UtilizationTotals,
    replicas_for_average,
    replicas_for_utilization,
)
from planner.hpa.rules.settings import HpaSettings
from planner.hpa.rules.spec import DEFAULT_METRIC, MetricSpec
from planner.kernels import switch
from planner.plan.model.autoscalers.hpa_metric import MetricSource, ResourceName, TargetType
from planner.state.cluster import Cluster
from planner.state.specs import PodSpec

Ints = NDArray[np.int64]
_CPU = ResourceName.CPU.value


class CountedPods(NamedTuple):
    """Pods that all count, whatever the time, as long as none of them changes."""

    rows: Ints
    request_milli: int
    """Sum over the pods."""


class Counted(NamedTuple):
    """How the pods counted at the latest proposal."""

    all_do: bool
    """All do from `from_us` on, whatever the time, as long as none of them changes."""
    from_us: int
    do_already: bool
    """Their samples began when they were ready: they count however young they are."""
    pods: int
    """So many did at once,"""
    request_milli: int
    """and what they request together."""


class CpuRequests:
    """What pods of each template request of CPU, for all autoscalers of a run."""

    def __init__(self, cluster: Cluster, settings: HpaSettings) -> None:
        self._cluster, self._settings = cluster, settings
        self._known: Ints = np.zeros(0, np.int64)

    def column(self) -> Ints:
        """Milli-CPU by template, -1 where it has none."""
        specs, known = self._cluster.pod_specs, self._known
        if len(known) < len(specs):
            more = np.array([self._request(spec) for spec in specs[len(known) :]], np.int64)
            self._known = known = np.concatenate([known, more])
        return known

    def _request(self, spec: PodSpec) -> int:
        try:
            return request_of(spec, DEFAULT_METRIC, self._settings)
        except MetricFailed:
            return UNKNOWN_REQUEST


def reads_cpu_of_pods(metric: MetricSpec) -> bool:
    """Whether a metric is the CPU of whole pods, and there are kernels."""
    return metric.source is MetricSource.RESOURCE and metric.name == _CPU and not metric.container and switch.in_use()


class CpuOfPods:
    """Reads a metric of the CPU of whole pods of one workload."""

    def __init__(
        self,
        cluster: Cluster,
        samples: UsageSamples,
        settings: HpaSettings,
        requests: CpuRequests,
        workload: int,
        metric: MetricSpec,
    ) -> None:
        self._cluster, self._samples, self._settings = cluster, samples, settings
        self._requests, self._workload, self._metric = requests, workload, metric
        self._is_average = metric.target_type is TargetType.AVERAGE_VALUE
        self._kernel, self._version = _kernel(), -1
        self.rows: Ints = np.zeros(0, np.int64)
        """The pods at the latest proposal."""
        self.counted: Counted | None = None
        """None where the latest proposal was not made here."""

    def propose(self, current: int, now_us: int, tolerance: Tolerance) -> Proposal | None:
        """The proposal; None where the metric may fail."""
        found = self._totals(now_us) if self._samples.is_answering else None
        if found is None:
            self.counted = None
            return None
        used, request, counted, unready, unready_request, missing, missing_request, fill, *steady = found
        self.counted = Counted(bool(steady[0]), steady[1], bool(steady[2]), counted, request)
        metric = self._metric
        if self._is_average:
            return replicas_for_average(used, counted, counted, unready, missing, current, metric.target, tolerance)
        totals = UtilizationTotals(
            used, request, counted, counted, counted, unready, unready_request, missing, missing_request, fill
        )
        return replicas_for_utilization(totals, current, metric.target, tolerance)

    def is_timeless(self, now_us: int) -> bool:
        """Whether only a change of use or pods could change the latest proposal."""
        known = self.counted
        return known is not None and known.all_do and (now_us >= known.from_us or known.do_already)

    def counted_pods(self) -> CountedPods | None:
        """The pods, if all of them counted at the latest proposal."""
        known = self.counted
        if known is None or not known.all_do or known.pods < len(self.rows) or not known.request_milli:
            return None
        return CountedPods(self.rows, known.request_milli)

    def _totals(self, now_us: int) -> tuple[int, ...] | None:
        version = self._cluster.workloads.version.item(self._workload)
        if version != self._version:
            members = self._cluster.workload_pods[self._workload]
            self._version, self.rows = version, np.fromiter(members, np.int64, len(members))
        pods, samples, settings = self._cluster.pods, self._samples, self._settings
        columns = (
            pods.deletion_us, pods.bound_us, pods.ready_change_us, pods.phase, pods.ready.view(np.uint8), pods.spec,
            pods.desired,
        )  # fmt: skip
        percent = 0 if self._is_average else max(100, self._metric.target)
        sampled = samples.time_us, samples.window_us, samples.usage_milli
        periods = settings.cpu_initialization_us, settings.initial_readiness_us
        return self._kernel(self.rows, now_us, columns, sampled, self._requests.column(), periods, percent)


def _kernel() -> Callable[..., tuple[int, ...] | None]:
    from planner.kernels.metrics.pod_totals import totals

    return totals
