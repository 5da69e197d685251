"""One run: the world, its controllers and its periodic work. The only module that knows all of them."""

from collections.abc import Callable

from planner.engine.draws import Draws
from planner.engine.loop import never, stop_check
from planner.engine.phases import Phase
from planner.engine.queue import EventQueue
from planner.keda.controller.settings import paused_autoscalers, with_keda_autoscalers
from planner.metrics.history.columns import history_of
from planner.metrics.history.node_log import NodeLog
from planner.nodes.cloud.provisioning import Cloud
from planner.nodes.drain.drainer import Drainer
from planner.nodes.drain.node_shutdown import NodeShutdowns
from planner.nodes.drain.upgrade import NodeUpgrades
from planner.nodes.lifecycle.taint_controller import TaintController
from planner.plan.derived.karpenter_groups import with_karpenter_groups
from planner.plan.derived.kubernetes.versions import at_its_version
from planner.plan.derived.zones import pool_rows, with_zone_groups
from planner.plan.model.events.on_control_plane import RestartedController
from planner.plan.model.plan import Plan
from planner.plan.model.workloads import WorkloadKind
from planner.record.history import ClusterHistory
from planner.record.recorder import Recorder
from planner.simulation import beginning
from planner.simulation.beats.event_beats import EventBeats
from planner.simulation.beats.sampling import MetricBeats
from planner.simulation.beats.series_clock import SeriesClock
from planner.simulation.beats.vertical_scaling import VerticalScaling
from planner.simulation.compile.nodes import delays_of, quotas_of, shutdown_periods
from planner.simulation.compile.world import World, compile_plan, gate_removals
from planner.simulation.options import ORDINARY, RunOptions
from planner.simulation.parts.autoscaler_driver import AutoscalerDriver
from planner.simulation.parts.controllers import (
    autoscaler_maker,
    hpa_controller_of,
    load_model_of,
    node_lifecycle_of,
    proportional_controllers_of,
    scheduler_of,
)
from planner.simulation.parts.karpenter_driver import connect, karpenter_of
from planner.simulation.parts.load_record import LoadRecord
from planner.simulation.parts.memory_life import MemoryLife
from planner.simulation.parts.metric_feeds import MetricFeeds
from planner.simulation.parts.pod_keepers import PodKeepers, follow_replicas, workloads_of_kind
from planner.simulation.parts.pod_resizes import pod_resizes
from planner.simulation.parts.quotas import quota_gate_of
from planner.simulation.parts.spot_market import SpotMarket
from planner.simulation.parts.use_pipeline import UsePipeline
from planner.simulation.plan_events.plan_changes import Changeable, PlanChanges
from planner.simulation.plan_events.player import PlanEvents
from planner.simulation.plan_events.scene import Reach
from planner.simulation.settling import Settling
from planner.simulation.ticks import GatesRemoved, LoadTick, RecordTick
from planner.state.scaling import ControllerKind
from planner.workloads.controllers.pod_lifecycle import PodLifecycle
from planner.workloads.disruption.eviction_api import EvictionApi


