"""Behavior of autoscalers of replicas, which KEDA passes on to them."""

from planner.kube.autoscalers.quantities import canonical_quantity
from planner.kube.draft.draft import Part, given
from planner.kube.files.field import Field
from planner.kube.pods.pod_manifest import whole_seconds
from planner.plan.model.autoscalers.horizontal_pod_autoscaler import HpaBehavior, PolicyType, ScalingRules, SelectPolicy


def read_behavior(field: Field) -> Part | None:
    """In the words of the plan; even an empty behavior differs from none."""
    if not field.is_given:
        return None
    return given(scale_up=_rules(field.at("scaleUp")), scale_down=_rules(field.at("scaleDown")))


def _rules(field: Field) -> Part:
    tolerance = field.at("tolerance")
    select = field.at("selectPolicy").choice(SelectPolicy)
    thousandths = Field(tolerance.value, tolerance.source, tolerance.path).cpu() if tolerance.is_given else None
    rules = given(
        stabilization_window=field.at("stabilizationWindowSeconds").seconds(),
        select_policy=None if select == SelectPolicy.MAX else select,
        tolerance=None if thousandths is None else _share(thousandths),
    )
    policies = field.at("policies")
    if policies.is_given:
        rules["policies"] = [
            {
                "type": part.at("type").choice(PolicyType),
                "value": part.at("value").whole(),
                "period": part.at("periodSeconds").seconds(),
            }
            for part in policies.items()
        ]
    return rules


def _share(milli: str) -> float:
    return int(milli.removesuffix("m")) / 1000 if milli.endswith("m") else float(int(milli))


def behavior_manifest(behavior: HpaBehavior) -> Part:
    """The behavior as autoscaling/v2 spells it."""
    return given(scale_up=_rules_manifest(behavior.scale_up), scale_down=_rules_manifest(behavior.scale_down))


def _rules_manifest(rules: ScalingRules) -> Part:
    window = rules.stabilization_window
    written = given(
        stabilization_window_seconds=None if window is None else whole_seconds(window),
        select_policy=None if rules.select_policy is SelectPolicy.MAX else rules.select_policy.value,
        tolerance=None if rules.tolerance is None else canonical_quantity(round(rules.tolerance * 1000)),
    )
    if rules.policies is not None:
        written["policies"] = [
            {"type": policy.type.value, "value": policy.value, "periodSeconds": whole_seconds(policy.period)}
            for policy in rules.policies
        ]
    return written
