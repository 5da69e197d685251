"""Hints on horizontal pod autoscalers, with the consequences in numbers."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

from planner.language.translation import marked, tr
from planner.plan.derived.load_extremes import jump, lowest_and_highest
from planner.plan.derived.pod_requests import container_request, running_containers
from planner.plan.hints.autoscalers.hpa_growth import growth_rounds, round_us
from planner.plan.hints.hint import Hint
from planner.plan.model.autoscalers.horizontal_pod_autoscaler import HorizontalPodAutoscaler, PolicyType
from planner.plan.model.autoscalers.hpa_metric import HpaMetric, MetricSource, ResourceName, TargetType
from planner.plan.model.autoscalers.metric_series import WorkloadMeasure
from planner.plan.model.events.on_workloads import SetReplicas
from planner.plan.model.plan import Plan
from planner.plan.model.workloads import Workload
from planner.units import US_PER_S, format_duration

SLOW_ROUNDS = 4
"""A jump of the load that takes this many rounds of growth gives a hint."""
_FAR_FROM_USE = 5


@dataclass(frozen=True, slots=True)
class _Scaled:
    """An autoscaler with its workload and their places."""

    plan: Plan
    hpa: HorizontalPodAutoscaler
    where: str
    workload: Workload
    workload_at: str

    @property
    def request_milli(self) -> int:
        """CPU that utilization is a share of; 0 if none."""
        pod = self.workload.pod
        return pod.resources.cpu or sum(container_request(one).get("cpu", 0) for one in running_containers(pod))

    @property
    def limit_milli(self) -> int | None:
        """CPU a pod may use at most."""
        limits = [container.limits.cpu for container in running_containers(self.workload.pod)]
        return None if None in limits else sum(limit or 0 for limit in limits)

    @property
    def cpu_target(self) -> tuple[str, int] | None:
        """Place and percent of the target of CPU utilization."""
        if not self.hpa.metrics:
            return f"{self.where}.metrics", 80
        for index, metric in enumerate(self.hpa.metrics):
            is_cpu = metric.type is MetricSource.RESOURCE and metric.resource is ResourceName.CPU
            if is_cpu and metric.target_type is TargetType.UTILIZATION:
                return f"{self.where}.metrics[{index}].averageUtilization", metric.target
        return None


def hpa_hints(plan: Plan) -> Iterator[Hint]:
    """All of them, in the order of the file."""
    places = {(workload.namespace, workload.name): index for index, workload in enumerate(plan.workloads)}
    for index, hpa in enumerate(plan.horizontal_pod_autoscalers):
        row = places.get((hpa.namespace, hpa.scale_target))
        if row is not None:
            where = f"horizontalPodAutoscalers[{index}]"
            scaled = _Scaled(plan, hpa, where, plan.workloads[row], f"workloads[{row}]")
            yield from _saturation(scaled)
            yield from _request_and_use(scaled)
            yield from _zones(scaled)
            yield from _start_up(scaled)
            yield from _metrics(scaled)
            yield from _policies(scaled)
    yield from _applied_again(plan)


# -- CPU --------------------------------------------------------------------------------------


def _saturation(scaled: _Scaled) -> Iterator[Hint]:
    """Use never exceeds limit / request: near it the size cannot grow, or only in many rounds."""
    target, limit, request = scaled.cpu_target, scaled.limit_milli, scaled.request_milli
    if target is None or not limit or not request:
        return
    where, percent = target
    reach, needed = 100 * limit // request, math.floor(percent * (1 + _tolerance_up(scaled))) + 1
    if reach < needed:
        text = tr(
            "Pods reach at most {reach} % of their request, but the autoscaler scales up only from {needed} %.",
            reach=reach,
            needed=needed,
        )
        remedy = tr(
            "Lower the target below {floor} %, or raise the CPU limits.",
            floor=math.floor(reach / (1 + _tolerance_up(scaled))),
        )
        yield Hint(where, text, remedy)
        return
    traffic = scaled.workload.traffic
    rise = None if traffic is None or traffic.clients is not None else jump(traffic.profile)
    if rise is None or rise[0] <= 0:
        return
    factor = rise[1] / rise[0]
    start = max(1, scaled.workload.replicas, scaled.hpa.min_replicas)
    sizes = growth_rounds(start, factor, reach / percent, scaled.hpa, _tolerance_up(scaled))
    if len(sizes) >= SLOW_ROUNDS:
        each_us = round_us(scaled.plan, scaled.workload)
        total = format_duration(_whole_seconds(len(sizes) * each_us))
        shown = "-".join(str(size) for size in (start, *sizes))
        text = tr(
            "At {factor:.3g} times the load, scaling up takes {count} rounds ({shown}), about {total}.",
            factor=factor,
            count=len(sizes),
            shown=shown,
            total=total,
        )
        remedy = tr(
            "Lower the target, raise the CPU limits, allow faster growth, or follow a metric of the load itself."
        )
        yield Hint(where, text, remedy)


def _tolerance_up(scaled: _Scaled) -> float:
    settings, behavior = scaled.plan.hpa_controller, scaled.hpa.behavior
    own = None if behavior is None else behavior.scale_up.tolerance
    return settings.tolerance if own is None or not settings.configurable_tolerance else own


def _request_and_use(scaled: _Scaled) -> Iterator[Hint]:
    """A request far from what a pod uses makes the target meaningless."""
    workload, target, request = scaled.workload, scaled.cpu_target, scaled.request_milli
    if target is None or workload.traffic is None or workload.traffic.clients is not None or not request:
        return
    peak = lowest_and_highest(workload.traffic.profile)[1] * workload.demand.cpu_seconds_per_request * 1000
    percent, constant = target[1], workload.cpu_use + workload.demand.idle_cpu
    place = f"{scaled.workload_at}.pod.containers[0].requests.cpu"
    if constant * 100 > percent * request:
        idle = constant * 100 // request
        text = tr(
            "Without any load a pod uses {idle} % of its request, above the target of {percent} %.",
            idle=idle,
            percent=percent,
        )
        yield Hint(
            place, text, tr("No size is large enough, so it goes to the maximum. Raise the request or the target.")
        )
    most = scaled.hpa.min_replicas * request * percent / 100
    if peak and peak * _FAR_FROM_USE < most:
        text = tr(
            "At the peak {min_replicas} pods use {peak:.3g} %",
            min_replicas=scaled.hpa.min_replicas,
            peak=100 * peak / scaled.hpa.min_replicas / request,
        )
        yield Hint(
            place, tr("{text} of their request, so the size stays at the minimum.", text=text), tr("Lower the request.")
        )
    least = scaled.hpa.max_replicas * request * percent / 100
    if peak > least:
        needed = math.ceil(peak * 100 / (request * percent))
        text = tr(
            "At peak load the target needs {needed} pods, but the maximum is {max_replicas}.",
            needed=needed,
            max_replicas=scaled.hpa.max_replicas,
        )
        yield Hint(
            f"{scaled.where}.maxReplicas",
            text,
            tr("Raise it to {needed} or more, or give the pods more CPU.", needed=needed),
        )


def _zones(scaled: _Scaled) -> Iterator[Hint]:
    zones = list(dict.fromkeys(group.zone for group in scaled.plan.node_groups if group.zone))
    workload, least = scaled.workload, max(1, scaled.hpa.min_replicas)
    if len(zones) < 2 or workload.slo is None or workload.traffic is None or workload.traffic.clients is not None:
        return
    left = least - math.ceil(least / len(zones))
    capacity = scaled.limit_milli or scaled.request_milli
    low = lowest_and_highest(workload.traffic.profile)[0] * workload.demand.cpu_seconds_per_request * 1000
    needed = math.ceil(low / capacity) if capacity else 1
    if left < max(1, needed):
        enough = max(least, -(-max(1, needed) * len(zones) // (len(zones) - 1)))
        text = tr(
            "The loss of one of {count} zones leaves {left} of {least} pods", count=len(zones), left=left, least=least
        )
        text += tr("; the lowest load needs {max}.", max=max(1, needed))
        yield Hint(
            f"{scaled.where}.minReplicas", text, tr("Use {enough} or more, spread over the zones.", enough=enough)
        )


def _start_up(scaled: _Scaled) -> Iterator[Hint]:
    """CPU used at start-up looks like load once the pod counts; there are three remedies."""
    workload, settings, pod = scaled.workload, scaled.plan.hpa_controller, scaled.workload.pod
    after_ready = workload.startup_cpu_time - pod.readiness_delay
    if workload.startup_cpu and after_ready > scaled.plan.metrics_pipeline.scrape_interval:
        text = tr(
            "Pods use start-up CPU for {after_ready} after they become Ready, which counts as load.",
            after_ready=format_duration(after_ready),
        )
        yield Hint(f"{scaled.workload_at}.startupCpuTime", text, tr(_REMEDIES))
    started = pod.startup_delay + pod.readiness_delay
    if started > settings.cpu_initialization_period:
        period = format_duration(settings.cpu_initialization_period)
        text = tr("Pods become Ready only after {started}", started=format_duration(started))
        text += tr(", later than hpaController.cpuInitializationPeriod ({period}).", period=period)
        yield Hint(f"{scaled.workload_at}.pod", text, tr(_REMEDIES))


_REMEDIES = marked(
    "Delay readiness until start-up is over (readinessDelay), or raise "
    "hpaController.initialReadinessDelay or hpaController.cpuInitializationPeriod."
)


# -- other metrics and rates ------------------------------------------------------------------


def _metrics(scaled: _Scaled) -> Iterator[Hint]:
    for index, metric in enumerate(scaled.hpa.metrics):
        where = f"{scaled.where}.metrics[{index}]"
        if metric.type in (MetricSource.OBJECT, MetricSource.EXTERNAL) and metric.target_type is TargetType.VALUE:
            if not _falls_with_pods(scaled, metric):
                text = tr(
                    "This value does not fall when pods are added: above its target only the maximum stops growth."
                )
                yield Hint(f"{where}.targetType", text, tr("Use AverageValue, the amount per pod."))
        elif metric.type in (MetricSource.RESOURCE, MetricSource.CONTAINER_RESOURCE):
            memory = scaled.workload.memory_use
            follows_load = memory is not None and memory.per_in_flight_request > 0
            if metric.resource is ResourceName.MEMORY and not follows_load:
                text = tr("Here a pod's working set does not depend on the load, so more pods do not lower it.")
                yield Hint(
                    f"{where}.resource",
                    text,
                    tr("Also follow CPU or a metric series, or describe the memory use of requests."),
                )


def _falls_with_pods(scaled: _Scaled, metric: HpaMetric) -> bool:
    """A queue, and the latency with it, falls when more pods serve it."""
    series = next((known for known in scaled.plan.metric_series if known.name == metric.metric), None)
    measure = getattr(series.source, "measure", None) if series is not None else None
    return measure is not None and measure is not WorkloadMeasure.REQUESTS_PER_SECOND


def _policies(scaled: _Scaled) -> Iterator[Hint]:
    behavior, sync = scaled.hpa.behavior, scaled.plan.hpa_controller.sync_period
    if behavior is None:
        return
    for name, rules in (("scaleUp", behavior.scale_up), ("scaleDown", behavior.scale_down)):
        for index, policy in enumerate(rules.policies or ()):
            place = f"{scaled.where}.behavior.{name}.policies[{index}]"
            if policy.period < sync:
                text = tr(
                    "Sizes are evaluated only every {sync}; a shorter period has no effect.", sync=format_duration(sync)
                )
                yield Hint(f"{place}.period", text, tr("Use {sync} or more.", sync=format_duration(sync)))
            if policy.type is PolicyType.PERCENT and policy.value * scaled.hpa.max_replicas < 100:
                text = tr(
                    "{value} % is less than one pod even at the maximum, so it allows one pod per period.",
                    value=policy.value,
                )
                yield Hint(f"{place}.value", text, tr("Use a policy of type Pods instead."))


def _applied_again(plan: Plan) -> Iterator[Hint]:
    owners = {hpa.scale_target: hpa.name for hpa in plan.horizontal_pod_autoscalers}
    for index, event in enumerate(plan.events):
        if isinstance(event, SetReplicas) and event.workload in owners and event.replicas > 0:
            owner = owners[event.workload]
            text = tr(
                "The manifest sets replicas to {replicas}; the autoscaler {owner} changes it back.",
                replicas=event.replicas,
                owner=owner,
            )
            remedy = tr(
                "Remove spec.replicas from the manifest (hand over ownership of the field first: "
                "removing it with client-side apply scales to 1 once), or use server-side apply without "
                "the field."
            )
            yield Hint(f"events[{index}].replicas", text, remedy)


def _whole_seconds(us: int) -> int:
    return -(-us // US_PER_S) * US_PER_S
