"""The last step of an import: the plan model checks everything, and problems are told at the manifest's place."""

import json
import re
from collections.abc import Mapping

from planner.errors import ImportProblem, ImportProblems, PlanProblem, PlanProblems
from planner.kube.draft import Part
from planner.kube.left_out import Losses
from planner.plan.check_hpa import check_hpas
from planner.plan.horizontal_pod_autoscaler import HorizontalPodAutoscaler
from planner.plan.io import plan_from_text
from planner.plan.plan import Plan
from planner.plan.validate import check_plan

_FIRST = re.compile(r"([A-Za-z]+(?:\[\d+\])?)\.?(.*)", re.DOTALL)
MAX_PROBLEMS = 100


def checked_plan(data: Part, sources: Mapping[str, str], losses: Losses) -> Plan:
    """The plan; `sources` tells where items such as `workloads[3]` come from. Raises ImportProblems."""
    try:
        plan = plan_from_text(json.dumps(data), "import")
    except PlanProblems as error:
        raise ImportProblems(_placed(problem, sources) for problem in error.problems[:MAX_PROBLEMS]) from None
    plan = _without_idle_autoscalers(plan, sources, losses)
    problems = [_placed(problem, sources) for problem in check_plan(plan)]
    if problems:
        raise ImportProblems(problems[:MAX_PROBLEMS])
    return plan


def _placed(problem: PlanProblem, sources: Mapping[str, str]) -> ImportProblem:
    match = _FIRST.match(problem.where)
    if match is None or match.group(1) not in sources:
        return ImportProblem(f"import: {problem.where}", problem.problem, problem.remedy)
    place = sources[match.group(1)]
    return ImportProblem(f"{place}: {match.group(2)}".removesuffix(": "), problem.problem, problem.remedy)


def _without_idle_autoscalers(plan: Plan, sources: Mapping[str, str], losses: Losses) -> Plan:
    """Autoscalers that could never act stay out, with the reason; clusters have many of them."""
    kept: list[HorizontalPodAutoscaler] = []
    for scaler in plan.horizontal_pod_autoscalers:
        alone = plan.model_copy(update={"horizontal_pod_autoscalers": (*_rivals(kept, scaler), scaler)})
        problems = list(check_hpas(alone))
        if problems:
            reason = f"{problems[0].problem} {problems[0].remedy}"
            losses.add("HorizontalPodAutoscaler", f"{scaler.namespace}/{scaler.name}", reason)
        else:
            kept.append(scaler)
    if len(kept) == len(plan.horizontal_pod_autoscalers):
        return plan
    return plan.model_copy(update={"horizontal_pod_autoscalers": tuple(kept)})


def _rivals(kept: list[HorizontalPodAutoscaler], scaler: HorizontalPodAutoscaler) -> list[HorizontalPodAutoscaler]:
    return [known for known in kept if (known.namespace, known.scale_target) == (scaler.namespace, scaler.scale_target)]
