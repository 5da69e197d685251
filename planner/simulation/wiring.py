"""Which handler gets which event: all pairs, once."""

from planner.engine.loop import Handler
from planner.nodes.drainer import DrainStep
from planner.nodes.lifecycle_controller import HealthLook, TaintTurn
from planner.nodes.provisioning import InstanceDeleted, InstanceRefused, NodeBooted
from planner.nodes.taint_controller import TaintDeletionDue
from planner.simulation.plan_events import EffectEnds, PlanEventDue
from planner.simulation.simulation import Simulation
from planner.simulation.ticks import (
    AutoscalerLoop,
    AutoscalerTimer,
    GatesRemoved,
    HpaTick,
    LoadTick,
    MetricsTick,
    RecordTick,
    SchedulerTick,
)
from planner.workloads.lifecycle import PodReadyAgain, PodStarted, PodStopped
from planner.workloads.rollouts import AvailabilityDue


def handlers(sim: Simulation) -> dict[type, Handler]:
    """Handler by event type. An event without one ends the run with a KeyError: a bug, not silence."""
    return {
        PodStarted: sim.lifecycle.on_pod_started,
        PodStopped: sim.lifecycle.on_pod_stopped,
        PodReadyAgain: sim.lifecycle.on_pod_ready_again,
        AvailabilityDue: sim.rollouts.on_available,
        HealthLook: sim.node_lifecycle.on_look,
        TaintTurn: sim.node_lifecycle.on_turn,
        TaintDeletionDue: sim.taints.on_deletion_due,
        DrainStep: sim.drainer.on_step,
        PlanEventDue: sim.plan_events.on_due,
        EffectEnds: sim.plan_events.on_ends,
        InstanceRefused: sim.cloud.on_instance_refused,
        NodeBooted: sim.cloud.on_node_booted,
        InstanceDeleted: sim.cloud.on_instance_deleted,
        SchedulerTick: sim.on_scheduler_tick,
        GatesRemoved: sim.on_gates_removed,
        LoadTick: sim.on_load_tick,
        MetricsTick: sim.on_metrics_tick,
        HpaTick: sim.on_hpa_tick,
        AutoscalerTimer: sim.autoscaler.on_timer,
        AutoscalerLoop: sim.autoscaler.on_loop,
        RecordTick: sim.on_record_tick,
    }
