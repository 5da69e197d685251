"""HorizontalPodAutoscalers of manifests: what the plan holds of them, and which are left out."""

import pytest

from planner.errors import ImportProblem, ImportProblems
from planner.hpa.rules.spec import DEFAULT_METRIC, DEFAULT_SCALE_DOWN, DEFAULT_SCALE_UP, MetricSpec, spec_from_plan
from planner.kube.autoscalers.quantities import canonical_quantity
from planner.plan.model.autoscalers.hpa_metric import MetricSource, TargetType
from tests.planner.kube.manifests import a_deployment, imported_objects


def an_hpa(api_version="apps/v1", **spec):
    target = {"apiVersion": api_version, "kind": "Deployment", "name": "web"}
    return {
        "apiVersion": "autoscaling/v2",
        "kind": "HorizontalPodAutoscaler",
        "metadata": {"name": "web"},
        "spec": {"scaleTargetRef": target, "maxReplicas": 5, **spec},
    }


def imported(**spec):
    requests = {"cpu": "100m", "memory": "64Mi"}
    deployment = a_deployment("web", containers=[{"name": "app", "resources": {"requests": requests}}])
    return imported_objects(deployment, an_hpa(**spec), strict=True)


def spec_of(**spec):
    [scaler] = imported(**spec).plan.horizontal_pod_autoscalers
    return spec_from_plan(scaler)


CPU_70 = {"type": "Resource", "resource": {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 70}}}


def average(quantity):
    return {"target": {"type": "AverageValue", "averageValue": quantity}}


def test_metrics_of_the_pods_are_read_in_milli_units():
    spec = spec_of(
        metrics=[
            CPU_70,
            {
                "type": "ContainerResource",
                "containerResource": {"name": "memory", "container": "app"} | average("1Ki"),
            },
            {"type": "Pods", "pods": {"metric": {"name": "rps"}} | average("1500m")},
        ]
    )  # fmt: skip
    assert spec.metrics == (
        MetricSpec(MetricSource.RESOURCE, "cpu", TargetType.UTILIZATION, 70),
        MetricSpec(MetricSource.CONTAINER_RESOURCE, "memory", TargetType.AVERAGE_VALUE, 1_024_000, container="app"),
        MetricSpec(MetricSource.PODS, "rps", TargetType.AVERAGE_VALUE, 1_500),
    )


def test_what_is_left_out_of_behavior_has_the_defaults_of_its_direction():
    spec = spec_of(behavior={"scaleDown": {"stabilizationWindowSeconds": 0}})
    assert spec.metrics == (DEFAULT_METRIC,) and spec.min_replicas == 1
    assert spec.behavior is not None and spec.behavior.scale_up == DEFAULT_SCALE_UP
    assert spec.behavior.scale_down.stabilization_window_us == 0
    assert spec.behavior.scale_down.policies == DEFAULT_SCALE_DOWN.policies


@pytest.mark.parametrize(
    "spec",
    [
        pytest.param({"maxReplicas": None}, id="no maximum"),
        pytest.param({"metrics": [{"type": "Wish"}]}, id="an unknown source"),
        pytest.param({"metrics": [{"type": "Pods"}]}, id="a source without its body"),
        pytest.param({"behavior": {"scaleUp": {"policies": [{"type": "Pods", "value": 1}]}}}, id="no period"),
        pytest.param({"behavior": {"scaleDown": {"policies": []}}}, id="no policy"),
    ],
)
def test_unreadable_manifests_name_the_place(spec):
    with pytest.raises((ImportProblem, ImportProblems)) as caught:
        imported(**spec)
    for problem in getattr(caught.value, "problems", (caught.value,)):
        assert "document" in problem.where and problem.remedy


@pytest.mark.parametrize(
    ("api_version", "is_found"),
    [("apps/v1", True), ("apps/v1beta9", True), ("v1", False), ("extensions/v1beta1", False), ("a/b/c", False)],
)
def test_group_and_kind_name_a_target_whatever_its_version(api_version, is_found):
    result = imported(api_version=api_version)
    assert bool(result.plan.horizontal_pod_autoscalers) is is_found
    assert ("would not find Deployment" in "\n".join(map(str, result.losses))) is not is_found


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
