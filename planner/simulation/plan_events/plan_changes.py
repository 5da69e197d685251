"""Changes of the plan's own numbers while a run goes on: scheduled minimums, sizes of pools."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from planner.hpa.controller.controller import HpaController
from planner.keda.controller.settings import with_keda_autoscalers
from planner.plan.derived.zones import shares
from planner.plan.model.autoscalers.horizontal_pod_autoscaler import HorizontalPodAutoscaler
from planner.plan.model.autoscalers.scaled_object import ScaledJob, ScaledObject
from planner.plan.model.karpenter.node_pools import NodePool
from planner.plan.model.plan import Plan
from planner.simulation.plan_events.plan_over_time import ChangedPlans, ChangesInForce
from planner.state.cluster import Cluster


@dataclass(frozen=True)
class Changeable:
    """Parts of a run whose settings may change."""

    cluster: Cluster
    workload_rows: Mapping[str, int]
    pool_rows: Mapping[str, tuple[int, ...]]
    """Group rows of a pool: several if it has a group per zone."""
    hpa: HpaController
    change_scaled_object: Callable[[int, ScaledObject], None]
    """By its place in the plan."""
    change_scaled_job: Callable[[int, ScaledJob], None]
    """Likewise."""
    change_node_pool: Callable[[NodePool], None]
    """A pool of Karpenter."""


class PlanChanges:
    """The parts of a run follow the changes that apply."""

    def __init__(self, plan: Plan, parts: Changeable) -> None:
        self._parts, self._now = parts, plan
        self._in_force, self._plans = ChangesInForce(), ChangedPlans(plan)

    def begin(self, number: int, changes: tuple[str, ...]) -> list[str]:
        """The changes of an event apply from now on; the names of what changed."""
        self._in_force.begin(number, changes)
        return self._follow()

    def end(self, number: int) -> None:
        """An occurrence of the event ends; after the last one its changes apply no longer."""
        self._in_force.end(number)
        self._follow()

    def _follow(self) -> list[str]:
        before, after = self._now, self._plans.after(self._in_force.changes)
        self._now = after
        changed: list[str] = []
        for make in (_pools, _workloads, _scaled_objects, _scaled_jobs, _node_pools, _autoscalers):
            changed.extend(make(before, after, self._parts))
        return changed


def _pools(before: Plan, after: Plan, parts: Changeable) -> list[str]:
    found = []
    for old, new in zip(before.node_groups, after.node_groups, strict=True):
        if (old.min_size, old.max_size) != (new.min_size, new.max_size):
            rows = parts.pool_rows[new.name]
            limits = zip(rows, shares(new.min_size, len(rows)), shares(new.max_size, len(rows)), strict=True)
            for row, min_size, max_size in limits:
                parts.cluster.set_group_limits(row, min_size, max_size)
            found.append(new.name)
    return found


def _workloads(before: Plan, after: Plan, parts: Changeable) -> list[str]:
    found = []
    for old, new in zip(before.workloads, after.workloads, strict=True):
        if old.replicas != new.replicas:
            parts.cluster.set_replicas(parts.workload_rows[new.name], new.replicas)
            found.append(new.name)
    return found


def _scaled_objects(before: Plan, after: Plan, parts: Changeable) -> list[str]:
    found = []
    for number, (old, new) in enumerate(zip(before.scaled_objects, after.scaled_objects, strict=True)):
        if old != new:
            parts.change_scaled_object(number, new)
            found.append(new.name)
    return found


def _scaled_jobs(before: Plan, after: Plan, parts: Changeable) -> list[str]:
    found = []
    for number, (old, new) in enumerate(zip(before.scaled_jobs, after.scaled_jobs, strict=True)):
        if old != new:
            parts.change_scaled_job(number, new)
            found.append(new.name)
    return found


def _node_pools(before: Plan, after: Plan, parts: Changeable) -> list[str]:
    found = []
    for old, new in zip(before.karpenter.node_pools, after.karpenter.node_pools, strict=True):
        if old != new:
            parts.change_node_pool(new)
            found.append(new.name)
    return found


def _autoscalers(before: Plan, after: Plan, parts: Changeable) -> list[str]:
    """Those of ScaledObjects are named by them; they are deleted while these are paused."""
    known, wanted = _by_key(with_keda_autoscalers(before)), _by_key(with_keda_autoscalers(after))
    for key, one in known.items():
        if key not in wanted:
            parts.hpa.delete(one)
    own, found = _by_key(after), []
    for key, one in wanted.items():
        if known.get(key) != one:
            parts.hpa.change(one)
            if key in own:
                found.append(one.name)
    return found


def _by_key(plan: Plan) -> dict[tuple[str, str], HorizontalPodAutoscaler]:
    return {(one.namespace, one.name): one for one in plan.horizontal_pod_autoscalers}
