"""One run: the world, its controllers and its clockwork. The only place that knows all of them."""

from collections.abc import Callable

import numpy as np

from planner.autoscaler.static_autoscaler import StaticAutoscaler
from planner.engine.loop import cancelled_at
from planner.engine.phases import Phase
from planner.engine.queue import EventQueue
from planner.engine.streams import Streams
from planner.hpa.cluster_counting import ProportionalController
from planner.hpa.controller import HpaController
from planner.hpa.metrics_pipeline import UsageSamples
from planner.hpa.settings import HpaSettings
from planner.hpa.status import metric_columns
from planner.metrics.catalogue import sample_row, series_names
from planner.metrics.room import RoomWatch
from planner.nodes.drainer import Drainer
from planner.nodes.lifecycle_controller import NodeLifecycleController
from planner.nodes.node_health import HealthSettings
from planner.nodes.node_shutdown import NodeShutdowns
from planner.nodes.provisioning import Cloud
from planner.nodes.taint_controller import TaintController
from planner.nodes.upgrade import NodeUpgrades
from planner.plan.faults import CreateWorkload, MetricsApi, RestartedController
from planner.plan.plan import Plan
from planner.plan.workloads import Workload, WorkloadKind
from planner.plan.zones import pool_rows, with_zone_groups
from planner.record.recorder import Recorder
from planner.scheduler.preemption import Budget
from planner.scheduler.profile import profiles_of
from planner.scheduler.scheduler import Scheduler
from planner.scheduler.static_fit import StaticFit
from planner.simulation.autoscaler_driver import AutoscalerDriver, Evictor
from planner.simulation.buffer_sizes import follow_replicas
from planner.simulation.compile import World, compile_plan, gate_removals, keepers
from planner.simulation.compile_containers import constant_cpu_milli
from planner.simulation.compile_nodes import delays_of, quotas_of, shutdown_periods
from planner.simulation.load_record import LoadRecord
from planner.simulation.memory_life import MemoryLife
from planner.simulation.metric_feeds import MetricFeeds
from planner.simulation.plan_events.player import PlanEvents
from planner.simulation.plan_events.scene import Reach
from planner.simulation.pod_keepers import PodKeepers, workloads_of_kind
from planner.simulation.spot_market import SpotMarket
from planner.simulation.ticks import (
    GatesRemoved,
    HpaTick,
    LoadTick,
    MetricsTick,
    ProportionalPoll,
    RecordTick,
    SchedulerTick,
)
from planner.state.nodes import NONE
from planner.state.pods import EndReason
from planner.workloads.eviction_api import EvictionApi
from planner.workloads.lifecycle import PodLifecycle
from planner.workloads.load_model import LoadModel
from planner.workloads.services import ServedWorkload, StartupBurst


