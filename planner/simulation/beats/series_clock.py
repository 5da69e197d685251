"""Writes a row of the time series every record interval."""

from dataclasses import replace

import numpy as np

from planner.engine.phases import Phase
from planner.engine.queue import EventQueue
from planner.hpa.controller.controller import HpaController
from planner.hpa.controller.status import metric_columns
from planner.metrics.room import RoomWatch
from planner.metrics.sample import MemoryUsed
from planner.plan.model.plan import Plan
from planner.record.recorder import Recorder
from planner.scheduler.scheduler import Scheduler
from planner.simulation.beats.series_row import SeriesRow
from planner.simulation.beats.vertical_scaling import VerticalScaling
from planner.simulation.compile.world import World
from planner.simulation.parts.load_record import LoadRecord
from planner.simulation.parts.memory_life import MemoryLife
from planner.simulation.ticks import RecordTick
from planner.workloads.load.load_model import LoadModel


class SeriesClock:
    """Adds rows to the time series, and looks for the moment with the least room."""

    def __init__(
        self,
        plan: Plan,
        world: World,
        events: EventQueue,
        recorder: Recorder,
        load_model: LoadModel,
        load_record: LoadRecord,
        scheduler: Scheduler,
        hpa: HpaController,
        memory: MemoryLife | None,
        vertical: VerticalScaling,
    ) -> None:
        self._events = events
        self._interval_us = plan.simulation.record_interval
        self._cluster = world.cluster
        self._recorder = recorder
        self._load_model = load_model
        self._load_record = load_record
        self._scheduler = scheduler
        self._hpa = hpa
        self._memory, self._vertical = memory, vertical
        self._memory_used: tuple[tuple[int | None, ...], MemoryUsed] | None = None
        """The latest, and what it is true for."""
        self._row = SeriesRow(world.cluster, load_record.totals.rows, load_record.queues)
        recorder.open_series([*self._row.names, *metric_columns(plan), *vertical.columns])
        self.room = RoomWatch(world.cluster, [world.pod_spec_of[row] for row in range(len(plan.workloads))])

    def on_record_tick(self, event: RecordTick) -> None:
        """Add a row to the time series."""
        now_us = self._events.now_us
        self._load_model.end_steps()
        sample = self._load_record.sample(self._cluster, self._load_model, self._scheduler.pending_pods())
        if self._memory is not None:
            sample = replace(sample, memory=self._used(self._memory, now_us))
        self.room.look(now_us)
        self._recorder.add_row(
            now_us,
            np.concatenate([self._row.values(sample), self._hpa.metric_values(), self._vertical.recommender.values()]),
        )
        self._events.push(now_us + self._interval_us, Phase.RECORD, event)

    def _used(self, memory: MemoryLife, now_us: int) -> MemoryUsed:
        """Working sets now: those of the row before where no pod's memory has changed."""
        key = memory.memory.revision, self._cluster.nodes.count, self._cluster.workloads.count
        if self._memory_used is None or self._memory_used[0] != key or key[0] is None:
            self._memory_used = key, memory.used(self._cluster, now_us)
        return self._memory_used[1]
