"""Connects every event to its handlers, in one place."""

from planner.engine.loop import Handler
from planner.nodes.binding.hand_binding import HandBoundPodSeen, OrphanCollected
from planner.nodes.cloud.provisioning import (
    InstanceDeleted,
    InstanceRefused,
    NodeBooted,
    NodeTurnsReady,
    ResourcesAppear,
)
from planner.nodes.drain.drainer import DrainStep
from planner.nodes.drain.node_shutdown import ShutdownStep
from planner.nodes.kubelet.container_restarts import ContainerRestarts, LimitReached
from planner.nodes.kubelet.kubelet_admission import PodSeen
from planner.nodes.kubelet.memory_pressure import NodeExhausted, PassDue
from planner.nodes.kubelet.pressure_taints import StatusSync
from planner.nodes.lifecycle.lifecycle_controller import HealthLook, TaintTurn
from planner.nodes.lifecycle.taint_controller import TaintDeletionDue
from planner.nodes.resizing.kubelet_resizes import ResizesLook
from planner.simulation.parts.spot_market import SpotLook
from planner.simulation.plan_events.player import PlanEventDue
from planner.simulation.plan_events.scene import EffectEnds
from planner.simulation.simulation import Simulation
from planner.simulation.ticks import (
    AutoscalerLoop,
    AutoscalerTimer,
    GatesRemoved,
    HpaTick,
    KarpenterLook,
    KarpenterPass,
    KarpenterStep,
    KarpenterTriggers,
    KarpenterWindow,
    LoadTick,
    MetricsTick,
    ProportionalPoll,
    RecordTick,
    ScaledJobPoll,
    ScaledObjectPoll,
    SchedulerTick,
    SeriesTick,
    VpaEviction,
    VpaRecommend,
    VpaUpdate,
)
from planner.workloads.controllers.jobs.cron_jobs import CronDue
from planner.workloads.controllers.jobs.job_controller import JobLook, JobPodEnds
from planner.workloads.controllers.pod_lifecycle import PodReadyAgain, PodsStarted, PodStarted, PodStopped
from planner.workloads.controllers.replica_sets import FailedPodReplaced
from planner.workloads.controllers.rollouts import AvailabilityDue
from planner.workloads.controllers.stateful_sets import StatefulSetDue
from planner.workloads.quota.gate import CreationRetry


def handlers(sim: Simulation) -> dict[type, Handler]:
    """Handler by event type. An event without one ends the run with a KeyError: a bug, not silence."""
    return _of_workloads(sim) | _of_nodes(sim) | _of_loops(sim) | _of_karpenter(sim) | _of_memory(sim)


def _of_workloads(sim: Simulation) -> dict[type, Handler]:
    return {
        PodStarted: sim.lifecycle.on_pod_started,
        PodsStarted: sim.lifecycle.on_pods_started,
        PodStopped: sim.lifecycle.on_pod_stopped,
        PodReadyAgain: sim.lifecycle.on_pod_ready_again,
        AvailabilityDue: sim.keepers.rollouts.on_available,
        StatefulSetDue: sim.keepers.stateful_sets.on_due,
        FailedPodReplaced: sim.keepers.daemon_sets.on_failed_pod_replaced,
        CreationRetry: sim.keepers.on_creation_retry,
        JobLook: sim.keepers.jobs.on_look,
        CronDue: sim.keepers.cron_jobs.on_due,
        JobPodEnds: sim.keepers.jobs.on_pod_ends,
        HandBoundPodSeen: sim.keepers.hand_binding.on_seen,
        OrphanCollected: sim.keepers.hand_binding.on_collected,
    }


def _of_nodes(sim: Simulation) -> dict[type, Handler]:
    return {
        HealthLook: sim.node_lifecycle.on_look,
        TaintTurn: sim.node_lifecycle.on_turn,
        TaintDeletionDue: sim.taints.on_deletion_due,
        DrainStep: sim.drainer.on_step,
        ShutdownStep: sim.shutdowns.on_step,
        PlanEventDue: sim.plan_events.on_due,
        SpotLook: sim.spot_market.on_look,
        EffectEnds: sim.plan_events.on_ends,
        InstanceRefused: sim.cloud.on_instance_refused,
        NodeBooted: sim.cloud.on_node_booted,
        NodeTurnsReady: sim.cloud.on_node_turns_ready,
        ResourcesAppear: sim.cloud.on_resources_appear,
        InstanceDeleted: sim.cloud.on_instance_deleted,
        ResizesLook: sim.resizes.on_look,
    }


def _of_loops(sim: Simulation) -> dict[type, Handler]:
    return {
        SchedulerTick: sim.settling.on_scheduler_tick,
        GatesRemoved: sim.on_gates_removed,
        LoadTick: sim.on_load_tick,
        MetricsTick: sim.sampling.on_metrics_tick,
        HpaTick: sim.sampling.on_hpa_tick,
        SeriesTick: sim.feeds.on_series_tick,
        ProportionalPoll: sim.sampling.on_proportional_poll,
        ScaledObjectPoll: sim.by_events.on_object,
        ScaledJobPoll: sim.by_events.on_jobs,
        VpaRecommend: sim.vertical.on_recommend,
        VpaUpdate: sim.vertical.on_update,
        VpaEviction: sim.vertical.on_eviction,
        AutoscalerTimer: sim.autoscaler.on_timer,
        AutoscalerLoop: sim.autoscaler.on_loop,
        RecordTick: sim.series.on_record_tick,
    }


def _of_karpenter(sim: Simulation) -> dict[type, Handler]:
    if sim.karpenter is None:
        return {}
    return {
        KarpenterWindow: sim.karpenter.on_window,
        KarpenterTriggers: sim.karpenter.on_triggers,
        KarpenterPass: sim.karpenter.on_pass,
        KarpenterStep: sim.karpenter.on_step,
        KarpenterLook: sim.karpenter.on_look,
    }


def _of_memory(sim: Simulation) -> dict[type, Handler]:
    if sim.memory is None:
        return {}
    return {
        LimitReached: sim.memory.killer.on_limit,
        ContainerRestarts: sim.memory.killer.on_restart,
        PodSeen: sim.memory.admission.on_seen,
        PassDue: sim.memory.pressure.on_pass,
        StatusSync: sim.memory.pressure.taints.on_sync,
        NodeExhausted: sim.memory.pressure.on_exhausted,
    }
