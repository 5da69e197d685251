"""Checks of vertical pod autoscalers and limit ranges against the plan's workloads."""

from collections.abc import Iterator

from planner.errors import PlanProblem
from planner.language.translation import tr
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
        problem = tr("There is another vertical pod autoscaler {name}.", name=shown(name))
        yield PlanProblem(f"{SECTION}[{index}].name", problem, tr("Choose another name."))
    for index, name in repeated([f"{one.namespace}/{one.name}" for one in plan.limit_ranges]):
        yield PlanProblem(
            f"limitRanges[{index}].name", tr("There is another {name}.", name=shown(name)), tr("Choose another name.")
        )
    workloads = {(workload.namespace, workload.name): workload for workload in plan.workloads}
    taken: dict[tuple[str, str], str] = {}
    for index, vpa in enumerate(plan.vertical_pod_autoscalers):
        where, target = f"{SECTION}[{index}]", (vpa.namespace, vpa.target)
        if target not in workloads:
            names = [workload.name for workload in plan.workloads if workload.namespace == vpa.namespace]
            problem = tr(
                "There is no workload {target} in namespace {namespace}.",
                target=shown(vpa.target),
                namespace=shown(vpa.namespace),
            )
            yield PlanProblem(
                f"{where}.target", problem, suggestion(vpa.target, names, tr("Name a workload of the plan."))
            )
            continue
        if target in taken:
            problem = tr(
                "{target} is already sized by {taken}; only the older one would act.",
                target=shown(vpa.target),
                taken=shown(taken[target]),
            )
            yield PlanProblem(f"{where}.target", problem, tr("Merge both into one."))
        taken.setdefault(target, vpa.name)
        yield from _check_sized(vpa, workloads[target], where)


def _check_sized(vpa: VerticalPodAutoscaler, workload: Workload, where: str) -> Iterator[PlanProblem]:
    if workload.kind in _WITHOUT_CONTROLLER:
        problem = tr(
            "{name} is a {kind}, whose pods no controller makes again.", name=shown(workload.name), kind=workload.kind
        )
        yield PlanProblem(f"{where}.target", problem, tr("Name a Deployment, StatefulSet, DaemonSet or Job."))
        return
    names = [one.name for one in workload.pod.containers]
    for position, policy in enumerate(vpa.container_policies):
        if policy.container_name not in (EVERY_CONTAINER, *names):
            problem = tr(
                "The pods of {name} have no container {container_name}.",
                name=shown(workload.name),
                container_name=shown(policy.container_name),
            )
            remedy = suggestion(policy.container_name, names, tr("Name a container of the pod, or write *."))
            yield PlanProblem(f"{where}.containerPolicies[{position}].containerName", problem, remedy)
