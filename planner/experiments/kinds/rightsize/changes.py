"""Sizes as changes of a plan: requests and limits, targets of autoscalers that are a share of them."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from planner.experiments.kinds.rightsize.sizes import Amounts, SizedWorkload, requests_of, vpa_of
from planner.plan.model.autoscalers.hpa_metric import HpaMetric, MetricSource, TargetType
from planner.plan.model.autoscalers.scaled_object import UseTrigger
from planner.plan.model.autoscalers.vertical_pod_autoscaler import VpaUpdateMode
from planner.plan.model.plan import Plan
from planner.plan.values.change_text import Item, path_text
from planner.units import format_bytes, format_cpu
from planner.vpa.recommender.policies import CPU

DEFAULT_METRIC = HpaMetric(average_utilization=80)
"""What an autoscaler without metrics follows."""


class MovedTarget(NamedTuple):
    """A target that keeps the amount per pod it stands for."""

    path: str
    before: int
    after: int
    """Percent of the new requests."""
    whole: str = ""
    """The list of metrics, where the plan has none yet."""

    @property
    def change(self) -> str:
        """As text."""
        return f"{self.path} = {self.whole or self.after}"


def size_changes(plan: Plan, sizes: Sequence[SizedWorkload]) -> tuple[str, ...]:
    """Requests and limits of all workloads, and autoscalers that would change them at once switched off."""
    return tuple(change for one in sizes for change in (*_resources(one), *_vpa_off(plan, one)))


def _resources(one: SizedWorkload) -> Iterator[str]:
    containers = {each.name: (at, each) for at, each in enumerate(one.workload.pod.containers)}
    for setting in one.settings:
        at, container = containers[setting.name]
        item = Item(setting.name if "name" in container.model_fields_set else str(at))
        for part, amounts in (("requests", setting.requests), ("limits", setting.limits)):
            for resource, amount in amounts.items():
                steps = ("workloads", Item(one.workload.name), "pod", "containers", item, part, resource)
                text = format_cpu(amount) if resource == CPU else format_bytes(amount)
                yield f"{path_text(steps)} = {json.dumps(text)}"


def _vpa_off(plan: Plan, one: SizedWorkload) -> Iterator[str]:
    vpa = vpa_of(plan, one.workload)
    if one.settings and vpa is not None and vpa.update_mode is not VpaUpdateMode.OFF:
        yield f"verticalPodAutoscalers[{plan.vertical_pod_autoscalers.index(vpa)}].updateMode = {VpaUpdateMode.OFF}"


def moved_targets(plan: Plan, sizes: Sequence[SizedWorkload]) -> tuple[MovedTarget, ...]:
    """Targets in percent of requests that change, of HPAs and of triggers of ScaledObjects."""
    return tuple(one for each in sizes if each.settings for one in (*_of_hpas(plan, each), *_of_triggers(plan, each)))


def _of_hpas(plan: Plan, one: SizedWorkload) -> Iterator[MovedTarget]:
    key = one.workload.namespace, one.workload.name
    for row, hpa in enumerate(plan.horizontal_pod_autoscalers):
        if (hpa.namespace, hpa.scale_target) != key:
            continue
        where = f"horizontalPodAutoscalers[{row}].metrics"
        for at, metric in enumerate(hpa.metrics or (DEFAULT_METRIC,)):
            percent = _share_of_requests(metric)
            if percent is None:
                continue
            after = _percent(percent, one, str(metric.resource), metric.container)
            if after != percent and hpa.metrics:
                yield MovedTarget(f"{where}[{at}].averageUtilization", percent, after)
            elif after != percent:
                yield MovedTarget(where, percent, after, json.dumps([{"averageUtilization": after}]))


def _share_of_requests(metric: HpaMetric) -> int | None:
    measures_use = metric.type in (MetricSource.RESOURCE, MetricSource.CONTAINER_RESOURCE)
    return metric.average_utilization if measures_use and metric.target_type is TargetType.UTILIZATION else None


def _of_triggers(plan: Plan, one: SizedWorkload) -> Iterator[MovedTarget]:
    key = one.workload.namespace, one.workload.name
    for row, scaled in enumerate(plan.scaled_objects):
        if (scaled.namespace, scaled.scale_target) != key:
            continue
        for at, trigger in enumerate(scaled.triggers):
            if isinstance(trigger, UseTrigger) and trigger.average_utilization is not None:
                after = _percent(trigger.average_utilization, one, trigger.type, trigger.container)
                if after != trigger.average_utilization:
                    path = f"scaledObjects[{row}].triggers[{at}].averageUtilization"
                    yield MovedTarget(path, trigger.average_utilization, after)


def _percent(percent: int, one: SizedWorkload, resource: str, container: str) -> int:
    """The percentage of the new requests that is the same amount."""
    before = _total(requests_of(one.workload), resource, container)
    after = _total(requests_of(one.workload, one.settings), resource, container)
    return max(1, round(percent * before / after)) if before and after else percent


def _total(requests: Mapping[str, Amounts], resource: str, container: str) -> int:
    return sum(amounts.get(resource, 0) for name, amounts in requests.items() if container in ("", name))
