"""The line that `kubectl get hpa` prints of each autoscaler, at any time of a run."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from planner.hpa.rules.spec import MetricSpec, spec_from_plan
from planner.plan.model.autoscalers.horizontal_pod_autoscaler import HorizontalPodAutoscaler
from planner.plan.model.autoscalers.hpa_metric import MetricSource, TargetType
from planner.plan.model.plan import Plan
from planner.record.decisions import Actor, Decision
from planner.record.details.replicas import Evaluation, HpaCondition
from planner.record.object_lists import ListedObject, ObjectList, ValueAt
from planner.units import format_milli

UNKNOWN = "<unknown>"
_SHOWN_METRICS = 2
HEADER = ("NAMESPACE", "NAME", "REFERENCE", "TARGETS", "MINPODS", "MAXPODS", "REPLICAS")


class HpaRow(NamedTuple):
    """NAMESPACE, NAME, REFERENCE, TARGETS, MINPODS, MAXPODS, REPLICAS, and the conditions behind `describe`."""

    namespace: str
    name: str
    reference: str
    targets: str
    min_pods: int
    max_pods: int
    replicas: int
    """status.currentReplicas: what the latest evaluation found, before it wrote a new number."""
    conditions: tuple[HpaCondition, ...]
    decision: Decision | None
    """The latest evaluation; None before the first."""


def metric_column(namespace: str, name: str, index: int) -> str:
    """Column of timeseries.csv with the current value of an autoscaler's metric: percent, or units of the metric."""
    return f"hpa_metric_value[{namespace}/{name}#{index}]"


def metric_columns(plan: Plan) -> list[str]:
    """The columns of all autoscalers of a plan, in order of namespace and name."""
    ordered = sorted(plan.horizontal_pod_autoscalers, key=lambda hpa: (hpa.namespace, hpa.name))
    return [
        metric_column(hpa.namespace, hpa.name, index)
        for hpa in ordered
        for index in range(len(spec_from_plan(hpa).metrics))
    ]


def hpa_rows(plan: Plan, decisions: Sequence[Decision], value_at: ValueAt, at_us: int) -> tuple[HpaRow, ...]:
    """The lines of all autoscalers, in order of namespace and name."""
    latest = _latest(plan, decisions, at_us)
    kinds = {(workload.namespace, workload.name): workload.kind.value for workload in plan.workloads}
    ordered = sorted(plan.horizontal_pod_autoscalers, key=lambda hpa: (hpa.namespace, hpa.name))
    return tuple(
        _row(hpa, kinds.get((hpa.namespace, hpa.scale_target), "Deployment"), latest.get(hpa.scale_target), value_at)
        for hpa in ordered
    )


def hpa_list(plan: Plan, decisions: Sequence[Decision], value_at: ValueAt, at_us: int) -> ObjectList:
    """The same as texts."""
    rows = hpa_rows(plan, decisions, value_at, at_us)
    return ObjectList(
        "hpa", HEADER, tuple(ListedObject(tuple(map(str, row[: len(HEADER)])), row.decision) for row in rows)
    )


def _latest(plan: Plan, decisions: Sequence[Decision], at_us: int) -> dict[str, Decision]:
    """The latest decision about each workload; repeats belong to the first of them."""
    wanted = len({hpa.scale_target for hpa in plan.horizontal_pod_autoscalers})
    found: dict[str, Decision] = {}
    for decision in reversed(decisions):
        if decision.actor is Actor.HPA and decision.time_us <= at_us:
            found.setdefault(decision.subject, decision)
            if len(found) == wanted:
                break
    return found


def _row(hpa: HorizontalPodAutoscaler, kind: str, decision: Decision | None, value_at: ValueAt) -> HpaRow:
    metrics = spec_from_plan(hpa).metrics
    texts = [
        _target_text(metric, value_at(metric_column(hpa.namespace, hpa.name, index)) if decision else math.nan)
        for index, metric in enumerate(metrics)
    ]
    more = f" + {len(texts) - _SHOWN_METRICS} more..." if len(texts) > _SHOWN_METRICS else ""
    details = decision.details if decision is not None and isinstance(decision.details, Evaluation) else None
    return HpaRow(
        hpa.namespace,
        hpa.name,
        f"{kind}/{hpa.scale_target}",
        ", ".join(texts[:_SHOWN_METRICS]) + more,
        hpa.min_replicas,
        hpa.max_replicas,
        0 if details is None else details.current,
        () if details is None else details.conditions,
        decision,
    )


def _target_text(metric: MetricSpec, value: float) -> str:
    if metric.target_type is TargetType.UTILIZATION:
        current = UNKNOWN if math.isnan(value) else f"{value:.0f}%"
        return f"{metric.name}: {current}/{metric.target}%"
    current = UNKNOWN if math.isnan(value) else format_milli(round(value * 1000))
    text = f"{current}/{format_milli(metric.target)}"
    if metric.source in (MetricSource.RESOURCE, MetricSource.CONTAINER_RESOURCE):
        return f"{metric.name}: {text}"
    is_outside = metric.source in (MetricSource.OBJECT, MetricSource.EXTERNAL)
    return f"{text} (avg)" if is_outside and metric.target_type is TargetType.AVERAGE_VALUE else text
