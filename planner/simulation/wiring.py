"""Which handler gets which event: all pairs, once."""

from planner.engine.loop import Handler
from planner.nodes.provisioning import InstanceDeleted, NodeBooted
from planner.simulation.simulation import Simulation
from planner.simulation.ticks import (
    AutoscalerLoop,
    AutoscalerTimer,
    HpaTick,
    LoadTick,
    MetricsTick,
    RecordTick,
    SchedulerTick,
)
from planner.workloads.lifecycle import PodStarted, PodStopped


def handlers(sim: Simulation) -> dict[type, Handler]:
    """Handler by event type. An event without one ends the run with a KeyError: a bug, not silence."""
    return {
        PodStarted: sim.lifecycle.on_pod_started,
        PodStopped: sim.lifecycle.on_pod_stopped,
        NodeBooted: sim.cloud.on_node_booted,
        InstanceDeleted: sim.cloud.on_instance_deleted,
        SchedulerTick: sim.on_scheduler_tick,
        LoadTick: sim.on_load_tick,
        MetricsTick: sim.on_metrics_tick,
        HpaTick: sim.on_hpa_tick,
        AutoscalerTimer: sim.autoscaler.on_timer,
        AutoscalerLoop: sim.autoscaler.on_loop,
        RecordTick: sim.on_record_tick,
    }
