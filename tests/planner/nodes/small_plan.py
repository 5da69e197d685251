"""Small plans without autoscaler in which one thing happens, and what their runs recorded."""

from typing import Any

from planner.plan.model.plan import Plan
from planner.record.decisions import Actor, Decision, Verdict
from planner.simulation.simulation import Simulation
from planner.units import US_PER_S

Json = dict[str, Any]


def a_plan(**parts: Any) -> Plan:
    """Four nodes of one pool and a Deployment of four pods; `parts` replace or add to that, in the file's spelling."""
    whole: Json = {
        "simulation": {"duration": "30m", "seed": 1, "discreteRequests": False},
        "nodeGroups": [a_group("pool", 4)],
        "workloads": [a_workload("web", 4)],
        "clusterAutoscaler": {"enabled": False},
        "scheduler": {"deterministicTies": True},
        "metricsPipeline": {"sampling": "sampled", "phase": "15s"},
        "hpaController": {"phase": "15s", "evaluationTime": "0s"},
        **parts,
    }
    return Plan.model_validate(whole)


def a_group(name: str, size: int, **parts: Any) -> Json:
    """A pool of nodes with 4 cores that boot in a minute."""
    return {
        "name": name, "initialSize": size, "minSize": 0, "maxSize": 50, "cpu": "4", "memory": "16Gi",
        "provisioningDelay": "1m", "provisioningSpread": "0s", **parts,
    }  # fmt: skip


def a_workload(name: str, replicas: int, **parts: Any) -> Json:
    """A Deployment whose pods take a core and start in ten seconds."""
    pod: Json = {"containers": [{"name": "main", "requests": {"cpu": "1", "memory": "1Gi"}}]}
    pod |= parts.pop("pod", {})
    return {"name": name, "replicas": replicas, "pod": pod, **parts}


def run_of(plan: Plan, until_s: int | None = None) -> Simulation:
    """The simulation after the plan's time, or after `until_s`; its sums hold."""
    from planner.engine.loop import EventLoop
    from planner.simulation.wiring import handlers

    sim = Simulation(plan, plan.simulation.seed)
    sim.start()
    EventLoop(sim.events, handlers(sim), sim.settle).run_until(
        plan.simulation.duration if until_s is None else until_s * US_PER_S
    )
    return sim


def decisions_of(sim: Simulation, actor: Actor, verdict: Verdict) -> list[Decision]:
    """What was recorded of one kind, in order."""
    return [one for one in sim.recorder.decisions if one.actor is actor and one.verdict is verdict]


def seconds(decisions: list[Decision]) -> list[float]:
    """When they were made."""
    return [one.time_us / US_PER_S for one in decisions]
