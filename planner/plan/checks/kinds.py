"""Checks of settings that only some kinds of workloads have."""

from collections.abc import Iterator

from planner.errors import PlanProblem
from planner.plan.checks.pods import repeated, suggestion
from planner.plan.files.problems import shown
from planner.plan.model.plan import Plan
from planner.plan.model.workloads import Workload, WorkloadKind


def check_kind_settings(plan: Plan, workload: Workload, where: str) -> Iterator[PlanProblem]:
    """Custom controllers of pods, and the pools and nodes of static pods."""
    if workload.custom_controller and workload.kind is not WorkloadKind.POD:
        problem = f"The pods of a {workload.kind} have a controller that Kubernetes knows."
        yield PlanProblem(f"{where}.customController", problem, "Remove it, or use the kind Pod.")
    if workload.kind is WorkloadKind.STATIC_POD:
        yield from _check_static(plan, workload, where)
    elif workload.node_groups:
        problem = f"Only static pods are bound to pools; this is a {workload.kind}."
        yield PlanProblem(f"{where}.nodeGroups", problem, "Remove them, use a node selector, or the kind StaticPod.")


def _check_static(plan: Plan, workload: Workload, where: str) -> Iterator[PlanProblem]:
    known = [group.name for group in plan.node_groups]
    for index, name in enumerate(workload.node_groups):
        if name not in known:
            remedy = suggestion(name, known, "Name a node pool of the plan.")
            yield PlanProblem(f"{where}.nodeGroups[{index}]", f"There is no node pool {shown(name)}.", remedy)
    for index, name in repeated(workload.node_groups):
        yield PlanProblem(f"{where}.nodeGroups[{index}]", f"The pool {shown(name)} is named twice.", "Remove one.")
    if workload.pod.node_name:
        problem = "Static pods are on every node of their pools and name none."
        yield PlanProblem(f"{where}.pod.nodeName", problem, "Remove the name.")
    if workload.pod.scheduling_gates:
        problem = "Static pods are not scheduled, so they cannot have scheduling gates."
        yield PlanProblem(f"{where}.pod.schedulingGates", problem, "Remove the gates.")
