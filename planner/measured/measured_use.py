"""What containers used, from measured series, as right-sizing starts from it.

Series are of whole workloads: pods of one workload are taken to share its use evenly, and containers of one pod to
share it as their requests do.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from planner.experiments.kinds.rightsize.observing import KnownUse
from planner.experiments.kinds.rightsize.sizes import requests_of, vpa_of
from planner.measured.calibration.cpu import ready_pods
from planner.measured.measured_cluster import MeasuredCluster
from planner.measured.quantities import Quantity
from planner.plan.model.plan import Plan
from planner.plan.model.workloads import Workload
from planner.simulation.use.distribution import UseDistribution, UseTallies
from planner.simulation.use.observation import ContainerUse
from planner.units import US_PER_S
from planner.vpa.controller.settings import container_policies, recommender_rules, wants_whole_cores
from planner.vpa.recommender.histograms import EPOCH_US
from planner.vpa.recommender.policies import CPU, MEMORY, RESOURCES
from planner.vpa.recommender.recommender import NONE, Recommender

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
_UNITS = {CPU: 1000.0, MEMORY: 1.0}
"""Milli-CPU in a core, and bytes."""
_QUANTITIES = {CPU: Quantity.CPU, MEMORY: Quantity.MEMORY}


@dataclass(frozen=True)
class _Container:
    """A container with its use per pod at every step: milli-CPU and bytes; -1 where nothing was measured."""

    workload: Workload
    name: str
    pods: Ints
    use: dict[str, Ints] = field(default_factory=dict)


def measured_use(plan: Plan, measured: MeasuredCluster) -> KnownUse:
    """The use of all main containers, and what the recommender of the Vertical Pod Autoscaler makes of it."""
    containers = [one for workload in plan.workloads for one in _containers(workload, measured)]
    targets = _targets(plan, measured, containers)
    uses = tuple(
        ContainerUse(one.workload.name, one.name, _spread(one, CPU), _spread(one, MEMORY), target)
        for one, target in zip(containers, targets, strict=True)
    )
    return KnownUse(uses, f"{measured.source}, {measured.window}", tuple(_notes(plan, measured)))


def _notes(plan: Plan, measured: MeasuredCluster) -> Iterator[str]:
    yield "Pods of a workload are taken to share its measured use evenly."
    several = [one.name for one in plan.workloads if len(one.pod.containers) > 1 and _is_measured(one, measured)]
    if several:
        yield f"Containers are taken to share the use of their pod as their requests say: {', '.join(several)}."


def _is_measured(workload: Workload, measured: MeasuredCluster) -> bool:
    return any(measured.course(quantity, workload.name) is not None for quantity in _QUANTITIES.values())


def _containers(workload: Workload, measured: MeasuredCluster) -> Iterator[_Container]:
    pods = np.rint(np.nan_to_num(np.asarray(ready_pods(workload, measured), np.float64))).astype(np.int64)
    requests = requests_of(workload)
    for one in workload.pod.containers:
        use = {}
        for resource, quantity in _QUANTITIES.items():
            course = measured.course(quantity, workload.name)
            if course is not None:
                total = sum(amounts.get(resource, 0) for amounts in requests.values())
                share = requests[one.name].get(resource, 0) / total if total else 1.0 / len(requests)
                use[resource] = _per_pod(np.asarray(course, np.float64) * share * _UNITS[resource], pods)
        yield _Container(workload, one.name, pods, use)


def _per_pod(amounts: Floats, pods: Ints) -> Ints:
    known = np.isfinite(amounts) & (amounts >= 0) & (pods > 0)
    return np.where(known, np.rint(np.where(known, amounts, 0.0) / np.maximum(pods, 1)), NONE).astype(np.int64)


def _spread(one: _Container, resource: str) -> UseDistribution | None:
    """A step counts as often as there were pods."""
    if resource not in one.use:
        return None
    known = np.flatnonzero(one.use[resource] != NONE)
    tallies = UseTallies(1)
    tallies.add(np.zeros(len(known), np.int64), one.use[resource][known], one.pods[known])
    return tallies.of(0)


def _targets(plan: Plan, measured: MeasuredCluster, containers: Sequence[_Container]) -> Iterator[dict[str, int]]:
    """Recommendations at the end of the series."""
    model, slots = Recommender(recommender_rules(plan.vpa_recommender)), []
    numbers = {one.name: at for at, one in enumerate(plan.workloads)}
    for one in containers:
        vpa = vpa_of(plan, one.workload)
        policies = () if vpa is None else container_policies(vpa)
        cores = vpa is not None and wants_whole_cores(vpa, one.name)
        slots.append(model.slot(numbers[one.workload.name], one.name, policies, cores))
    if not slots:
        return
    starts_us = EPOCH_US + measured.start_s * US_PER_S
    first = model.start(slots, [one.workload.name for one in containers], starts_us)
    nothing = np.full(measured.steps, NONE, np.int64)
    cpu, memory = (np.array([one.use.get(resource, nothing) for one in containers]) for resource in RESOURCES)
    instances = np.arange(first, first + len(containers))
    for step in range(measured.steps):
        times_us = np.full(len(containers), starts_us + (step + 1) * measured.step_s * US_PER_S)
        now_us = int(times_us[0])
        model.add_cpu(instances, cpu[:, step], times_us, now_us)
        model.add_memory(instances, memory[:, step], times_us, now_us)
    latest = model.recommend()
    for slot in slots:
        found = {resource: int(latest.of(resource)[0, slot]) for resource in RESOURCES}
        yield {resource: amount for resource, amount in found.items() if amount != NONE}
