"""Feeds the metrics APIs with everything besides CPU: working sets, and the metric series of the plan."""

import numpy as np
from numpy.typing import NDArray

from planner.engine.draws import Draws
from planner.engine.phases import Phase
from planner.engine.queue import EventQueue
from planner.hpa.metrics.kubelet_samples import KubeletSamples
from planner.hpa.metrics.metrics_pipeline import UsageSamples
from planner.hpa.metrics.series_values import SeriesValues
from planner.plan.model.autoscalers.horizontal_pod_autoscaler import Sampling, follows_memory
from planner.plan.model.autoscalers.hpa_metric import MetricSource
from planner.plan.model.autoscalers.metric_series import MetricSeries, WorkloadMeasure, WorkloadValue
from planner.plan.model.faults import MetricsApi
from planner.plan.model.plan import Plan
from planner.simulation.compile.world import World
from planner.simulation.parts.load_record import LoadRecord
from planner.simulation.parts.memory_life import MemoryLife
from planner.simulation.ticks import SeriesTick
from planner.workloads.load.demand import requests_waiting
from planner.workloads.load.load_model import LoadModel
from planner.workloads.load_profiles import rate_at

SOURCES_OF = {
    MetricsApi.CUSTOM: frozenset((MetricSource.PODS, MetricSource.OBJECT)),
    MetricsApi.EXTERNAL: frozenset((MetricSource.EXTERNAL,)),
}
"""Sources of metrics behind each API, besides the resource metrics API."""
_LATENCY_FIELDS = {
    WorkloadMeasure.LATENCY_P50: "p50_s",
    WorkloadMeasure.LATENCY_P95: "p95_s",
    WorkloadMeasure.LATENCY_P99: "p99_s",
}


class MetricFeeds:
    """Reads the series at their times, and working sets when pods are sampled."""

    def __init__(
        self,
        plan: Plan,
        world: World,
        events: EventQueue,
        load_model: LoadModel,
        load_record: LoadRecord,
        memory: MemoryLife | None,
        draws: Draws,
    ) -> None:
        self._events = events
        self._load_model = load_model
        self._load_record = load_record
        self._demand = [item.demand for item in plan.workloads]
        self._rows = world.workload_rows
        follows = follows_memory(plan.horizontal_pod_autoscalers)
        self._memory = memory.memory if memory is not None and follows else None
        self._series = plan.metric_series
        self.values = SeriesValues(plan.metric_series)
        self._cluster = world.cluster
        self._kubelets = None
        pipeline = plan.metrics_pipeline
        if pipeline.sampling is Sampling.PER_CONTAINER:
            pods = world.cluster.pods
            self._kubelets = KubeletSamples(
                pipeline.kubelet_interval, pipeline.resolution, draws, lambda rows: pods.draw_key[rows]
            )
        self._silent: dict[MetricsApi, bool] = {}

    def start(self) -> None:
        """The first reading of every series is at the start."""
        for number in range(len(self._series)):
            self._events.push(self._events.now_us, Phase.METRICS, SeriesTick(number))

    def on_series_tick(self, event: SeriesTick) -> None:
        """Take a reading, unless the API that would keep it is down."""
        series, now_us = self._series[event.number], self._events.now_us
        self.values.record(series.name, now_us, self._read(series))
        self._events.push(now_us + series.interval, Phase.METRICS, event)

    def set_answering(self, api: MetricsApi, answers: bool) -> None:
        """Whether an API answers from now on."""
        self._silent[api] = not answers
        silent = [SOURCES_OF[known] for known, is_silent in self._silent.items() if is_silent and known in SOURCES_OF]
        self.values.silence(frozenset[MetricSource]().union(*silent))

    def spend(self) -> None:
        """A load step ends: kubelets that sample each pod at different times count what was used in it."""
        if self._kubelets is not None:
            rows = self._load_model.usage_rows
            started_us = self._cluster.pods.running_us[rows]
            self._kubelets.advance(self._events.now_us, rows, self._load_model.usage_milli, started_us)

    def sample_own_moments(self, samples: UsageSamples) -> bool:
        """Deliver the samples that kubelets took at different times; False where all are taken now."""
        if self._kubelets is None:
            return False
        rows = self._load_model.usage_rows
        served = self._kubelets.scrape(rows, self._cluster.pods.running_us[rows])
        memory = self.working_sets(served.pods)
        now_us = self._events.now_us
        samples.record(now_us, served.window_us, served.pods, served.usage_milli, memory, served.time_us)
        return True

    def working_sets(self, pods: NDArray[np.int64]) -> NDArray[np.int64] | None:
        """Working sets of the containers of these pod rows now, a row for each place of a container, bytes.

        None where no autoscaler follows memory.
        """
        if self._memory is None:
            return None
        return self._memory.by_container(pods, self._events.now_us)

    def _read(self, series: MetricSeries) -> float:
        source = series.source
        if not isinstance(source, WorkloadValue):
            return rate_at(source.profile, self._events.now_us)
        row = self._rows[source.workload]
        match source.measure:
            case WorkloadMeasure.REQUESTS_PER_SECOND:
                return self._load_model.offered_rate(row)
            case WorkloadMeasure.REQUESTS_IN_FLIGHT:
                return self._load_model.in_flight(row)
            case WorkloadMeasure.REQUESTS_WAITING:
                served = float(self._load_record.latest().served_rps[row])
                capacity = self._load_model.capacity_milli(row)
                return requests_waiting(self._demand[row], self._load_model.in_flight(row), served, capacity)
        return float(getattr(self._load_record.latest(), _LATENCY_FIELDS[source.measure])[row])
