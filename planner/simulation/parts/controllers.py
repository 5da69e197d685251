"""Builds the controllers of a run from the plan's settings; `Simulation` wires them together."""

from collections.abc import Callable
from dataclasses import asdict, replace

from planner.autoscaler.loop.static_autoscaler import StaticAutoscaler
from planner.engine.draws import Draws
from planner.engine.queue import EventQueue
from planner.hpa.controller.controller import HpaController
from planner.hpa.metrics.metrics_pipeline import UsageSamples
from planner.hpa.proportional.cluster_counting import ProportionalController
from planner.hpa.rules.settings import HpaSettings
from planner.keda.controller.settings import paused_autoscalers
from planner.nodes.cloud.provisioning import Cloud
from planner.nodes.lifecycle.lifecycle_controller import NodeLifecycleController
from planner.nodes.lifecycle.node_health import HealthSettings
from planner.plan.derived.holidays import dated
from planner.plan.derived.karpenter_groups import karpenter_rows
from planner.plan.derived.kubernetes.versions import scheduler_differences, taints_a_look_later
from planner.plan.model.plan import Plan
from planner.plan.model.traffic import Traffic
from planner.record.recorder import Recorder
from planner.scheduler.feasibility.static_fit import StaticFit
from planner.scheduler.preemption_result import Budget
from planner.scheduler.profile import profiles_of
from planner.scheduler.scheduler import Scheduler
from planner.simulation.compile.containers import over_time_of
from planner.simulation.compile.world import World
from planner.simulation.options import RunOptions
from planner.simulation.parts.autoscaler_driver import Evictor
from planner.simulation.parts.load_record import LoadRecord
from planner.simulation.parts.metric_feeds import MetricFeeds
from planner.state.pods import EndReason
from planner.workloads.controllers.pod_lifecycle import PodLifecycle
from planner.workloads.disruption.eviction_api import EvictionApi
from planner.workloads.load.load_model import LoadModel
from planner.workloads.load.messages.message_queues import demand_of_consumers
from planner.workloads.served_workload import ServedWorkload, StartupBurst


def scheduler_of(
    plan: Plan,
    world: World,
    recorder: Recorder,
    draws: Draws,
    removal: tuple[PodLifecycle, EvictionApi],
    options: RunOptions,
) -> Scheduler:
    """kube-scheduler; its victims are deleted at once or with their grace period."""
    lifecycle, evictions = removal

    def preempt(victims: tuple[int, ...], preemptor: int, node: int) -> None:
        for victim in victims:
            lifecycle.delete(victim, EndReason.PREEMPTED)

    def budgets() -> list[Budget]:
        return [
            Budget(
                one.budget.namespace,
                one.budget.selector,
                evictions.status(one).disruptions_allowed,
                name=one.budget.name,
            )
            for one in evictions.budgets
        ]

    rules = asdict(scheduler_differences(plan))
    return Scheduler(
        world.cluster,
        recorder,
        [replace(profile, scalar_twins=options.scalar_twins, **rules) for profile in profiles_of(plan.scheduler)],
        on_preempt=preempt,
        budgets=budgets if plan.pod_disruption_budgets else None,
        draws=None if plan.scheduler.deterministic_ties else draws,
        skip_unchanged=plan.scheduler.skip_unchanged,
    )


def _dated(traffic: Traffic | None, plan: Plan) -> Traffic | None:
    """Traffic that knows the holidays of the run."""
    if traffic is None:
        return None
    profile = dated(traffic.profile, plan.simulation)
    return traffic if profile is traffic.profile else traffic.model_copy(update={"profile": profile})


def load_model_of(plan: Plan, world: World, draws: Draws, record: LoadRecord, options: RunOptions) -> LoadModel:
    """The load model; `record` receives its steps."""
    served = [
        ServedWorkload(
            world.workload_rows[item.name],
            _dated(item.traffic, plan),
            item.demand if item.queue is None else demand_of_consumers(item.demand, item.queue),
            item.cpu_use,
            StartupBurst(item.startup_cpu, item.startup_cpu_time),
            tuple((world.workload_rows[call.workload], call.per_request) for call in item.calls),
            tuple((world.workload_rows[call.workload], call.per_request) for call in item.calls if not call.is_async),
            over_time_of(item, world.workload_rows[item.name]),
            item.queue,
            world.workload_rows.get(item.queue.shared_with or "") if item.queue else None,
        )
        for item in plan.workloads
    ]
    return LoadModel(
        world.cluster,
        served,
        draws,
        record.add_steps,
        contention=plan.simulation.cpu_contention,
        nearest_milli=options.recorded_stand_ins,
        scalar_twins=options.scalar_twins,
        discrete_requests=plan.simulation.discrete_requests,
    )


def hpa_controller_of(
    plan: Plan,
    world: World,
    recorder: Recorder,
    samples: UsageSamples,
    feeds: MetricFeeds,
    check_stop: Callable[[], None],
) -> HpaController:
    """The controller of all horizontal pod autoscalers; those of paused ScaledObjects wait to be created."""
    controller = HpaController(
        world.cluster,
        samples,
        plan.horizontal_pod_autoscalers,
        HpaSettings.from_plan(plan.hpa_controller),
        recorder.decide,
        feeds.values,
        recorder.repeat,
        plan.hpa_controller.skip_unchanged,
        check_stop,
    )
    for hpa in paused_autoscalers(plan):
        controller.delete(hpa)
    return controller


def proportional_controllers_of(plan: Plan, world: World) -> list[ProportionalController]:
    """One per proportional autoscaler of the plan."""
    rows = world.workload_rows
    return [
        ProportionalController(world.cluster, known, tuple(rows[name] for name in known.targets))
        for known in plan.proportional_autoscalers
    ]


def node_lifecycle_of(
    plan: Plan, world: World, events: EventQueue, draws: Draws, lifecycle: PodLifecycle, recorder: Recorder
) -> NodeLifecycleController:
    """The controller that taints dead nodes."""
    return NodeLifecycleController(
        world.cluster,
        events,
        HealthSettings.from_plan(plan.node_lifecycle, taints_a_look_later(plan)),
        draws,
        lifecycle.mark_not_ready,
        recorder.decide,
    )


def autoscaler_maker(
    plan: Plan, world: World, recorder: Recorder, draws: Draws, cloud: Cloud, evictions: EvictionApi
) -> Callable[[], StaticAutoscaler]:
    """Makes Cluster Autoscalers that remember nothing: one at the start, another whenever it is restarted."""

    def make() -> StaticAutoscaler:
        settings = plan.cluster_autoscaler
        return StaticAutoscaler(
            world.cluster,
            recorder,
            settings,
            StaticFit(world.cluster),
            cloud,
            Evictor(evictions, settings.max_graceful_termination),
            [spec for row, spec in world.node_spec_of.items() if row not in karpenter_rows(plan)],
            [world.pod_spec_of[row] for row in (*world.daemon_rows, *world.static_rows)],
            None if settings.deterministic_ties else draws,
            group_settings={row: group.scaling for row, group in enumerate(plan.node_groups)},
            budgets=evictions if plan.pod_disruption_budgets else None,
            reuse_simulations=settings.reuse_simulations,
        )

    return make
