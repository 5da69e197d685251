"""Checks of what affects placement besides the pod template: existing volumes, and services."""

from collections.abc import Iterator

from planner.errors import PlanProblem
from planner.language.translation import tr
from planner.matching.label_syntax import VALUE_RULE, is_label_value
from planner.plan.checks.pods import repeated
from planner.plan.checks.selectors import check_labels
from planner.plan.files.problems import shown
from planner.plan.model.plan import Plan
from planner.plan.model.workloads import Workload


def check_claim_zones(workload: Workload, where: str) -> Iterator[PlanProblem]:
    """Zones are label values, and only volumes that are kept have one."""
    zones = workload.stateful.claim_zones
    if zones and not workload.pod.zonal_claim:
        remedy = tr("Turn on zonalClaim or remove the zones.")
        yield PlanProblem(where, tr("The pods have no zonal volumes."), remedy)
    for index, zone in enumerate(zones):
        if not is_label_value(zone):
            yield PlanProblem(f"{where}[{index}]", tr("{zone} is not a valid zone name.", zone=shown(zone)), VALUE_RULE)


def check_services(plan: Plan) -> Iterator[PlanProblem]:
    """Names are unique in a namespace; selectors are labels."""
    names = [f"{known.namespace}/{known.name}" for known in plan.services]
    for index, name in repeated(names):
        problem = tr("The name {name} is already used by another service.", name=shown(name))
        yield PlanProblem(f"services[{index}].name", problem, tr("Choose another name or namespace."))
    for index, known in enumerate(plan.services):
        yield from check_labels(known.selector, f"services[{index}].selector")
