"""Hints on budgets that are allowed but block drains, upgrades and the autoscaler."""

from collections.abc import Iterator

from planner.language.translation import tr
from planner.matching.selectors import selector_matches
from planner.plan.hints.hint import Hint
from planner.plan.model.budgets import PodDisruptionBudget
from planner.plan.model.plan import Plan
from planner.plan.model.workloads import SCALABLE, Workload
from planner.plan.values.portions import portion_of


def disruption_hints(plan: Plan) -> Iterator[Hint]:
    """Hints on the disruption budgets of a plan."""
    first: dict[str, str] = {}
    for index, budget in enumerate(plan.pod_disruption_budgets):
        if budget.selector.match_expressions:
            continue  # labels alone are judged here
        where = f"podDisruptionBudgets[{index}]"
        covered = [workload for workload in plan.workloads if _covers(budget, workload)]
        if not covered:
            yield Hint(
                f"{where}.selector", tr("It matches no workload and so protects nothing."), tr("Correct the labels.")
            )
            continue
        yield from _room(budget, covered, where)
        for workload in covered:
            other = first.setdefault(workload.name, budget.name)
            if other != budget.name:
                text = tr(
                    "The budget {other} covers {name} too; evictions of its pods then fail.",
                    other=other,
                    name=workload.name,
                )
                yield Hint(f"{where}.selector", text, tr("Cover each workload with only one budget."))


def _room(budget: PodDisruptionBudget, covered: list[Workload], where: str) -> Iterator[Hint]:
    counts_scales = budget.max_unavailable is not None or isinstance(budget.min_available, str)
    odd = [workload for workload in covered if workload.kind not in SCALABLE]
    if odd and counts_scales:
        text = tr(
            "It covers {name}, a {kind}, which has no replica count. It then allows no disruption.",
            name=odd[0].name,
            kind=odd[0].kind,
        )
        yield Hint(
            f"{where}.selector", text, tr("Give minAvailable as a number, or exclude the workload from the selector.")
        )
        return
    replicas = sum(workload.replicas for workload in covered)
    if budget.max_unavailable is not None:
        field, allowed = "maxUnavailable", portion_of(budget.max_unavailable, replicas, round_up=True)
    else:
        field, allowed = "minAvailable", replicas - portion_of(budget.min_available or 0, replicas, round_up=True)
    if allowed <= 0:
        text = tr(
            "It allows none of {replicas} pods to be evicted, so drains and upgrades wait forever.", replicas=replicas
        )
        yield Hint(f"{where}.{field}", text, tr("Allow at least one, for example maxUnavailable 1."))


def _covers(budget: PodDisruptionBudget, workload: Workload) -> bool:
    same = workload.namespace == budget.namespace
    return same and selector_matches(budget.selector, workload.pod.labels_of(workload.name))