class Simulation:
    """State and controllers of one run, and the handlers of its ticks."""

    def __init__(
        self,
        plan: Plan,
        seed: int,
        recorder: Recorder | None = None,
        cancelled: Callable[[], bool] = lambda: False,
    ) -> None:
        self._pool_rows = pool_rows(plan)
        self.plan = plan = with_zone_groups(plan)
        self._cancelled = cancelled
        self.events = EventQueue()
        self.recorder = recorder or Recorder()
        self.streams = Streams(seed)
        self.world: World = compile_plan(plan, self.events)
        self.cluster = self.world.cluster
        follow_replicas(plan, self.world)
        self.lifecycle = PodLifecycle(self.cluster, self.events)
        self.evictions = EvictionApi(
            self.cluster, self.lifecycle, plan.pod_disruption_budgets, self.recorder.decide, self._has_no_scale
        )
        self.cloud = Cloud(
            self.cluster,
            self.events,
            delays_of(plan),
            self.streams["nodes/provisioning"],
            self.world.zone_specs,
            quotas_of(plan, self._pool_rows),
        )
        static_fit = StaticFit(self.cluster)
        self.scheduler = Scheduler(
            self.cluster,
            self.recorder,
            profiles_of(plan.scheduler),
            on_preempt=self._preempt,
            budgets=self._budgets_for_preemption if plan.pod_disruption_budgets else None,
            generator=None if plan.scheduler.deterministic_ties else self.streams["scheduler/ties"],
        )
        self.keepers = PodKeepers.of(plan, self.world, self.events, self.lifecycle, self.streams, self.recorder.decide)
        self.load_record = LoadRecord(plan)
        self.room = RoomWatch(self.cluster, [self.world.pod_spec_of[row] for row in range(len(plan.workloads))])
        self.load_model = LoadModel(
            self.cluster,
            _served(plan, self.world),
            self.streams,
            self.load_record.add_step,
            contention=plan.simulation.cpu_contention,
            nearest_milli=plan.simulation.reference_stand_ins,
        )
        self.samples = UsageSamples(plan.metrics_pipeline.delay)
        self.memory = MemoryLife.of(plan, self.world, self.events, self.lifecycle, self.streams, self.recorder.decide)
        self.feeds = MetricFeeds(plan, self.world, self.events, self.load_model, self.memory, self.streams)
        self.proportional = self._proportional_controllers()
        self.hpa = self._hpa_controller()
        self.autoscaler = AutoscalerDriver(
            self.cluster, self.events, self._fresh_autoscaler(static_fit), plan.cluster_autoscaler
        )
        self._hpa_columns = metric_columns(plan)
        self.recorder.open_series([*series_names(self.cluster, tuple(self.load_record.totals.of)), *self._hpa_columns])
        self._scheduler_tick_us = -1
        self.node_lifecycle = self._node_lifecycle_controller()
        self.taints = TaintController(self.cluster, self.events, self.lifecycle.delete, self.recorder.decide)
        self.drainer = Drainer(self.cluster, self.events, self.evictions, self.recorder.decide)
        periods = {row: shutdown_periods(group) for row, group in enumerate(plan.node_groups)}
        self.shutdowns = NodeShutdowns(self.cluster, self.events, periods, self.lifecycle.delete)
        self._metrics_deliver = True
        reach = self._reach()
        self.plan_events = PlanEvents(plan.events, reach, self.streams["events"], self.recorder.decide)
        self.spot_market = SpotMarket(plan, reach, self.streams["nodes/spot"], self.recorder.decide)

    def _node_lifecycle_controller(self) -> NodeLifecycleController:
        return NodeLifecycleController(
            self.cluster,
            self.events,
            HealthSettings.from_plan(self.plan.node_lifecycle),
            self.streams["nodes/leases"],
            self.lifecycle.mark_not_ready,
            self.recorder.decide,
        )

    def _proportional_controllers(self) -> list[ProportionalController]:
        rows = self.world.workload_rows
        return [
            ProportionalController(self.cluster, known, tuple(rows[name] for name in known.targets))
            for known in self.plan.proportional_autoscalers
        ]

    def _hpa_controller(self) -> HpaController:
        return HpaController(
            self.cluster,
            self.samples,
            self.plan.horizontal_pod_autoscalers,
            HpaSettings.from_plan(self.plan.hpa_controller),
            self.recorder.decide,
            self.feeds.values,
            self.recorder.repeat,
            self.plan.hpa_controller.skip_unchanged,
        )

    def _fresh_autoscaler(self, static_fit: StaticFit) -> StaticAutoscaler:
        """A Cluster Autoscaler that remembers nothing."""
        plan = self.plan
        return StaticAutoscaler(
            self.cluster,
            self.recorder,
            plan.cluster_autoscaler,
            static_fit,
            self.cloud,
            Evictor(self.evictions, plan.cluster_autoscaler.max_graceful_termination),
            list(self.world.node_spec_of.values()),
            [self.world.pod_spec_of[row] for row in self.world.daemon_rows],
            None if plan.cluster_autoscaler.deterministic_ties else self.streams["autoscaler/expander"],
            group_settings={row: group.scaling for row, group in enumerate(plan.node_groups)},
            budgets=self.evictions if plan.pod_disruption_budgets else None,
            reuse_simulations=plan.cluster_autoscaler.reuse_simulations,
        )

    def _restart(self, controller: RestartedController) -> None:
        """A controller starts anew and has forgotten everything."""
        if controller is RestartedController.HPA:
            self.hpa.restart()
        else:
            self.autoscaler.restart(self._fresh_autoscaler(StaticFit(self.cluster)))

    def _reach(self) -> Reach:
        """What events of the plan act on."""
        return Reach(
            self.cluster,
            self.events,
            self.cloud,
            self.drainer,
            NodeUpgrades(self.cluster, self.events, self.drainer, self.cloud, self.recorder.decide),
            self.shutdowns,
            self.lifecycle,
            self._pool_rows,
            self.world.workload_rows,
            self._restart,
            self._set_metrics,
            self.keepers.roll_out,
            {item.name: item.replicas for item in self.plan.workloads}.__getitem__,
        )

    # -- start --------------------------------------------------------------------------------

    def start(self) -> None:
        """Initial nodes and replicas, settled, and the first tick of every clock."""
        for row, group in enumerate(self.plan.node_groups):
            self.cloud.start_with(row, group.initial_size)
        created_later = {event.workload for event in self.plan.events if isinstance(event, CreateWorkload)}
        for item in keepers(self.plan):
            row = self.world.workload_rows[item.name]
            is_job = isinstance(item, Workload) and item.kind is WorkloadKind.JOB
            if item.name in created_later:
                self.cluster.set_absent(row, True)
            elif not self.world.pod_spec_of[row].is_daemon and not is_job:
                self.cluster.set_replicas(row, item.replicas)
        self.settle()
        if self.plan.simulation.warm_start:
            self._warm_up()
        self.events.push(0, Phase.LOAD, LoadTick())
        self.events.push(0, Phase.RECORD, RecordTick())
        pipeline, controller = self.plan.metrics_pipeline, self.plan.hpa_controller
        self.events.push(pipeline.phase or pipeline.resolution, Phase.METRICS, MetricsTick())
        if self.plan.horizontal_pod_autoscalers:
            self.events.push(controller.phase or controller.sync_period, Phase.HPA, HpaTick())
        self.feeds.start()
        for number in range(len(self.proportional)):
            self.events.push(self.events.now_us, Phase.HPA, ProportionalPoll(number))
        for row, at_us in gate_removals(self.plan):
            self.events.push(at_us, Phase.PLAN_ACTIONS, GatesRemoved(row))
        self.keepers.jobs.start()
        self.plan_events.start(self.plan.simulation.duration)
        self.spot_market.start()
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
            acted = self.keepers.reconcile()
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

    def _set_metrics(self, api: MetricsApi, answers: bool) -> None:
        """Whether a metrics API answers; while that of resources does not, nobody has a sample."""
        if api is not MetricsApi.RESOURCE:
            self.feeds.set_answering(api, answers)
            return
        self._metrics_deliver = answers
        if not answers:
            self.samples.forget()

    def _budgets_for_preemption(self) -> list[Budget]:
        return [
            Budget(one.budget.namespace, one.budget.selector, self.evictions.status(one).disruptions_allowed)
            for one in self.evictions.budgets
        ]

    def _has_no_scale(self, workload: int) -> bool:
        jobs = workloads_of_kind(self.plan, self.world, WorkloadKind.JOB)
        return self.world.pod_spec_of[workload].is_daemon or workload in jobs

    # -- handlers -----------------------------------------------------------------------------

    def on_load_tick(self, event: LoadTick) -> None:
        """End a load step."""
        self.feeds.spend()
        self.load_model.tick(self.plan.simulation.load_step)
        self.events.push(self.events.now_us + self.plan.simulation.load_step, Phase.LOAD, event)

    def on_metrics_tick(self, event: MetricsTick) -> None:
        """Sample what every running pod uses."""
        self.load_model.observe()
        resolution_us = self.plan.metrics_pipeline.resolution
        if self._metrics_deliver and not self.feeds.sample_own_moments(self.samples):
            rows, usage_milli = self.load_model.usage_rows, self.load_model.usage_milli
            if self.plan.simulation.reference_stand_ins:
                serving = self.load_model.serving
                rows, usage_milli = rows[serving], usage_milli[serving]
            memory = self.feeds.working_sets(rows)
            self.samples.record(self.events.now_us, resolution_us, rows, usage_milli, memory)
        self.events.push(self.events.now_us + resolution_us, Phase.METRICS, event)

    def on_hpa_tick(self, event: HpaTick) -> None:
        """Evaluate all horizontal pod autoscalers."""
        self.hpa.sync(self.events.now_us)
        self.events.push(self.events.now_us + self.plan.hpa_controller.sync_period, Phase.HPA, event)

    def on_proportional_poll(self, event: ProportionalPoll) -> None:
        """One proportional autoscaler looks at the cluster."""
        controller = self.proportional[event.number]
        for decision in controller.poll(self.events.now_us):
            self.recorder.decide(decision)
        self.events.push(self.events.now_us + controller.poll_period_us, Phase.HPA, event)

    def on_scheduler_tick(self, event: SchedulerTick) -> None:
        """Flush the scheduling queue's timers."""
        self.scheduler.flush_timers(self.events.now_us)

    def on_gates_removed(self, event: GatesRemoved) -> None:
        """The last scheduling gate of a workload's pods goes."""
        self.cluster.remove_gates(event.workload)

    def on_record_tick(self, event: RecordTick) -> None:
        """Add a row to the time series."""
        self.load_model.observe()
        sample = self.load_record.sample(self.cluster, self.load_model, self.scheduler.pending_pods())
        autoscalers = zip(self._hpa_columns, self.hpa.metric_values(), strict=True)
        self.room.look(self.events.now_us)
        self.recorder.add_row(self.events.now_us, {**sample_row(sample), **dict(autoscalers)})
        self.events.push(self.events.now_us + self.plan.simulation.record_interval, Phase.RECORD, event)


def _served(plan: Plan, world: World) -> list[ServedWorkload]:
    return [
        ServedWorkload(
            world.workload_rows[item.name],
            item.name,
            item.traffic,
            item.demand,
            item.cpu_use + constant_cpu_milli(item.pod),
            StartupBurst(item.startup_cpu, item.startup_cpu_time),
            tuple((world.workload_rows[call.workload], call.per_request) for call in item.calls),
        )
        for item in plan.workloads
    ]
