"""autoscaling/v2 manifests to the specification the rules read."""

import pytest

from planner.errors import ImportProblem
from planner.kube.autoscalers.hpa import canonical_quantity, read_hpa_spec
from planner.plan.model.autoscalers.hpa_spec import (
    DEFAULT_METRIC,
    DEFAULT_SCALE_UP,
    MetricSource,
    MetricSpec,
    TargetType,
)
from planner.units import US_PER_S


def test_metrics_of_every_source_are_read():
    spec = read_hpa_spec(
        {
            "maxReplicas": 5,
            "metrics": [
                {"type": "Resource", "resource": {"name": "cpu", "target": utilization(70)}},
                {
                    "type": "ContainerResource",
                    "containerResource": {"name": "memory", "container": "app"} | average("1Ki"),
                },
                {"type": "Pods", "pods": {"metric": {"name": "rps"}} | average("1500m")},
                {
                    "type": "External",
                    "external": {"metric": {"name": "q", "selector": {"matchLabels": {"a": "b"}}}} | average("2"),
                },
            ],
        }
    )
    assert spec.metrics[0] == MetricSpec(MetricSource.RESOURCE, "cpu", TargetType.UTILIZATION, 70)
    assert (spec.metrics[1].container, spec.metrics[1].target) == ("app", 1_024_000)
    assert spec.metrics[2].target == 1_500
    assert "a: b" in spec.metrics[3].selector_text


def utilization(percent):
    return {"type": "Utilization", "averageUtilization": percent}


def average(quantity):
    return {"target": {"type": "AverageValue", "averageValue": quantity}}


def test_defaults_are_filled_in_per_field():
    spec = read_hpa_spec({"maxReplicas": 5, "behavior": {"scaleDown": {"stabilizationWindowSeconds": 0}}})
    assert spec.metrics == (DEFAULT_METRIC,) and spec.min_replicas == 1
    assert spec.behavior is not None and spec.behavior.scale_up == DEFAULT_SCALE_UP
    assert spec.behavior.scale_down.stabilization_window_us == 0
    assert spec.behavior.scale_down.policies[0].period_us == 15 * US_PER_S


@pytest.mark.parametrize(
    "spec",
    [
        {},
        {"maxReplicas": 1, "metrics": [{"type": "Wish"}]},
        {"maxReplicas": 1, "metrics": [{"type": "Pods"}]},
        {"maxReplicas": 1, "behavior": {"scaleUp": {"policies": [{"type": "Pods", "value": 1}]}}},
        {"maxReplicas": 1, "behavior": {"scaleDown": {"policies": []}}},
    ],
)
def test_unreadable_manifests_name_the_place(spec):
    with pytest.raises(ImportProblem) as problem:
        read_hpa_spec(spec)
    assert problem.value.where.startswith("spec.")


@pytest.mark.parametrize(
    ("milli", "binary", "text"),
    [
        (1_263, False, "1263m"),
        (2_000_000, False, "2k"),
        (0, False, "0"),
        (336 * 1024 * 1024 * 1000, True, "336Mi"),
        (697_596_313_600, True, "697596313600m"),
        (-(2**63), False, "-9223372036854775808m"),
    ],
)
def test_quantities_are_written_canonically(milli, binary, text):
    assert canonical_quantity(milli, binary) == text
