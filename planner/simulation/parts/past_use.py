"""What the pods that are there at the start used before the run: with a warm start the recommender has watched them.

The load before the run is what its profile gives for earlier times: the days before of a wave, and of a recorded load
what was recorded before the moment at which the run starts.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from planner.hpa.metrics.container_use import part_of, use_of_parts
from planner.plan.derived.holidays import dated
from planner.plan.model.plan import Plan
from planner.plan.model.workloads import ONE_PER_NODE, Workload, WorkloadKind
from planner.simulation.compile.kubelet_profiles import memory_profile
from planner.simulation.compile.pods import Admission
from planner.simulation.compile.world import World
from planner.state.specs import PodSpec
from planner.units import US_PER_S
from planner.vpa.recommender.recommender import PastUse
from planner.workloads.load_profiles import rates

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
_STEP_US = 300 * US_PER_S
_SAMPLE_US = 60 * US_PER_S


def past_use(plan: Plan, world: World) -> Iterator[tuple[int, list[PastUse]]]:
    """Workload rows of autoscaled pods that are there at the start, and the past of each of their main containers."""
    simulation = plan.simulation
    if not simulation.warm_start:
        return
    targets = {(one.namespace, one.target) for one in plan.vertical_pod_autoscalers}
    for item in plan.workloads:
        since_us = _history_us(plan, item)
        if (item.namespace, item.name) in targets and _is_there(item) and since_us >= _STEP_US:
            row = world.workload_rows[item.name]
            yield row, _of_workload(plan, item, world.pod_spec_of[row], since_us)


def _history_us(plan: Plan, item: Workload) -> int:
    given = plan.vpa_recommender.initial_history
    age_us = plan.simulation.initial_pod_age if item.initial_age is None else item.initial_age
    return age_us if given is None else given


def _is_there(item: Workload) -> bool:
    """Whether its pods are at the start as many as it says, and their load is known for earlier times."""
    closed = item.traffic is not None and item.traffic.clients is not None
    return item.replicas > 0 and item.kind not in (*ONE_PER_NODE, WorkloadKind.JOB) and not closed


def _of_workload(plan: Plan, item: Workload, spec: PodSpec, since_us: int) -> list[PastUse]:
    times_us = np.arange(-(since_us // _STEP_US) * _STEP_US, 0, _STEP_US, dtype=np.int64)
    constant = sum(one.cpu_use_milli for one in spec.running.containers)
    milli = constant + np.ceil(_cores(plan, item, times_us) * 1000.0).astype(np.int64)
    if spec.running.cpu_limit_milli > 0:
        milli = np.minimum(milli, spec.running.cpu_limit_milli)
    interval_us = plan.vpa_recommender.memory_interval
    ends_us = -np.arange(since_us // interval_us, dtype=np.int64)[::-1] * interval_us
    memory = memory_profile(item, spec, Admission.of(plan).overhead(spec.template))
    level = float(memory.start)
    if item.use is not None and item.use.memory is not None:
        level = float(rates(item.use.memory, times_us).max())
    found = []
    for container, its in zip(spec.template.containers, memory.containers, strict=False):
        part = part_of(spec, container.name)
        assert part is not None, "main containers run as long as the pod"
        used = use_of_parts(milli, part.constant, part.pod_constant, part.share)
        peaks = np.full(len(ends_us), round(level * its.share), np.int64)
        found.append(PastUse(item.replicas, times_us, used, _STEP_US // _SAMPLE_US, ends_us, peaks))
    return found


def _cores(plan: Plan, item: Workload, times_us: Ints) -> Floats:
    """CPU of each pod at these times, before limits."""
    requests = _rate(plan, item, times_us) / item.replicas
    over_time = rates(item.use.cpu, times_us) if item.use is not None and item.use.cpu is not None else 0.0
    demand = item.demand
    steady = (item.cpu_use + demand.idle_cpu) / 1000.0
    return np.asarray(requests * demand.cpu_seconds_per_request + steady + over_time)


def _rate(plan: Plan, item: Workload, times_us: Ints) -> Floats:
    """Requests per second of its own traffic and of all that call it; calls never form cycles."""
    found = np.zeros(len(times_us))
    if item.traffic is not None:
        found = rates(dated(item.traffic.profile, plan.simulation), times_us)
    for caller in plan.workloads:
        for call in caller.calls:
            if call.workload == item.name:
                found = found + call.per_request * _rate(plan, caller, times_us)
    return found
