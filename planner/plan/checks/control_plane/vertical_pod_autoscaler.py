"""Checks of vertical pod autoscalers and limit ranges against the plan's workloads."""

from collections.abc import Iterator

from planner.errors import PlanProblem
from planner.language.translation import marked, tr
from planner.plan.checks.pods import repeated, suggestion
from planner.plan.files.problems import shown
from planner.plan.model.autoscalers.vertical_pod_autoscaler import (
    EVERY_CONTAINER,
    CpuAndMemory,
    LimitRange,
    VerticalPodAutoscaler,
)
from planner.plan.model.plan import Plan
from planner.plan.model.workloads import Workload, WorkloadKind
from planner.units import format_bytes, format_cpu

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
    for index, limits in enumerate(plan.limit_ranges):
        yield from _check_limits(limits, f"limitRanges[{index}]")
    workloads = {(workload.namespace, workload.name): workload for workload in plan.workloads}
    taken: dict[tuple[str, str], str] = {}
    for index, vpa in enumerate(plan.vertical_pod_autoscalers):
        where, target = f"{SECTION}[{index}]", (vpa.namespace, vpa.target)
        for position, policy in enumerate(vpa.container_policies):
            # The admission controller refuses such a policy (VPA 1.8, admission-controller, ValidateVPA).
            place = f"{where}.containerPolicies[{position}].minAllowed"
            yield from _check_order(policy.min_allowed, policy.max_allowed, place, _ABOVE_MOST)
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


_ABOVE_MOST = marked("The least ({low}) is above the most ({high}).")
_DEFAULT_ABOVE_MOST = marked("The default limit ({low}) is above the most ({high}).")
_ABOVE_DEFAULT = marked("The least ({low}) is above the default limit ({high}).")


def _check_limits(limits: LimitRange, where: str) -> Iterator[PlanProblem]:
    """What kube-apiserver 1.36 refuses of a limit range (pkg/apis/core/validation, ValidateLimitRange)."""
    yield from _check_order(limits.min, limits.max, f"{where}.min", _ABOVE_MOST)
    yield from _check_order(limits.default, limits.max, f"{where}.default", _DEFAULT_ABOVE_MOST)
    yield from _check_order(limits.min, limits.default, f"{where}.min", _ABOVE_DEFAULT)


def _check_order(low: CpuAndMemory, high: CpuAndMemory, where: str, problem: str) -> Iterator[PlanProblem]:
    for name, write in (("cpu", format_cpu), ("memory", format_bytes)):
        below, above = low.amounts.get(name), high.amounts.get(name)
        if below is not None and above is not None and below > above:
            remedy = tr("Lower it to {high} or raise the other.", high=write(above))
            yield PlanProblem(f"{where}.{name}", tr(problem, low=write(below), high=write(above)), remedy)