class Simulation:
    """State and controllers of one run."""

    def __init__(
        self,
        plan: Plan,
        seed: int,
        recorder: Recorder | None = None,
        cancelled: Callable[[], bool] = never,
        options: RunOptions = ORDINARY,
    ) -> None:
        """Raises RunStopped if `cancelled()` becomes true."""
        self.options = options
        self._written = plan
        self._pool_rows = pool_rows(with_karpenter_groups(plan))
        complete = with_keda_autoscalers(with_karpenter_groups(plan), paused_autoscalers(plan))
        self.plan = plan = at_its_version(with_zone_groups(complete))
        self.events = EventQueue()
        self._check_stop = stop_check(cancelled, self.events)
        self.recorder = recorder or Recorder()
        self.draws = Draws(seed)
        self.world: World = compile_plan(plan, self.events, self._check_stop)
        self.cluster = self.world.cluster
        self.node_log = NodeLog(self.cluster)
        self._make_pod_controllers()
        self._check_stop()
        self._make_load()
        self._make_metrics()
        self._check_stop()
        self._make_node_controllers()
        bound = options.bounds.per_instant
        self.settling = Settling(self.events, self.keepers, self.scheduler, self.load_model, self._check_stop, bound)
        reach = self._reach()
        self.plan_events = PlanEvents(plan.events, reach, self.draws, self.recorder.decide)
        self.spot_market = SpotMarket(plan, reach, self.draws, self.recorder.decide)

    def _make_pod_controllers(self) -> None:
        plan, world, events, decide = self.plan, self.world, self.events, self.recorder.decide
        follow_replicas(plan, world)
        self.lifecycle = PodLifecycle(self.cluster, events, quota_gate_of(plan, world, events, decide))
        self.evictions = EvictionApi(
            self.cluster, self.lifecycle, plan.pod_disruption_budgets, decide, self._has_no_scale
        )
        self.cloud = Cloud(
            self.cluster,
            events,
            delays_of(plan),
            self.draws,
            world.zone_specs,
            quotas_of(plan, self._pool_rows),
        )
        removal = self.lifecycle, self.evictions
        self.scheduler = scheduler_of(plan, world, self.recorder, self.draws, removal, self.options)
        self.keepers = PodKeepers.of(
            plan, world, events, self.lifecycle, self.draws, decide, self._check_stop, self.options.recorded_stand_ins
        )
        self.job_log = self.keepers.jobs.log

    def _make_load(self) -> None:
        """The load model and what pods hold of it."""
        plan, world, events, recorder = self.plan, self.world, self.events, self.recorder
        self.load_record = LoadRecord(plan)
        self.load_model = load_model_of(plan, world, self.draws, self.load_record, self.options)
        self.lifecycle.work_left_us, self.lifecycle.processes_end = self.load_model.work_left_us, self.load_model.kill
        self._check_stop()
        self.memory = MemoryLife.of(
            plan,
            world,
            events,
            self.lifecycle,
            self.draws,
            recorder.decide,
            self.load_model.held_of,
            self.keepers.jobs.begin,
        )

    def _make_metrics(self) -> None:
        """What is measured of the load, and who reads it: autoscalers, kubelets and the report."""
        plan, world, events, recorder = self.plan, self.world, self.events, self.recorder
        self.feeds = MetricFeeds(plan, world, events, self.load_model, self.load_record)
        self.pod_use = UsePipeline(
            plan, world, events, self.load_model, self.memory, self.draws, self.options.recorded_stand_ins
        )
        self.samples = self.pod_use.samples
        self.proportional = proportional_controllers_of(plan, world)
        self.hpa = hpa_controller_of(plan, world, recorder, self.samples, self.feeds, self._check_stop)
        self.sampling = MetricBeats(
            plan,
            events,
            recorder,
            self.feeds,
            self.pod_use,
            self.hpa,
            self.proportional,
            self.draws,
        )
        self.by_events = EventBeats(plan, world, events, self.feeds.values, self.keepers.jobs, recorder.decide)
        self.resizes = pod_resizes(world.cluster, events, self.lifecycle, self.memory, recorder.decide)
        self.vertical = VerticalScaling(
            plan, world, events, self.samples, self.memory, self.draws, recorder.decide, self.evictions, self.resizes
        )
        self._check_stop()
        self.series = SeriesClock(
            plan,
            world,
            events,
            recorder,
            self.load_model,
            self.load_record,
            self.scheduler,
            self.hpa,
            self.memory,
            self.vertical,
        )

    def _make_node_controllers(self) -> None:
        plan, world, events, recorder = self.plan, self.world, self.events, self.recorder
        self._fresh_autoscaler = autoscaler_maker(plan, world, recorder, self.draws, self.cloud, self.evictions)
        self.autoscaler = AutoscalerDriver(self.cluster, events, self._fresh_autoscaler(), plan.cluster_autoscaler)
        self.karpenter = karpenter_of(plan, world, events, self.cloud, self.draws, recorder)
        if self.karpenter is not None:
            connect(self.karpenter, self.cloud, self.evictions, self.lifecycle)
        self.node_lifecycle = node_lifecycle_of(plan, world, events, self.draws, self.lifecycle, recorder)
        self.taints = TaintController(self.cluster, events, self.lifecycle.delete, recorder.decide)
        self.drainer = Drainer(self.cluster, events, self.evictions, recorder.decide)
        periods = {row: shutdown_periods(group) for row, group in enumerate(plan.node_groups)}
        self.shutdowns = NodeShutdowns(self.cluster, events, periods, self.lifecycle.delete)

    def _reach(self) -> Reach:
        """What events of the plan act on."""
        changeable = Changeable(
            self.cluster,
            self.world.workload_rows,
            self._pool_rows,
            self.hpa,
            self.by_events.change_object,
            self.by_events.change_job,
            lambda pool: self.karpenter.on_pool_changed(pool) if self.karpenter else None,
        )
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
            self.sampling.set_answering,
            self.keepers.roll_out,
            {item.name: item.replicas for item in self.plan.workloads}.__getitem__,
            lambda node: self.karpenter is not None and self.karpenter.on_interruption(node),
            lambda nodes: self.karpenter.on_node_class_changed(nodes) if self.karpenter else None,
            PlanChanges(self._written, changeable),
        )

    def _restart(self, controller: RestartedController) -> None:
        """A controller restarts and loses everything it kept in memory."""
        if controller is RestartedController.HPA:
            self.hpa.restart()
        elif controller is RestartedController.VPA_RECOMMENDER:
            self.vertical.recommender.restart(self.events.now_us)
        elif controller is RestartedController.VPA_UPDATER:
            self.vertical.updater.restart()
        else:
            self.autoscaler.restart(self._fresh_autoscaler())

    def _has_no_scale(self, workload: int) -> bool:
        """Bare pods have no owner that could have one."""
        spec, jobs = self.world.pod_spec_of[workload], workloads_of_kind(self.plan, self.world, WorkloadKind.JOB)
        return spec.is_daemon or workload in jobs or spec.scaling.controller is ControllerKind.OTHER

    def start(self) -> None:
        """Initial nodes and replicas, settled, and the first tick of every clock."""
        beginning.ask_for_nodes(self.plan, self.cloud)
        if self.karpenter is not None:
            self.karpenter.begin(self.plan)
        beginning.ask_for_pods(self.plan, self.world)
        self.settle()
        usual_us, ages = self.plan.simulation.initial_pod_age, beginning.pod_ages(self.plan, self.world)
        while self.plan.simulation.warm_start and beginning.make_ready(self.cluster, usual_us, ages, self._check_stop):
            self.settle()
        self.events.push(0, Phase.LOAD, LoadTick())
        self.events.push(0, Phase.RECORD, RecordTick())
        self.sampling.start()
        self.vertical.start()
        self.by_events.start()
        for row, at_us in gate_removals(self.plan):
            self.events.push(at_us, Phase.PLAN_ACTIONS, GatesRemoved(row))
        self.keepers.jobs.start()
        self.keepers.cron_jobs.start()
        self.plan_events.start(self.plan.simulation)
        self.spot_market.start()
        self.autoscaler.start()
        if self.karpenter is not None:
            self.karpenter.start()

    def history(self) -> ClusterHistory:
        """Nodes, pods and Jobs up to now."""
        return history_of(self.cluster, self.node_log, self.events.now_us, self.job_log.history())

    def settle(self) -> None:
        """Controllers and scheduler act until nothing changes."""
        self.settling.settle()
        if self.memory is not None:
            self.memory.pressure.settle()

    def on_load_tick(self, event: LoadTick) -> None:
        """End a load step."""
        self.load_model.tick(self.plan.simulation.load_step)
        self.pod_use.end_step()
        self.settling.follow_work()
        if self.memory is not None:
            self.memory.follow(self.events.now_us)
        self.events.push(self.events.now_us + self.plan.simulation.load_step, Phase.LOAD, event)

    def on_gates_removed(self, event: GatesRemoved) -> None:
        """The last scheduling gate of a workload's pods goes."""
        self.cluster.remove_gates(event.workload)
