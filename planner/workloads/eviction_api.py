"""The eviction API of a run: asks the budgets that cover a pod, deletes it or records the refusal."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from planner.plan.budgets import PodDisruptionBudget
from planner.record.decisions import Actor, Decision, Verdict
from planner.state.cluster import Cluster
from planner.state.matching import selector_matches
from planner.state.nodes import NONE
from planner.state.pods import EndReason, PodPhase
from planner.workloads.budgets import (
    BudgetRule,
    BudgetStatus,
    EvictionAnswer,
    EvictionCode,
    answer_eviction,
    desired_healthy,
    disruptions_allowed,
)
from planner.workloads.lifecycle import PodLifecycle


@dataclass(frozen=True)
class CompiledBudget:
    """A budget with the workloads whose pods it matches."""

    budget: PodDisruptionBudget
    rule: BudgetRule
    workloads: tuple[int, ...]
    countable: bool
    """False: it covers pods of a DaemonSet or Job and needs scales, so that nothing may be disrupted."""


class EvictionApi:
    """Evicts pods as budgets allow. The status of a budget is that of this moment."""

    def __init__(
        self,
        cluster: Cluster,
        lifecycle: PodLifecycle,
        budgets: Sequence[PodDisruptionBudget],
        decide: Callable[[Decision], None],
        without_scale: Callable[[int], bool],
    ) -> None:
        """`without_scale`: whether a workload row is of a kind that has no desired scale (DaemonSet, Job)."""
        self._cluster = cluster
        self._lifecycle = lifecycle
        self._decide = decide
        self.budgets = [self._compile(budget, without_scale) for budget in budgets]
        self._covering: dict[int, tuple[int, ...]] = {}
        for number, compiled in enumerate(self.budgets):
            for row in compiled.workloads:
                self._covering[row] = (*self._covering.get(row, ()), number)

    def covering(self, pod: int) -> tuple[int, ...]:
        """Numbers of the budgets that select a pod."""
        return self._covering.get(int(self._cluster.pods.workload[pod]), ())

    def allowed(self) -> list[int]:
        """Disruptions that each budget allows now."""
        return [self.status(compiled).disruptions_allowed for compiled in self.budgets]

    def status(self, compiled: CompiledBudget) -> BudgetStatus:
        """A budget as the disruption controller sees it now; every evicted pod carries a deletion time at once."""
        table, rule = self._cluster.workloads, compiled.rule
        rows = list(compiled.workloads)
        if not compiled.countable:
            return BudgetStatus()
        if rule.counts_scales:
            expected = int(table.desired[rows].sum())
        else:
            expected = sum(len(self._cluster.workload_pods[row]) for row in rows)
        healthy, desired = int(table.ready[rows].sum()), desired_healthy(rule, expected)
        return BudgetStatus(healthy, desired, expected, disruptions_allowed(healthy, desired, expected))

    def ask(self, pod: int) -> EvictionAnswer:
        """What the API would say now; nothing changes (a dry run)."""
        pods = self._cluster.pods
        past = pods.phase[pod] != PodPhase.RUNNING or pods.deletion_us[pod] != NONE
        covering = [self.budgets[number] for number in self.covering(pod)]
        states = [(one.rule, self.status(one)) for one in covering]
        return answer_eviction(bool(past), bool(pods.ready[pod]), states)

    def evict(self, pod: int, by: str, grace_cap_us: int | None = None) -> EvictionAnswer:
        """Delete the pod if the budgets allow it. `by` says who asks, for the record."""
        answer = self.ask(pod)
        if answer.allowed:
            self._lifecycle.delete(pod, EndReason.EVICTED, grace_cap_us)
        else:
            self._record_refusal(pod, answer, by)
        return answer

    def _record_refusal(self, pod: int, answer: EvictionAnswer, by: str) -> None:
        cluster = self._cluster
        covering = [self.budgets[number] for number in self.covering(pod)]
        figures, details = {"code": float(answer.code)}, {"by": by}
        if answer.code is EvictionCode.SEVERAL_BUDGETS:
            details["reason"] = "more than one disruption budget covers the pod"
        else:
            status = self.status(covering[0])
            details["budget"] = covering[0].budget.name
            figures["current_healthy"] = status.current_healthy
            figures["desired_healthy"] = status.desired_healthy
        self._decide(
            Decision(
                cluster.clock.now_us,
                Actor.EVICTION,
                Verdict.REFUSED,
                cluster.pod_name(pod),
                target=cluster.node_name(int(cluster.pods.node[pod])),
                figures=figures,
                details=details,
            )
        )

    def _compile(self, budget: PodDisruptionBudget, without_scale: Callable[[int], bool]) -> CompiledBudget:
        rule = BudgetRule(budget.min_available, budget.max_unavailable, budget.unhealthy_pod_eviction_policy)
        rows = tuple(
            dict.fromkeys(
                spec.workload
                for spec in self._cluster.pod_specs
                if spec.namespace == budget.namespace and selector_matches(budget.selector, spec.labels)
            )
        )
        countable = not (rule.counts_scales and any(map(without_scale, rows)))
        return CompiledBudget(budget, rule, rows, countable)
