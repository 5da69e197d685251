"""Hints on vertical pod autoscalers that work against others, or never act."""

from collections.abc import Iterator
from typing import NamedTuple

from planner.language.translation import tr
from planner.plan.hints.hint import Hint
from planner.plan.model.autoscalers.hpa_metric import RESOURCE_SOURCES, HpaMetric, ResourceName, TargetType
from planner.plan.model.autoscalers.scaled_object import UseTrigger
from planner.plan.model.autoscalers.vertical_pod_autoscaler import (
    EVERY_CONTAINER,
    ContainerResourcePolicy,
    ScalingMode,
    VerticalPodAutoscaler,
    VpaUpdateMode,
)
from planner.plan.model.plan import Plan
from planner.plan.model.workloads import Workload

_DEFAULT = HpaMetric(average_utilization=80)


def vpa_hints(plan: Plan) -> Iterator[Hint]:
    """In the order of the file."""
    workloads = {(one.namespace, one.name): one for one in plan.workloads}
    for index, vpa in enumerate(plan.vertical_pod_autoscalers):
        where = f"verticalPodAutoscalers[{index}]"
        workload = workloads.get((vpa.namespace, vpa.target))
        if workload is not None:
            yield from _rivals(vpa, workload, plan, where)
            yield from _too_few(vpa, workload, plan, where)
        yield from _whole_cores(vpa, where)


def _rivals(vpa: VerticalPodAutoscaler, workload: Workload, plan: Plan, where: str) -> Iterator[Hint]:
    """An autoscaler of replicas divides by the request that the VPA changes."""
    if vpa.update_mode is VpaUpdateMode.OFF:
        return
    for one in (*_planned(plan), *_made_by_keda(plan)):
        is_same = (one.namespace, one.scale_target) == (vpa.namespace, vpa.target)
        if is_same and one.resource in _sized(vpa, workload, one.container):
            text = tr(
                "The autoscaler {name!r} keeps {resource} utilization, a share of the requests that this one "
                "changes: each undoes what the other did. {course}",
                name=one.name,
                resource=one.resource,
                course=_course(one, plan),
            )
            yield Hint(f"{where}.target", text, one.cure)


class _Follower(NamedTuple):
    """An autoscaler of replicas that keeps a utilization."""

    name: str
    namespace: str
    scale_target: str
    resource: ResourceName
    container: str
    """The one that it measures; empty: all of the pod."""
    percent: int
    min_replicas: int
    max_replicas: int
    cure: str


def _planned(plan: Plan) -> Iterator[_Follower]:
    for hpa in plan.horizontal_pod_autoscalers:
        for metric in hpa.metrics or (_DEFAULT,):
            if metric.type in RESOURCE_SOURCES and metric.target_type is TargetType.UTILIZATION and metric.resource:
                cure = tr(
                    "Take {resource} out of controlledResources, or let the HPA follow another metric.",
                    resource=metric.resource,
                )
                percent, bounds = metric.average_utilization or 0, (hpa.min_replicas, hpa.max_replicas)
                what = metric.resource, metric.container
                yield _Follower(hpa.name, hpa.namespace, hpa.scale_target, *what, percent, *bounds, cure)


def _made_by_keda(plan: Plan) -> Iterator[_Follower]:
    """A trigger on use becomes a metric of an HPA, unless the ScaledObject is paused."""
    for one in plan.scaled_objects:
        if one.paused or one.paused_replicas is not None:
            continue
        for trigger in one.triggers:
            if isinstance(trigger, UseTrigger) and trigger.average_utilization is not None:
                cure = tr(
                    "Take {resource} out of controlledResources, or give the ScaledObject another trigger.",
                    resource=trigger.type,
                )
                what, bounds = (
                    (ResourceName(trigger.type), trigger.container),
                    (one.min_replicas or 1, one.max_replicas),
                )
                percent = trigger.average_utilization
                yield _Follower(one.name, one.namespace, one.scale_target, *what, percent, *bounds, cure)


def _course(one: _Follower, plan: Plan) -> str:
    """What comes of it: pods kept at a share of their request get that share and the margin as their next one."""
    next_percent = round(one.percent * (1.0 + plan.vpa_recommender.safety_margin))
    if next_percent < 100:
        return tr(
            "Pods kept at {percent} % of a request are recommended about {next_percent} % of it: requests fall round "
            "by round, and replicas rise, up to {most}.",
            percent=one.percent,
            next_percent=next_percent,
            most=one.max_replicas,
        )
    return tr(
        "Pods kept at {percent} % of a request are recommended about {next_percent} % of it: requests rise round by "
        "round, and replicas fall, down to {least}.",
        percent=one.percent,
        next_percent=next_percent,
        least=one.min_replicas,
    )


def _sized(vpa: VerticalPodAutoscaler, workload: Workload, container: str) -> frozenset[ResourceName]:
    """Resources that it sets of a container, or of any where that is empty; those without a policy get both."""
    policies = {one.container_name: one for one in vpa.container_policies}
    usual = policies.get(EVERY_CONTAINER, ContainerResourcePolicy())
    names = [one.name for one in workload.pod.containers if container in ("", one.name)]
    its = [policies.get(name, usual) for name in names]
    return frozenset(resource for one in its if one.mode is ScalingMode.AUTO for resource in one.controlled_resources)


def _whole_cores(vpa: VerticalPodAutoscaler, where: str) -> Iterator[Hint]:
    for position, policy in enumerate(vpa.container_policies):
        if policy.integer_cpu and policy.container_name == EVERY_CONTAINER:
            text = tr("Without effect: the annotation for whole cores holds for the container that it names.")
            place = f"{where}.containerPolicies[{position}].integerCpu"
            yield Hint(place, text, tr("Give that container a policy of its own."))


def _too_few(vpa: VerticalPodAutoscaler, workload: Workload, plan: Plan, where: str) -> Iterator[Hint]:
    least = vpa.min_replicas or plan.vpa_updater.min_replicas
    if vpa.update_mode.updates and workload.replicas < least:
        text = tr(
            "{name!r} has fewer than {least} replicas, so the updater evicts none of its pods.",
            name=workload.name,
            least=least,
        )
        yield Hint(f"{where}.minReplicas", text, tr("Set minReplicas to 1 if a short outage is acceptable."))
