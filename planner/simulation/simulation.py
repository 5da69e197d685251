"""One run: the world, its controllers and its clockwork. The only place that knows all of them."""

from collections.abc import Callable

import numpy as np

from planner.autoscaler.static_autoscaler import StaticAutoscaler
from planner.engine.loop import cancelled_at
from planner.engine.phases import Phase
from planner.engine.queue import EventQueue
from planner.engine.streams import Streams
from planner.hpa.controller import HpaController
from planner.hpa.metrics_pipeline import CpuSamples
from planner.hpa.settings import HpaSettings
from planner.metrics.catalogue import sample_row, series_names
from planner.nodes.provisioning import Cloud, Delays
from planner.plan.plan import Plan
from planner.record.recorder import Recorder
from planner.scheduler.profile import SchedulerProfile
from planner.scheduler.scheduler import Scheduler
from planner.scheduler.static_fit import StaticFit
from planner.simulation.autoscaler_driver import AutoscalerDriver, Evictor
from planner.simulation.compile import World, compile_plan, keepers
from planner.simulation.load_record import LoadRecord
from planner.simulation.ticks import HpaTick, LoadTick, MetricsTick, RecordTick, SchedulerTick
from planner.state.nodes import NONE
from planner.state.pods import EndReason
from planner.workloads.controllers import DaemonSetController, ReplicaSetController
from planner.workloads.lifecycle import PodLifecycle
from planner.workloads.load_model import LoadModel, ServedWorkload


