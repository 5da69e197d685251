"""Recorded decisions of the HPA controller and the proportional autoscaler against the rules of a run."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from planner.hpa.rules.conditions import Condition, ConditionReason, ConditionType
from planner.hpa.rules.history import HpaMemory
from planner.hpa.rules.multi_metric import MetricsResult, ambiguous_selector, effective_tolerance
from planner.hpa.rules.reconcile import (
    EvaluationInputs,
    EvaluationOutcome,
    HpaEvent,
    HpaStatus,
    MetricStatus,
    WriteResult,
    evaluate,
)
from planner.hpa.rules.replica_calculator import MetricFailed, Tolerance
from planner.hpa.rules.settings import HpaSettings
from planner.hpa.rules.spec import HpaSpec
from planner.kube.autoscalers.quantities import canonical_quantity
from planner.plan.model.autoscalers.hpa_metric import TargetType
from planner.units import US_PER_S
from tests.conformance.hpa.columns import Scene, metric_names, metrics_result, microseconds, propose, timestamp
from tests.conformance.hpa.manifests import settings_of, spec_of
from tests.conformance.hpa.proportional import proportional_replicas

CODES = {
    "SucceededGetScale": "GS",
    "ReadyForNewScale": "RN",
    "ScaleUpStabilized": "US",
    "ScaleDownStabilized": "DS",
    "SucceededRescale": "RS",
    "DesiredWithinRange": "WR",
    "ScaleUpLimit": "UL",
    "ScaleDownLimit": "DL",
    "TooManyReplicas": "TM",
    "TooFewReplicas": "TF",
    "ValidMetricFound": "OK",
    "ScalingDisabled": "SD",
    "FailedGetExternalMetric": "EX",
    "ScaledToZero": "Z1",
    "NotScaledToZero": "Z0",
}
WRITES = {
    None: (WriteResult.OK,),
    "conflict1": (WriteResult.CONFLICT, WriteResult.OK),
    "conflict": (WriteResult.CONFLICT,),
    "other": (WriteResult.ERROR,),
}
READY_POD = {
    "metadata": {"name": "web"},
    "status": {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]},
}
SELECTOR = re.compile(r"app(=\w+| in \([\w,]+\))?")
"""Selectors of the vectors that can be read; they name the label app."""


def replica_calculation(case: dict[str, Any]) -> tuple[bool, object]:
    data, expect = case["input"], case["expect"]
    tolerance = Tolerance(float(data["tolerances"]["scaleUp"]), float(data["tolerances"]["scaleDown"]))
    spec, [name] = _spec({"metrics": [data["metric"]]}), metric_names([data["metric"]])
    try:
        proposal = propose(spec.metrics[0], name, Scene.of(data, settings_of(data)), tolerance)
    except MetricFailed as failure:
        return {"error": failure.code.value} == expect, {"error": failure.code.value}
    got: dict[str, Any] = {"replicas": proposal.replicas, "valueMilli": proposal.value_milli}
    if proposal.utilization_pct is not None:
        got["utilization"] = proposal.utilization_pct
    if data["statusReplicas"] == 0 and "valueMilli" not in expect:
        del got["valueMilli"]
    return got == expect, got


def _spec(spec: Mapping[str, Any]) -> HpaSpec:
    found = spec_of(spec)
    assert found is not None, "the target is the Deployment web"
    return found


def multi_metric(case: dict[str, Any]) -> tuple[bool, object]:
    data, expect = case["input"], case["expect"]
    behavior = {"behavior": data["behavior"]} if "behavior" in data else {}
    settings, spec = settings_of(data), _spec({"metrics": data["metricSpecs"], **behavior})
    scene, names = Scene.of(data, settings), metric_names(data["metricSpecs"])
    result = metrics_result(spec, names, scene, effective_tolerance(spec, settings))
    stopped = result.replicas is None
    got = {
        "condition": {
            "reason": str(result.reason),
            "status": "False" if stopped else "True",
            "type": "ScalingActive",
        },
        "events": list(result.events),
        "failed": stopped,
        "partialError": result.has_error and not stopped,
        "perMetric": [
            {"error": str(outcome.error)} if outcome.proposal is None else {"replicas": outcome.proposal.replicas}
            for outcome in result.outcomes
        ],
        "replicas": -1 if result.replicas is None else result.replicas,
        "winner": result.winner,
    }
    return got == expect, got


def timeline(case: dict[str, Any]) -> tuple[bool, object]:
    data, expect = case["input"], case["expect"]
    settings, spec, names = settings_of(data), _spec(data["spec"]), metric_names(data["spec"]["metrics"])
    replicas, status, memory = data["startReplicas"], HpaStatus(), HpaMemory()
    rows: list[tuple[int, HpaStatus]] = []
    reasons: list[str] = []
    for index, (at_s, value) in enumerate(zip(data["t"], data["v"], strict=True)):
        change = (data.get("overrides") or {}).get(str(index)) or {}
        replicas = change.get("set", replicas)
        spec = replace(
            spec,
            min_replicas=change.get("min", spec.min_replicas),
            max_replicas=change.get("max", spec.max_replicas),
        )
        count = change.get("s", replicas)
        metrics: Mapping[str, Any] = {} if change.get("err") else {"externalMetrics": {"load": [value]}}
        scene = Scene(round(at_s * 1000) * 1000, replicas, count, [READY_POD] * count, metrics, settings)
        outcome = _evaluate(spec, names, scene, status, memory)
        replicas, status, memory = outcome.replicas, outcome.status, outcome.memory
        rows.append((outcome.replicas or 0, status))
        reasons += [event.text for event in outcome.events if event.reason == "SuccessfulRescale"]
    got = _timeline_result(rows, reasons)
    if "scaledToZero" not in expect and not got["scaledToZero"].strip("- "):
        del got["scaledToZero"]
    return got == expect, got


def _evaluate(
    spec: HpaSpec, names: Sequence[str], scene: Scene, status: HpaStatus, memory: HpaMemory
) -> EvaluationOutcome:
    tolerance = effective_tolerance(spec, scene.settings)
    inputs = EvaluationInputs(
        now_us=scene.now_us,
        spec=spec,
        settings=scene.settings,
        current=scene.current,
        read_metrics=lambda: metrics_result(spec, names, scene, tolerance),
    )
    return evaluate(inputs, status, memory)


def _timeline_result(rows: list[tuple[int, HpaStatus]], reasons: list[str]) -> dict[str, Any]:
    def codes(kind: ConditionType) -> str:
        found = [[c.reason for c in status.conditions if c.type is kind] for _, status in rows]
        return " ".join(CODES.get(str(reason[0]), str(reason[0])) if reason else "-" for reason in found)

    return {
        "able": codes(ConditionType.ABLE_TO_SCALE),
        "active": codes(ConditionType.SCALING_ACTIVE),
        "limited": codes(ConditionType.SCALING_LIMITED),
        "replicas": [replicas for replicas, _ in rows],
        "rescaleReasons": reasons,
        "scaledToZero": codes(ConditionType.SCALED_TO_ZERO),
    }


def reconcile(case: dict[str, Any]) -> tuple[bool, object]:
    data, expect = case["input"], case["expect"]
    settings, replicas = settings_of(data), data["scale"]["specReplicas"]
    status = HpaStatus(conditions=_conditions((data["hpa"].get("status") or {}).get("conditions") or ()))
    memory, got = HpaMemory(), []
    for sync, wanted in enumerate(expect["syncs"]):
        outcome = evaluate(_reconcile_inputs(data, settings, replicas, sync), status, memory)
        status, memory = outcome.status, outcome.memory
        replicas = replicas if outcome.replicas is None else outcome.replicas
        shown = _sync_json(outcome, replicas)
        if "statusWrites" not in wanted:
            del shown["statusWrites"]
        got.append(shown)
    return {"syncs": got} == expect, {"syncs": got}


def _reconcile_inputs(data: dict[str, Any], settings: HpaSettings, replicas: int, sync: int) -> EvaluationInputs:
    scale, planned = data["scale"], spec_of(data["hpa"]["spec"])
    spec = planned or _spec({"metrics": []})
    now_us = microseconds(data["now"]) + sync * 15 * US_PER_S
    scene = Scene(now_us, replicas, scale["statusReplicas"], data["pods"] or (), data["metrics"], settings)
    names = metric_names(data["hpa"]["spec"].get("metrics") or ())

    def read_metrics() -> MetricsResult:
        stopped = _selector_stop(scale["selector"], data.get("otherHPASelectors") or {}, scene)
        return stopped or metrics_result(spec, names, scene, effective_tolerance(spec, settings))

    is_found = scale["get"] == "ok" and planned is not None
    current = replicas if is_found else None
    return EvaluationInputs(now_us, spec, settings, current, read_metrics, WRITES[scale.get("update")])


def _selector_stop(selector: str, others: Mapping[str, str], scene: Scene) -> MetricsResult | None:
    """The stop that selectors cause. Those of no workload of a plan can be invalid; the pods have the label app=web."""
    if not SELECTOR.fullmatch(selector):
        return MetricsResult(
            replicas=None,
            reason=ConditionReason.INVALID_SELECTOR,
            events=("InvalidSelector" if selector else "SelectorRequired",),
            has_error=True,
        )
    rivals = [name for name, text in others.items() if text == "app" or "web" in text]
    return ambiguous_selector(["h", *rivals]) if rivals and scene.pods else None


def _conditions(conditions: Sequence[Mapping[str, str]]) -> tuple[Condition, ...]:
    return tuple(Condition(ConditionType(c["type"]), c["status"] == "True", c["reason"]) for c in conditions)


def _sync_json(outcome: EvaluationOutcome, replicas: int) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "conditions": [_condition_json(condition) for condition in outcome.status.conditions],
        "currentMetrics": [_metric_json(metric) for metric in outcome.status.metrics],
        "currentReplicas": outcome.status.current_replicas,
        "desiredReplicas": outcome.status.desired_replicas,
        "error": outcome.has_error,
        "events": [_event_text(event) for event in outcome.events],
        "replicas": replicas,
        "scaleUpdates": outcome.write_attempts,
        "statusWrites": int(outcome.status_changed),
    }
    if outcome.status.last_scale_us is not None:
        shown["lastScaleTime"] = timestamp(outcome.status.last_scale_us)
    return shown


def _event_text(event: HpaEvent) -> str:
    return f"{event.reason}: {event.text}" if event.reason in ("SuccessfulRescale", "FailedRescale") else event.reason


def _condition_json(condition: Condition) -> dict[str, str]:
    return {
        "reason": str(condition.reason),
        "status": "True" if condition.status else "False",
        "type": str(condition.type),
    }


def _metric_json(status: MetricStatus) -> dict[str, Any]:
    if status.metric is None or status.value_milli is None:
        return {"type": ""}
    text = canonical_quantity(status.value_milli, binary=status.metric.name == "memory")
    shown: dict[str, Any] = {"type": str(status.metric.source)}
    shown["value" if status.metric.target_type is TargetType.VALUE else "averageValue"] = text
    if status.utilization_pct is not None:
        shown["averageUtilization"] = status.utilization_pct
    return shown


FAMILIES: dict[str, Callable[[dict[str, Any]], tuple[bool, object]]] = {
    "replica_calc_resource": replica_calculation,
    "replica_calc_container": replica_calculation,
    "replica_calc_pods_object_external": replica_calculation,
    "multi_metric": multi_metric,
    "normalize_default": timeline,
    "behavior_timeline": timeline,
    "scale_to_zero_timeline": timeline,
    "reconcile_cases": reconcile,
    "cpa": proportional_replicas,
}
