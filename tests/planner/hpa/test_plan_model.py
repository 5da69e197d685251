"""Autoscalers of the plan: what is refused, and how they reach the rules."""

import pytest
from pydantic import ValidationError

from planner.hpa.rules.settings import HpaSettings
from planner.hpa.rules.spec import DEFAULT_METRIC, DEFAULT_SCALE_DOWN, DEFAULT_SCALE_UP, spec_from_plan
from planner.plan.model.autoscalers.horizontal_pod_autoscaler import HorizontalPodAutoscaler, HpaControllerSettings
from planner.plan.model.autoscalers.hpa_metric import TargetType
from planner.units import US_PER_S

BASE = {"name": "web", "scaleTarget": "web", "maxReplicas": 10}


@pytest.mark.parametrize(
    "change",
    [
        {"minReplicas": 11},
        {"minReplicas": -1},
        {"metrics": [{"targetType": "Utilization"}]},
        {"metrics": [{"targetType": "AverageValue", "averageUtilization": 50}]},
        {"behavior": {"scaleUp": {"policies": []}}},
        {"behavior": {"scaleUp": {"policies": [{"type": "Pods", "value": 0, "period": "15s"}]}}},
        {"behavior": {"scaleUp": {"policies": [{"type": "Pods", "value": 1, "period": "31m"}]}}},
        {"behavior": {"scaleDown": {"stabilizationWindow": "61m"}}},
        {"unknown": 1},
    ],
)
def test_wrong_values_are_refused(change):
    with pytest.raises(ValidationError):
        HorizontalPodAutoscaler.model_validate(BASE | change)


def test_what_is_left_out_gets_the_defaults_of_kubernetes():
    spec = spec_from_plan(HorizontalPodAutoscaler.model_validate(BASE | {"behavior": {}}))
    assert spec.metrics == (DEFAULT_METRIC,)
    assert spec.behavior is not None
    assert (spec.behavior.scale_up, spec.behavior.scale_down) == (DEFAULT_SCALE_UP, DEFAULT_SCALE_DOWN)
    assert spec_from_plan(HorizontalPodAutoscaler.model_validate(BASE)).behavior is None
    assert HpaSettings.from_plan(HpaControllerSettings()) == HpaSettings()


def test_given_values_reach_the_rules():
    plan = BASE | {
        "metrics": [{"averageUtilization": 60}, {"targetType": "AverageValue", "averageValue": "250m"}],
        "behavior": {
            "scaleDown": {
                "stabilizationWindow": "1m",
                "tolerance": 0.2,
                "selectPolicy": "Min",
                "policies": [{"type": "Percent", "value": 10, "period": "1m"}],
            }
        },
    }
    hpa = HorizontalPodAutoscaler.model_validate(plan)
    assert HorizontalPodAutoscaler.model_validate_json(hpa.model_dump_json(by_alias=True)) == hpa
    spec = spec_from_plan(hpa)
    assert [(m.target_type, m.target) for m in spec.metrics] == [
        (TargetType.UTILIZATION, 60),
        (TargetType.AVERAGE_VALUE, 250),
    ]
    assert spec.behavior is not None
    down = spec.behavior.scale_down
    assert (down.stabilization_window_us, down.tolerance, down.policies[0].period_us) == (
        60 * US_PER_S,
        0.2,
        60 * US_PER_S,
    )
