"""The reaction of an autoscaler of a plan, simulated without the rest of the cluster."""

from typing import NamedTuple

from planner.hpa.rules.settings import HpaSettings
from planner.hpa.rules.spec import spec_from_plan
from planner.hpa.what_if.played_pods import Clockwork, LoadShape, WhatIfPods
from planner.hpa.what_if.reaction import ReactionStep, react
from planner.plan.derived.kubernetes.versions import hpa_controller_of
from planner.plan.derived.pod_requests import container_request, running_containers
from planner.plan.model.autoscalers.horizontal_pod_autoscaler import HorizontalPodAutoscaler
from planner.plan.model.autoscalers.hpa_metric import MetricSource
from planner.plan.model.plan import Plan
from planner.plan.model.pods.containers import Container
from planner.plan.model.workloads import Workload
from planner.units import US_PER_MIN


class Reaction(NamedTuple):
    """What the plot shows, and the two figures above it."""

    steps: list[ReactionStep]
    rounds: int
    """Number of times the size grew."""
    settled_us: int | None
    """Time from the change of the load until the last one of them."""


def what_if(
    plan: Plan, autoscaler: HorizontalPodAutoscaler, load: LoadShape, duration_us: int = 30 * US_PER_MIN
) -> Reaction:
    """The reaction of an autoscaler of the plan, or of one still being edited. Raises KeyError without its workload."""
    workloads = {(known.namespace, known.name): known for known in plan.workloads}
    workload = workloads[(autoscaler.namespace, autoscaler.scale_target)]
    settings = HpaSettings.from_plan(hpa_controller_of(plan))
    spec = spec_from_plan(autoscaler)
    controller = plan.hpa_controller
    clock = Clockwork(controller.sync_period, controller.evaluation_time, plan.metrics_pipeline)
    steps = react(spec, settings, _pods(workload, autoscaler), load, clock, duration_us)
    sizes = [_start(workload, autoscaler), *(step.replicas for step in steps)]
    grown = [step.time_us for before, step in zip(sizes, steps, strict=False) if step.replicas > before]
    return Reaction(steps, len(grown), max(0, grown[-1] - load.at_us) if grown else None)


def _start(workload: Workload, autoscaler: HorizontalPodAutoscaler) -> int:
    return max(1, autoscaler.min_replicas, min(workload.replicas, autoscaler.max_replicas))


def _pods(workload: Workload, autoscaler: HorizontalPodAutoscaler) -> WhatIfPods:
    pod, measured = workload.pod, running_containers(workload.pod)
    metric = autoscaler.metrics[0] if autoscaler.metrics else None
    if metric is not None and metric.type is MetricSource.CONTAINER_RESOURCE:
        measured = tuple(one for one in measured if one.name == metric.container) or measured
    limits = [one.limits.cpu for one in measured]
    return WhatIfPods(
        replicas=_start(workload, autoscaler),
        request_milli=pod.resources.cpu or _request(measured) or 1000,
        limit_milli=-1 if None in limits else sum(limit or 0 for limit in limits),
        startup_us=pod.startup_delay + pod.readiness_delay,
        startup_cpu_milli=workload.startup_cpu,
        startup_cpu_us=max(0, workload.startup_cpu_time - pod.readiness_delay),
    )


def _request(containers: tuple[Container, ...]) -> int:
    return sum(container_request(one).get("cpu", 0) for one in containers)