class Simulation:
    """State and controllers of one run, and the handlers of its ticks."""

    def __init__(self, plan: Plan, seed: int, cancelled: Callable[[], bool] = lambda: False) -> None:
        self.plan = plan
        self._cancelled = cancelled
        self.events = EventQueue()
        self.recorder = Recorder()
        self.streams = Streams(seed)
        self.world: World = compile_plan(plan, self.events)
        self.cluster = self.world.cluster
        self.lifecycle = PodLifecycle(self.cluster, self.events)
        self.cloud = Cloud(self.cluster, self.events, _delays(plan), self.streams["nodes/provisioning"])
        static_fit = StaticFit(self.cluster)
        daemon_specs = [self.world.pod_spec_of[row] for row in self.world.daemon_rows]
        profile = SchedulerProfile(percentage_of_nodes_to_score=plan.scheduler.percentage_of_nodes_to_score)
        self.scheduler = Scheduler(self.cluster, self.recorder, profile, on_preempt=self._preempt)
        self.replica_sets = ReplicaSetController(self.cluster, self.lifecycle, self.world.pod_spec_of)
        self.daemon_sets = DaemonSetController(self.cluster, self.lifecycle, daemon_specs)
        self.load_record = LoadRecord(plan)
        self.load_model = LoadModel(self.cluster, _served(plan, self.world), self.streams, self.load_record.add_step)
        self.samples = CpuSamples(plan.metrics_pipeline.delay)
        self.hpa = HpaController(
            self.cluster,
            self.samples,
            plan.horizontal_pod_autoscalers,
            HpaSettings.from_plan(plan.hpa_controller),
            self.recorder.decide,
        )
        autoscaler = StaticAutoscaler(
            self.cluster,
            self.recorder,
            plan.cluster_autoscaler,
            static_fit,
            self.cloud,
            Evictor(self.lifecycle, plan.cluster_autoscaler.max_graceful_termination),
            list(self.world.node_spec_of.values()),
            daemon_specs,
            self.streams["autoscaler/expander"],
        )
        self.autoscaler = AutoscalerDriver(self.cluster, self.events, autoscaler, plan.cluster_autoscaler)
        self.recorder.open_series(series_names(self.cluster, tuple(self.load_record.totals.of)))
        self._scheduler_tick_us = -1

    # -- start --------------------------------------------------------------------------------

    def start(self) -> None:
        """Initial nodes and replicas, settled, and the first tick of every clock."""
        for row, group in enumerate(self.plan.node_groups):
            self.cloud.start_with(row, group.initial_size)
        for item in keepers(self.plan):
            row = self.world.workload_rows[item.name]
            if not self.world.pod_spec_of[row].is_daemon:
                self.cluster.set_replicas(row, item.replicas)
        self.settle()
        if self.plan.simulation.warm_start:
            self._warm_up()
        self.events.push(0, Phase.LOAD, LoadTick())
        self.events.push(0, Phase.RECORD, RecordTick())
        self.events.push(self.plan.metrics_pipeline.resolution, Phase.METRICS, MetricsTick())
        if self.plan.horizontal_pod_autoscalers:
            self.events.push(self.plan.hpa_controller.sync_period, Phase.HPA, HpaTick())
        self.autoscaler.start()

    def _warm_up(self) -> None:
        """Pods placed at the start are Ready; the start-up that their binding began then finds them running."""
        for pod in np.flatnonzero(self.cluster.pods.node != NONE):
            self.cluster.mark_running(int(pod))
        self.settle()

    # -- settling -----------------------------------------------------------------------------

    def settle(self) -> None:
        """Controllers and scheduler act until nothing changes, one scheduling cycle at a time.

        Raises RunStopped between two cycles if the run is cancelled: to place many pods can take seconds.
        """
        while True:
            if self._cancelled():
                raise cancelled_at(self.events.now_us)
            acted = self.daemon_sets.reconcile() | self.replica_sets.reconcile()
            if not self.scheduler.schedule_one() and not acted:
                break
        self.load_model.settle()
        self._watch_scheduler_timers()

    def _watch_scheduler_timers(self) -> None:
        due_us = self.scheduler.next_timer_us()
        if due_us is not None and (self._scheduler_tick_us <= self.events.now_us or due_us < self._scheduler_tick_us):
            self._scheduler_tick_us = max(due_us, self.events.now_us + 1)
            self.events.push(self._scheduler_tick_us, Phase.SCHEDULER_TIMERS, SchedulerTick())

    def _preempt(self, victims: tuple[int, ...], preemptor: int, node: int) -> None:
        for victim in victims:
            self.lifecycle.delete(victim, EndReason.PREEMPTED)

    # -- handlers -----------------------------------------------------------------------------

    def on_load_tick(self, event: LoadTick) -> None:
        """End a load step."""
        self.load_model.tick(self.plan.simulation.load_step)
        self.events.push(self.events.now_us + self.plan.simulation.load_step, Phase.LOAD, event)

    def on_metrics_tick(self, event: MetricsTick) -> None:
        """Sample what every running pod uses."""
        self.load_model.observe()
        resolution_us = self.plan.metrics_pipeline.resolution
        self.samples.record(self.events.now_us, resolution_us, self.load_model.usage_rows, self.load_model.usage_milli)
        self.events.push(self.events.now_us + resolution_us, Phase.METRICS, event)

    def on_hpa_tick(self, event: HpaTick) -> None:
        """Evaluate all horizontal pod autoscalers."""
        self.hpa.sync(self.events.now_us)
        self.events.push(self.events.now_us + self.plan.hpa_controller.sync_period, Phase.HPA, event)

    def on_scheduler_tick(self, event: SchedulerTick) -> None:
        """Flush the scheduling queue's timers."""
        self.scheduler.flush_timers(self.events.now_us)

    def on_record_tick(self, event: RecordTick) -> None:
        """Add a row to the time series."""
        self.load_model.observe()
        sample = self.load_record.sample(self.cluster, self.load_model)
        self.recorder.add_row(self.events.now_us, sample_row(sample))
        self.events.push(self.events.now_us + self.plan.simulation.record_interval, Phase.RECORD, event)


def _delays(plan: Plan) -> dict[int, Delays]:
    return {
        row: Delays(group.provisioning_delay, group.provisioning_spread, group.deletion_delay)
        for row, group in enumerate(plan.node_groups)
    }


def _served(plan: Plan, world: World) -> list[ServedWorkload]:
    return [
        ServedWorkload(world.workload_rows[item.name], item.name, item.traffic, item.demand, item.cpu_use)
        for item in plan.workloads
    ]
