"""What a new experiment begins with: settings that fit the plan, to be run as they are or changed."""

from collections.abc import Iterator

from planner.plan.model.plan import Plan
from planner.units import US_PER_S

_USUAL_PERCENT = 15
"""Points up and down of a target utilisation."""


def first_settings(plan: Plan, kind: str) -> dict[str, object]:
    """What has to be given for an experiment of that kind, or had better be."""
    if kind == "vary":
        return _what_matters(plan)
    if kind != "search":
        return {}
    reserves = [(f"overprovisioning[{one.name}].replicas", 2 * one.replicas) for one in plan.overprovisioning]
    pools = [(f"nodeGroups[{one.name}].minSize", one.max_size) for one in plan.node_groups]
    path, most = next(iter((*reserves, *pools)), ("load", 1))
    step = max(1, most // 5)
    return {"over": (f"{path} = 0..{step * max(1, most // step)}:{step}",)}


def _what_matters(plan: Plan) -> dict[str, object]:
    """The numbers that usually matter, so that the answer can rank them, with few runs; one alone is a curve."""
    over = tuple(_numbers(plan))
    if len(over) < 2:
        return {"over": ("load = 0.5..1.5:0.25",)}
    few = {"seeds": 2, "points": 12, "trajectories": 4, "base_samples": 4}
    return {"over": over, "sampling": "latinHypercube", "sensitivity": True, **few}


def _numbers(plan: Plan) -> Iterator[str]:
    """The load, the target of an autoscaler, the work of a request, and of the largest pool its maximum and delay."""
    served = [one for one in plan.workloads if one.traffic is not None]
    if served:
        yield "load = 0.8..1.2"
    for scaler in plan.horizontal_pod_autoscalers[:1]:
        target = scaler.metrics[0].average_utilization if scaler.metrics else None
        if target is not None and target > _USUAL_PERCENT:
            path = f"horizontalPodAutoscalers[{scaler.name}].metrics[0].averageUtilization"
            yield f"{path} = {target - _USUAL_PERCENT}..{target + _USUAL_PERCENT}:1"
    work = [one for one in served if one.demand.cpu_seconds_per_request > 0.0]
    for one in work[:1]:
        cpu = one.demand.cpu_seconds_per_request
        yield f"workloads[{one.name}].demand.cpuSecondsPerRequest = {0.8 * cpu:.6g}..{1.2 * cpu:.6g}"
    for pool in sorted(plan.node_groups, key=lambda one: -one.max_size)[:1]:
        least = max(pool.min_size, pool.initial_size, pool.max_size // 2, 1)
        if least < pool.max_size:
            yield f"nodeGroups[{pool.name}].maxSize = {least}..{pool.max_size + pool.max_size // 2}:1"
        delay_s = pool.provisioning_delay / US_PER_S
        if delay_s > 0.0:
            yield f"nodeGroups[{pool.name}].provisioningDelay = {delay_s / 2:.6g}s..{delay_s * 2:.6g}s"
