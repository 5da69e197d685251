"""Hints on vertical pod autoscalers that work against others, or never act."""

from collections.abc import Iterator

from planner.language.translation import tr
from planner.plan.hints.hint import Hint
from planner.plan.model.autoscalers.horizontal_pod_autoscaler import HorizontalPodAutoscaler
from planner.plan.model.autoscalers.hpa_metric import RESOURCE_SOURCES, HpaMetric, ResourceName, TargetType
from planner.plan.model.autoscalers.vertical_pod_autoscaler import ScalingMode, VerticalPodAutoscaler, VpaUpdateMode
from planner.plan.model.plan import Plan
from planner.plan.model.workloads import Workload

_DEFAULT = HpaMetric(average_utilization=80)


def vpa_hints(plan: Plan) -> Iterator[Hint]:
    """In the order of the file."""
    workloads = {(one.namespace, one.name): one for one in plan.workloads}
    for index, vpa in enumerate(plan.vertical_pod_autoscalers):
        where = f"verticalPodAutoscalers[{index}]"
        yield from _rivals(vpa, plan, where)
        workload = workloads.get((vpa.namespace, vpa.target))
        if workload is not None:
            yield from _too_few(vpa, workload, plan, where)


def _rivals(vpa: VerticalPodAutoscaler, plan: Plan, where: str) -> Iterator[Hint]:
    """An HPA divides by the request that the VPA changes."""
    if vpa.update_mode is VpaUpdateMode.OFF:
        return
    sized = _controlled(vpa)
    for hpa in plan.horizontal_pod_autoscalers:
        if (hpa.namespace, hpa.scale_target) != (vpa.namespace, vpa.target):
            continue
        for metric in hpa.metrics or (_DEFAULT,):
            follows = metric.type in RESOURCE_SOURCES and metric.target_type is TargetType.UTILIZATION
            if follows and metric.resource in sized:
                text = tr(
                    "The autoscaler {name!r} keeps {resource} utilization, a share of the requests that this one "
                    "changes: each undoes what the other did. {course}",
                    name=hpa.name,
                    resource=metric.resource,
                    course=_course(metric, hpa, plan),
                )
                cure = tr(
                    "Take {resource} out of controlledResources, or let the HPA follow another metric.",
                    resource=metric.resource,
                )
                yield Hint(f"{where}.target", text, cure)


def _course(metric: HpaMetric, hpa: HorizontalPodAutoscaler, plan: Plan) -> str:
    """What comes of it: pods kept at a share of their request get that share and the margin as their next one."""
    percent = metric.average_utilization or 0
    next_percent = round(percent * (1.0 + plan.vpa_recommender.safety_margin))
    if next_percent < 100:
        return tr(
            "Pods kept at {percent} % of a request are recommended about {next_percent} % of it: requests fall round "
            "by round, and replicas rise, up to {most}.",
            percent=percent,
            next_percent=next_percent,
            most=hpa.max_replicas,
        )
    return tr(
        "Pods kept at {percent} % of a request are recommended about {next_percent} % of it: requests rise round by "
        "round, and replicas fall, down to {least}.",
        percent=percent,
        next_percent=next_percent,
        least=hpa.min_replicas,
    )


def _controlled(vpa: VerticalPodAutoscaler) -> frozenset[ResourceName]:
    policies = [one for one in vpa.container_policies if one.mode is ScalingMode.AUTO]
    if not vpa.container_policies:
        return frozenset(ResourceName)
    return frozenset(resource for one in policies for resource in one.controlled_resources)


def _too_few(vpa: VerticalPodAutoscaler, workload: Workload, plan: Plan, where: str) -> Iterator[Hint]:
    least = vpa.min_replicas or plan.vpa_updater.min_replicas
    if vpa.update_mode.updates and workload.replicas < least:
        text = tr(
            "{name!r} has fewer than {least} replicas, so the updater evicts none of its pods.",
            name=workload.name,
            least=least,
        )
        yield Hint(f"{where}.minReplicas", text, tr("Set minReplicas to 1 if a short outage is acceptable."))
