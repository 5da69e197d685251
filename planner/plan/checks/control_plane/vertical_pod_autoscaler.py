"""Checks of vertical pod autoscalers and limit ranges against the plan's workloads."""

from collections.abc import Iterator

from planner.errors import PlanProblem
from planner.plan.checks.pods import repeated, suggestion
from planner.plan.files.problems import shown
from planner.plan.model.autoscalers.vertical_pod_autoscaler import EVERY_CONTAINER, VerticalPodAutoscaler
from planner.plan.model.plan import Plan
from planner.plan.model.workloads import Workload, WorkloadKind

_WITHOUT_CONTROLLER = (WorkloadKind.POD, WorkloadKind.STATIC_POD)
SECTION = "verticalPodAutoscalers"


def check_vpas(plan: Plan) -> Iterator[PlanProblem]:
    """All vertical pod autoscalers, and the limit ranges they respect."""
    for index, name in repeated([f"{vpa.namespace}/{vpa.name}" for vpa in plan.vertical_pod_autoscalers]):
        problem = f"There is another vertical pod autoscaler {shown(name)}."
        yield PlanProblem(f"{SECTION}[{index}].name", problem, "Choose another name.")
    for index, name in repeated([f"{one.namespace}/{one.name}" for one in plan.limit_ranges]):
        yield PlanProblem(f"limitRanges[{index}].name", f"There is another {shown(name)}.", "Choose another name.")
    workloads = {(workload.namespace, workload.name): workload for workload in plan.workloads}
    taken: dict[tuple[str, str], str] = {}
    for index, vpa in enumerate(plan.vertical_pod_autoscalers):
        where, target = f"{SECTION}[{index}]", (vpa.namespace, vpa.target)
        if target not in workloads:
            names = [workload.name for workload in plan.workloads if workload.namespace == vpa.namespace]
            problem = f"There is no workload {shown(vpa.target)} in namespace {shown(vpa.namespace)}."
            yield PlanProblem(f"{where}.target", problem, suggestion(vpa.target, names, "Name a workload of the plan."))
            continue
        if target in taken:
            problem = f"{shown(vpa.target)} is already sized by {shown(taken[target])}; only the older one would act."
            yield PlanProblem(f"{where}.target", problem, "Merge both into one.")
        taken.setdefault(target, vpa.name)
        yield from _check_sized(vpa, workloads[target], where)


def _check_sized(vpa: VerticalPodAutoscaler, workload: Workload, where: str) -> Iterator[PlanProblem]:
    if workload.kind in _WITHOUT_CONTROLLER:
        problem = f"{shown(workload.name)} is a {workload.kind}, whose pods no controller makes again."
        yield PlanProblem(f"{where}.target", problem, "Name a Deployment, StatefulSet, DaemonSet or Job.")
        return
    names = [one.name for one in workload.pod.containers]
    for position, policy in enumerate(vpa.container_policies):
        if policy.container_name not in (EVERY_CONTAINER, *names):
            problem = f"The pods of {shown(workload.name)} have no container {shown(policy.container_name)}."
            remedy = suggestion(policy.container_name, names, "Name a container of the pod, or write *.")
            yield PlanProblem(f"{where}.containerPolicies[{position}].containerName", problem, remedy)
