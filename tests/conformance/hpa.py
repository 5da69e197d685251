"""Recorded decisions of the HPA controller and the proportional autoscaler against the production rules."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from planner.hpa.proportional.proportional import CountedNode, ProportionalFailed, cluster_size, proportional_replicas
from planner.hpa.rules.conditions import ConditionType
from planner.hpa.rules.history import HpaMemory
from planner.hpa.rules.metric_errors import MetricFailed
from planner.hpa.rules.metric_proposal import Observation, metric_proposal
from planner.hpa.rules.multi_metric import MetricsResult, combine, effective_tolerance, outcome_of
from planner.hpa.rules.observations import ObservedPod, Phase, Readings, ReadyStatus
from planner.hpa.rules.reconcile import EvaluationInputs, HpaEvent, HpaStatus, Outcome, WriteResult, evaluate
from planner.hpa.rules.replica_calculator import Proposal, Tolerance
from planner.hpa.rules.settings import HpaSettings
from planner.hpa.rules.target_pods import check_selector, is_known_target
from planner.kube.autoscalers.hpa import read_behavior, read_hpa_spec, read_metric
from planner.plan.model.autoscalers.hpa_spec import HpaSpec
from planner.units import US_PER_S, parse_quantity
from tests.conformance.hpa_objects import (
    DEFAULT_LABELS,
    condition_json,
    conditions_of,
    metric_status_json,
    microseconds,
    pod_of,
    readings_of,
    settings_of,
    timestamp,
)

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
KNOWN_KINDS = {("apps", "Deployment")}


def _observation(data: dict[str, Any]) -> Observation:
    return Observation(
        now_us=microseconds(data["now"]),
        current=data["currentReplicas"],
        status_replicas=data["statusReplicas"],
        pods=[pod_of(pod) for pod in data.get("pods") or ()],
        readings=readings_of(data["metrics"]),
    )


def replica_calculation(case: dict[str, Any]) -> tuple[bool, object]:
    data, expect = case["input"], case["expect"]
    tolerance = Tolerance(float(data["tolerances"]["scaleUp"]), float(data["tolerances"]["scaleDown"]))
    try:
        proposal = metric_proposal(read_metric(data["metric"]), _observation(data), tolerance, settings_of(data))
    except MetricFailed as failure:
        return {"error": failure.code.value} == expect, {"error": failure.code.value}
    got: dict[str, Any] = {"replicas": proposal.replicas, "valueMilli": proposal.value_milli}
    if proposal.utilization_pct is not None:
        got["utilization"] = proposal.utilization_pct
    if data["statusReplicas"] == 0 and "valueMilli" not in expect:
        del got["valueMilli"]
    return got == expect, got


def multi_metric(case: dict[str, Any]) -> tuple[bool, object]:
    data, expect = case["input"], case["expect"]
    settings, observed = settings_of(data), _observation(data)
    metrics = tuple(read_metric(metric) for metric in data["metricSpecs"])
    spec = HpaSpec(metrics, max_replicas=2**31 - 1, behavior=read_behavior(data.get("behavior")))
    result = _metrics(spec, observed, settings)
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


def _metrics(spec: HpaSpec, observed: Observation, settings: HpaSettings) -> MetricsResult:
    tolerance = effective_tolerance(spec, settings)

    def proposal_of(index: int) -> Callable[[], Proposal]:
        return lambda: metric_proposal(spec.metrics[index], observed, tolerance, settings)

    outcomes = [outcome_of(metric, proposal_of(index)) for index, metric in enumerate(spec.metrics)]
    return combine(outcomes, observed.current)


def timeline(case: dict[str, Any]) -> tuple[bool, object]:
    data, expect = case["input"], case["expect"]
    settings, spec = settings_of(data), read_hpa_spec(data["spec"])
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
        observed = Observation(
            now_us=round(at_s * 1000) * 1000,
            current=replicas,
            status_replicas=change.get("s", replicas),
            pods=_ready_pods(change.get("s", replicas)),
            readings=Readings(external_metrics={} if change.get("err") else {"load": (value,)}),
        )
        outcome = _evaluate(spec, settings, observed, status, memory)
        replicas, status, memory = outcome.replicas, outcome.status, outcome.memory
        rows.append((outcome.replicas or 0, status))
        reasons += [event.text for event in outcome.events if event.reason == "SuccessfulRescale"]
    got = _timeline_result(rows, reasons)
    if "scaledToZero" not in expect and not got["scaledToZero"].strip("- "):
        del got["scaledToZero"]
    return got == expect, got


def _ready_pods(count: int) -> list[ObservedPod]:
    pod = ObservedPod("web", Phase.RUNNING, ready=ReadyStatus.TRUE, start_us=0, labels=DEFAULT_LABELS)
    return [replace(pod, name=f"web-{number}") for number in range(count)]


def _evaluate(
    spec: HpaSpec, settings: HpaSettings, observed: Observation, status: HpaStatus, memory: HpaMemory
) -> Outcome:
    inputs = EvaluationInputs(
        now_us=observed.now_us,
        spec=spec,
        settings=settings,
        current=observed.current,
        read_metrics=lambda: _metrics(spec, observed, settings),
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
    scale, spec = data["scale"], read_hpa_spec(data["hpa"]["spec"])
    start, settings = data["hpa"].get("status") or {}, settings_of(data)
    status = HpaStatus(conditions=conditions_of(start))
    memory, replicas, got = HpaMemory(), scale["specReplicas"], []
    found = scale["get"] == "ok" and is_known_target(spec.target_api_version, spec.target_kind, KNOWN_KINDS)
    for sync, wanted in enumerate(expect["syncs"]):
        inputs = _reconcile_inputs(data, spec, settings, replicas, found, sync)
        outcome = evaluate(inputs, status, memory)
        status, memory = outcome.status, outcome.memory
        replicas = replicas if outcome.replicas is None else outcome.replicas
        shown = _sync_json(outcome, replicas)
        if "statusWrites" not in wanted:
            del shown["statusWrites"]
        got.append(shown)
    return {"syncs": got} == expect, {"syncs": got}


def _reconcile_inputs(
    data: dict[str, Any], spec: HpaSpec, settings: HpaSettings, replicas: int, found: bool, sync: int
) -> EvaluationInputs:
    scale = data["scale"]
    now_us = microseconds(data["now"]) + sync * 15 * US_PER_S
    pods = [pod_of(pod) for pod in data.get("pods") or ()]

    def read_metrics() -> MetricsResult:
        stopped, matched = check_selector(scale["selector"], data.get("otherHPASelectors") or {}, pods)
        observed = Observation(now_us, replicas, scale["statusReplicas"], matched, readings_of(data["metrics"]))
        return _metrics(spec, observed, settings) if stopped is None else stopped

    writes = WRITES[scale.get("update")]
    return EvaluationInputs(now_us, spec, settings, replicas if found else None, read_metrics, writes)


def _sync_json(outcome: Outcome, replicas: int) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "conditions": [condition_json(condition) for condition in outcome.status.conditions],
        "currentMetrics": [metric_status_json(metric) for metric in outcome.status.metrics],
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


def proportional(case: dict[str, Any]) -> tuple[bool, object]:
    data, expect = case["input"], case["expect"]
    nodes = [
        CountedNode(parse_quantity(node["cpu"]) * 1000, node.get("ready") == "True", bool(node.get("unschedulable")))
        for node in data.get("nodes") or ()
    ]
    size = cluster_size(nodes)
    got: dict[str, Any] = {
        "status": {
            "totalNodes": size.total_nodes,
            "schedulableNodes": size.schedulable_nodes,
            "totalCores": size.total_cores,
            "schedulableCores": size.schedulable_cores,
        }
    }
    try:
        got["replicas"] = proportional_replicas(data["mode"], data["params"], size)
    except ProportionalFailed as failure:
        got["error"] = failure.code.value
    return got == expect, got


FAMILIES: dict[str, Callable[[dict[str, Any]], tuple[bool, object]]] = {
    "replica_calc_resource": replica_calculation,
    "replica_calc_container": replica_calculation,
    "replica_calc_pods_object_external": replica_calculation,
    "multi_metric": multi_metric,
    "normalize_default": timeline,
    "behavior_timeline": timeline,
    "scale_to_zero_timeline": timeline,
    "reconcile_cases": reconcile,
    "cpa": proportional,
}
