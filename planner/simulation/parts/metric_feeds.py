"""Feeds the custom and external metrics APIs with the metric series of the plan."""

import numpy as np

from planner.engine.phases import Phase
from planner.engine.queue import EventQueue
from planner.hpa.metrics.series_values import SeriesValues
from planner.plan.derived.holidays import dated
from planner.plan.model.autoscalers.hpa_metric import MetricSource
from planner.plan.model.autoscalers.metric_series import MetricSeries, WorkloadMeasure, WorkloadValue
from planner.plan.model.events.on_control_plane import MetricsApi
from planner.plan.model.plan import Plan
from planner.simulation.compile.world import World
from planner.simulation.parts.load_record import LoadRecord
from planner.simulation.ticks import SeriesTick
from planner.workloads.load.demand import requests_waiting
from planner.workloads.load.load_model import LoadModel
from planner.workloads.load_profiles import RateOverTime

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
    """Reads the series at their times."""

    def __init__(
        self,
        plan: Plan,
        world: World,
        events: EventQueue,
        load_model: LoadModel,
        load_record: LoadRecord,
    ) -> None:
        self._events = events
        self._load_model = load_model
        self._load_record = load_record
        self._demand = [item.demand for item in plan.workloads]
        self._has_queue = [item.queue is not None for item in plan.workloads]
        self._rows = world.workload_rows
        self._series = plan.metric_series
        self._given = {
            series.name: RateOverTime(dated(series.source.profile, plan.simulation))
            for series in plan.metric_series
            if not isinstance(series.source, WorkloadValue)
        }
        self.values = SeriesValues(plan.metric_series)
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

    def _read(self, series: MetricSeries) -> float:
        source = series.source
        if not isinstance(source, WorkloadValue):
            return self._given[series.name].at(self._events.now_us)
        row = self._rows[source.workload]
        match source.measure:
            case WorkloadMeasure.REQUESTS_PER_SECOND:
                return self._load_model.offered_rate(row)
            case WorkloadMeasure.REQUESTS_IN_FLIGHT:
                return self._load_model.in_flight(row)
            case WorkloadMeasure.OLDEST_MESSAGE_AGE:
                return float(self._load_model.queue_values(np.array([row]))[1][0])
            case WorkloadMeasure.REQUESTS_WAITING if self._has_queue[row]:
                return float(self._load_model.queue_values(np.array([row]))[0][0])
            case WorkloadMeasure.REQUESTS_WAITING:
                served = float(self._load_record.latest().served_rps[row])
                capacity = self._load_model.capacity_milli(row)
                return requests_waiting(self._demand[row], self._load_model.in_flight(row), served, capacity)
        return float(getattr(self._load_record.latest(), _LATENCY_FIELDS[source.measure])[row])
