"""HorizontalPodAutoscaler (autoscaling/v2) between manifest JSON and the specification the rules read."""

from collections.abc import Mapping
from typing import Any

from planner.errors import ImportProblem
from planner.plan.model.autoscalers.hpa_spec import (
    DEFAULT_METRIC,
    DEFAULT_SCALE_DOWN,
    DEFAULT_SCALE_UP,
    BehaviorSpec,
    HpaSpec,
    MetricSource,
    MetricSpec,
    PolicyType,
    ScalingPolicySpec,
    ScalingRulesSpec,
    SelectPolicy,
    TargetType,
)
from planner.units import US_PER_S, ceil_fraction, parse_quantity

_FIELD = {
    MetricSource.RESOURCE: "resource",
    MetricSource.CONTAINER_RESOURCE: "containerResource",
    MetricSource.PODS: "pods",
    MetricSource.OBJECT: "object",
    MetricSource.EXTERNAL: "external",
}


def read_hpa_spec(spec: Mapping[str, Any], where: str = "spec") -> HpaSpec:
    """The `spec` of a manifest, defaults of the API filled in. Raises ImportProblem with the path."""
    if "maxReplicas" not in spec:
        raise ImportProblem(f"{where}.maxReplicas", "The field is missing.", "Give the largest number of replicas.")
    target = spec.get("scaleTargetRef") or {}
    minimum = spec.get("minReplicas")
    metrics = spec.get("metrics") or []
    return HpaSpec(
        metrics=tuple(read_metric(m, f"{where}.metrics[{i}]") for i, m in enumerate(metrics)) or (DEFAULT_METRIC,),
        max_replicas=int(spec["maxReplicas"]),
        min_replicas=1 if minimum is None else int(minimum),
        behavior=read_behavior(spec.get("behavior"), f"{where}.behavior"),
        target_api_version=str(target.get("apiVersion", "")),
        target_kind=str(target.get("kind", "")),
        target_name=str(target.get("name", "")),
    )


def read_metric(metric: Mapping[str, Any], where: str = "metric") -> MetricSpec:
    """One entry of `metrics`. Raises ImportProblem with the path."""
    try:
        source = MetricSource(metric.get("type", ""))
        body = metric[_FIELD[source]]
        target_type, amount = _target(body["target"])
    except (KeyError, ValueError, TypeError) as error:
        raise ImportProblem(where, f"The metric cannot be read ({error}).", "See autoscaling/v2 MetricSpec.") from error
    if source in (MetricSource.RESOURCE, MetricSource.CONTAINER_RESOURCE):
        return MetricSpec(source, body["name"], target_type, amount, container=body.get("container", ""))
    identifier = body.get("metric") or {}
    return MetricSpec(
        source,
        identifier.get("name", ""),
        target_type,
        amount,
        described_kind=(body.get("describedObject") or {}).get("kind", ""),
        selector_text=_selector_text(identifier.get("selector")),
    )


def read_behavior(behavior: Mapping[str, Any] | None, where: str = "behavior") -> BehaviorSpec | None:
    """`behavior`, missing parts filled in as at admission; None stays None (another code path than {})."""
    if behavior is None:
        return None
    return BehaviorSpec(
        scale_up=_rules(behavior.get("scaleUp"), DEFAULT_SCALE_UP, f"{where}.scaleUp"),
        scale_down=_rules(behavior.get("scaleDown"), DEFAULT_SCALE_DOWN, f"{where}.scaleDown"),
    )


def canonical_quantity(milli: int, binary: bool = False) -> str:
    """A number of milli-units as Kubernetes writes it: "1263m", "2k"; with `binary`, "336Mi" when it is whole."""
    sign, amount = ("-", -milli) if milli < 0 else ("", milli)
    if amount == 0:
        return "0"
    if binary and amount % 1000 == 0 and amount // 1000 >= 1024:
        return sign + _scaled(amount // 1000, 1024, ("", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"))
    return sign + _scaled(amount, 1000, ("m", "", "k", "M", "G", "T", "P", "E"))


def _scaled(amount: int, base: int, suffixes: tuple[str, ...]) -> str:
    step = 0
    while amount % base == 0 and step + 1 < len(suffixes):
        amount //= base
        step += 1
    return f"{amount}{suffixes[step]}"


def _target(target: Mapping[str, Any]) -> tuple[TargetType, int]:
    kind = TargetType(target["type"])
    if kind is TargetType.UTILIZATION:
        return kind, int(target["averageUtilization"])
    text = target["value" if kind is TargetType.VALUE else "averageValue"]
    return kind, ceil_fraction(parse_quantity(str(text)) * 1000)


def _rules(rules: Mapping[str, Any] | None, default: ScalingRulesSpec, where: str) -> ScalingRulesSpec:
    if rules is None:
        return default
    policies = default.policies
    if rules.get("policies") is not None:
        if not rules["policies"]:
            raise ImportProblem(f"{where}.policies", "The list is empty.", "Give a policy, or leave the list out.")
        policies = tuple(_policy(policy, f"{where}.policies[{i}]") for i, policy in enumerate(rules["policies"]))
    window = rules.get("stabilizationWindowSeconds")
    tolerance = rules.get("tolerance")
    return ScalingRulesSpec(
        policies=policies,
        select_policy=SelectPolicy(rules.get("selectPolicy") or SelectPolicy.MAX),
        stabilization_window_us=default.stabilization_window_us if window is None else int(window) * US_PER_S,
        tolerance=None if tolerance is None else float(parse_quantity(str(tolerance))),
    )


def _policy(policy: Mapping[str, Any], where: str) -> ScalingPolicySpec:
    try:
        return ScalingPolicySpec(
            PolicyType(policy["type"]), int(policy["value"]), int(policy["periodSeconds"]) * US_PER_S
        )
    except (KeyError, ValueError, TypeError) as error:
        raise ImportProblem(
            where, f"The policy cannot be read ({error}).", "Give type, value, periodSeconds."
        ) from error


def _selector_text(selector: Mapping[str, Any] | None) -> str:
    """A metric selector as the controller prints it in its events."""
    if selector is None:
        return "nil"
    labels = "".join(f"{key}: {value}," for key, value in sorted((selector.get("matchLabels") or {}).items()))
    return (
        f"&LabelSelector{{MatchLabels:map[string]string{{{labels}}},MatchExpressions:[]LabelSelectorRequirement{{}},}}"
    )
