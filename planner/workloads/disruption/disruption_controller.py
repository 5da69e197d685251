"""The disruption controller of a run: keeps the status of every budget.

A pass is made when a status is read and something has changed since the last pass. The result is the same as that of a
controller that syncs after every event.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from planner.matching.selectors import selector_matches
from planner.plan.model.budgets import PodDisruptionBudget
from planner.state.cluster import Cluster
from planner.state.nodes import NONE
from planner.state.pods import PodPhase
from planner.workloads.disruption.budgets import (
    BudgetRule,
    BudgetStatus,
    EvictedPod,
    OwnedPods,
    after_eviction,
    budget_status,
    recheck_after_us,
)


@dataclass(frozen=True)
class CompiledBudget:
    """A budget with the workloads whose pods it matches."""

    number: int
    budget: PodDisruptionBudget
    rule: BudgetRule
    workloads: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Kept:
    """A status, and how long it holds: while the key is the same, and until pods leave the disrupted list."""

    status: BudgetStatus
    key: bytes
    until_us: int | None


class DisruptionController:
    """Budgets of a run and their status."""

    def __init__(
        self, cluster: Cluster, budgets: Sequence[PodDisruptionBudget], without_scale: Callable[[int], bool]
    ) -> None:
        """`without_scale`: whether a workload row is of a kind that has no desired scale (DaemonSet, Job)."""
        self._cluster = cluster
        self.budgets = [self._compile(number, budget) for number, budget in enumerate(budgets)]
        self._has_scale = {row: not without_scale(row) for one in self.budgets for row in one.workloads}
        self._bare = frozenset(spec.workload for spec in cluster.pod_specs if spec.scaling.is_bare)
        self._kept: dict[int, _Kept] = {}
        self._covering: dict[int, tuple[int, ...]] = {}
        for one in self.budgets:
            for row in one.workloads:
                self._covering[row] = (*self._covering.get(row, ()), one.number)

    def covering(self, pod: int) -> tuple[int, ...]:
        """Numbers of the budgets that select a pod."""
        return self._covering.get(int(self._cluster.pods.workload[pod]), ())

    def status(self, number: int) -> BudgetStatus:
        """A budget as the controller sees it now."""
        one, now_us = self.budgets[number], self._cluster.clock.now_us
        key, kept = self._key(one), self._kept.get(number)
        if kept is not None and kept.key == key and (kept.until_us is None or now_us < kept.until_us):
            return kept.status
        status = self._pass(one, BudgetStatus() if kept is None else kept.status, now_us)
        recheck_us = recheck_after_us(status, now_us)
        self._kept[number] = _Kept(status, key, None if recheck_us is None else now_us + max(recheck_us, 1))
        return status

    def on_eviction(self, number: int, pod: int) -> None:
        """The API has let a pod of the budget go; it counts as disrupted until it carries a deletion time."""
        kept = self._kept[number]
        self._kept[number] = replace(kept, status=after_eviction(kept.status, pod, self._cluster.clock.now_us))

    def _key(self, one: CompiledBudget) -> bytes:
        table, rows = self._cluster.workloads, list(one.workloads)
        return table.version[rows].tobytes() + table.desired[rows].tobytes() + table.absent[rows].tobytes()

    def _pass(self, one: CompiledBudget, before: BudgetStatus, now_us: int) -> BudgetStatus:
        """A pass that fails leaves the figures as they were and allows nothing."""
        pods, table = self._cluster.pods, self._cluster.workloads
        waiting = {pod: since_us for pod, since_us in before.disrupted_us.items() if self._awaits_deletion(pod)}
        evicted = {pod: EvictedPod(since_us, bool(pods.ready[pod])) for pod, since_us in waiting.items()}
        scaled = [row for row in one.workloads if self._has_scale[row] and not table.absent[row]]
        scales = {row: int(table.desired[row]) for row in scaled}
        owned = [self._owned(row) for row in one.workloads]
        status = budget_status(one.rule, owned, scales, evicted, now_us)
        return replace(before, disruptions_allowed=0) if status is None else status

    def _owned(self, row: int) -> OwnedPods:
        owner = None if row in self._bare else row
        return OwnedPods(owner, len(self._cluster.workload_pods[row]), int(self._cluster.workloads.ready[row]))

    def _awaits_deletion(self, pod: int) -> bool:
        pods = self._cluster.pods
        return bool(pods.phase[pod] != PodPhase.GONE and pods.deletion_us[pod] == NONE)

    def _compile(self, number: int, budget: PodDisruptionBudget) -> CompiledBudget:
        rows = dict.fromkeys(
            spec.workload
            for spec in self._cluster.pod_specs
            if spec.namespace == budget.namespace and selector_matches(budget.selector, spec.labels)
        )
        return CompiledBudget(number, budget, BudgetRule.of(budget), tuple(rows))
