"""The last step of an import: the plan model validates everything, and problems point at the manifest."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from planner.errors import ImportProblem, ImportProblems, PlanProblem, PlanProblems
from planner.kube.draft.draft import Part
from planner.kube.draft.left_out import Losses
from planner.kube.draft.manifest_paths import manifest_path
from planner.kube.files.source import Source
from planner.plan.checks.horizontal_pod_autoscaler import check_hpas
from planner.plan.checks.validate import check_plan
from planner.plan.files.io import plan_from_text
from planner.plan.model.autoscalers.horizontal_pod_autoscaler import HorizontalPodAutoscaler
from planner.plan.model.autoscalers.proportional_autoscaler import ClusterProportionalAutoscaler
from planner.plan.model.autoscalers.scaled_object import SeriesTrigger
from planner.plan.model.plan import Plan

_FIRST = re.compile(r"((?:karpenter\.)?[A-Za-z]+(?:\[\d+\])?)\.?(.*)", re.DOTALL)
MAX_PROBLEMS = 100


@dataclass(frozen=True)
class Origin:
    """Where an item of the plan comes from."""

    source: Source | None
    """None where no single object gave it."""
    name: str
    kind: str = ""
    """Kind of the object."""


def checked_plan(data: Part, sources: Mapping[str, Origin], losses: Losses) -> Plan:
    """The plan; `sources` maps items such as `workloads[3]` to where they come from. Raises ImportProblems."""
    try:
        plan = plan_from_text(json.dumps(data), "import")
    except PlanProblems as error:
        raise ImportProblems(_placed(problem, sources) for problem in error.problems[:MAX_PROBLEMS]) from None
    plan = _without_idle_autoscalers(plan, losses)
    problems = [_placed(problem, sources) for problem in check_plan(plan)]
    if problems:
        raise ImportProblems(problems[:MAX_PROBLEMS])
    return plan


def _placed(problem: PlanProblem, sources: Mapping[str, Origin]) -> ImportProblem:
    """At the file, the document and the path in the manifest; by the plan's path where the manifest has none."""
    match = _FIRST.match(problem.where)
    if problem.where in ("nodeGroups", "workloads"):  # too many of them: at the last one
        problem = replace(problem, where=_last(problem.where, sources))
        match = _FIRST.match(problem.where)
    if match is None or match.group(1) not in sources:
        return ImportProblem(f"import: {problem.where}", problem.problem, problem.remedy)
    origin, section = sources[match.group(1)], match.group(1).partition("[")[0]
    if origin.source is None:
        place = f"{section} {origin.name}: {match.group(2)}"
        return ImportProblem(place.removesuffix(": "), problem.problem, problem.remedy)
    path = manifest_path(section, match.group(2), origin.kind)
    own = f"{section} {origin.name}: {match.group(2)}".strip().removesuffix(":")
    return origin.source.problem(own if path is None else path, problem.problem, problem.remedy)


def _last(section: str, sources: Mapping[str, Origin]) -> str:
    count = sum(item.startswith(f"{section}[") for item in sources)
    return f"{section}[{count - 1}]" if count else section


def _without_idle_autoscalers(plan: Plan, losses: Losses) -> Plan:
    """Autoscalers that could never act stay out, with the reason; clusters have many of them."""
    kept: list[HorizontalPodAutoscaler] = []
    others = plan.model_copy(update={"proportional_autoscalers": ()})
    for scaler in plan.horizontal_pod_autoscalers:
        alone = others.model_copy(update={"horizontal_pod_autoscalers": (*_rivals(kept, scaler), scaler)})
        if not _add_problem(alone, f"{scaler.namespace}/{scaler.name}", "HorizontalPodAutoscaler", losses):
            kept.append(scaler)
    if len(kept) < len(plan.horizontal_pod_autoscalers):
        read = frozenset(metric.metric for scaler in kept for metric in scaler.metrics)
        read |= {one.series for one in plan.triggers() if isinstance(one, SeriesTrigger)}
        series = tuple(one for one in plan.metric_series if one.name in read)
        plan = plan.model_copy(update={"horizontal_pod_autoscalers": tuple(kept), "metric_series": series})
    return _without_idle_proportional(plan, losses)


def _without_idle_proportional(plan: Plan, losses: Losses) -> Plan:
    kept: list[ClusterProportionalAutoscaler] = []
    for scaler in plan.proportional_autoscalers:
        alone = plan.model_copy(update={"proportional_autoscalers": (*kept, scaler)})
        if not _add_problem(alone, scaler.name, "Proportional autoscaler", losses):
            kept.append(scaler)
    if len(kept) == len(plan.proportional_autoscalers):
        return plan
    return plan.model_copy(update={"proportional_autoscalers": tuple(kept)})


def _add_problem(plan: Plan, name: str, kind: str, losses: Losses) -> bool:
    """Whether the plan's autoscalers have a problem; the first one is reported at the named object."""
    problems = list(check_hpas(plan))
    if problems:
        losses.add(kind, name, f"{problems[0].problem} {problems[0].remedy}")
    return bool(problems)


def _rivals(kept: list[HorizontalPodAutoscaler], scaler: HorizontalPodAutoscaler) -> list[HorizontalPodAutoscaler]:
    return [known for known in kept if (known.namespace, known.scale_target) == (scaler.namespace, scaler.scale_target)]
