"""Metrics of the custom and external metrics APIs: series of the plan stand in for them."""

import pytest

from planner.api import run_plan
from planner.plan.model.autoscalers.hpa_metric import MetricSource, TargetType
from planner.units import US_PER_MIN
from tests.planner.kube.manifests import a_deployment, a_node, imported_objects, losses_of

CPU = {"type": "Resource", "resource": {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 60}}}


def pods(name="rps", target="150"):
    goal = {"type": "AverageValue", "averageValue": target}
    return {"type": "Pods", "pods": {"metric": {"name": name}, "target": goal}}


def external(name="queue", **target):
    goal = target or {"type": "Value", "value": 30}
    return {"type": "External", "external": {"metric": {"name": name}, "target": goal}}


def described(kind="Ingress"):
    about = {"apiVersion": "networking.k8s.io/v1", "kind": kind, "name": "main"}
    goal = {"type": "Value", "value": "2k"}
    return {"type": "Object", "object": {"metric": {"name": "hits"}, "describedObject": about, "target": goal}}


def an_autoscaler(*metrics, name="web", target="web"):
    spec = {"scaleTargetRef": {"kind": "Deployment", "name": target}, "minReplicas": 1, "maxReplicas": 9}
    api = "autoscaling/v2"
    about = {"apiVersion": api, "kind": "HorizontalPodAutoscaler", "metadata": {"name": name}}
    return about | {"spec": spec | {"metrics": list(metrics)}}


def imported_scaler(*metrics):
    nodes = (a_node("n1"), a_node("n2"))
    return imported_objects(*nodes, a_deployment(replicas=4), an_autoscaler(*metrics))


@pytest.mark.parametrize(("metric", "source", "kind", "amount"), [
    pytest.param(pods(), MetricSource.PODS, TargetType.AVERAGE_VALUE, 150_000, id="Pods"),
    pytest.param(external(), MetricSource.EXTERNAL, TargetType.VALUE, 30_000, id="External"),
    pytest.param(described(), MetricSource.OBJECT, TargetType.VALUE, 2_000_000, id="Object"),
    pytest.param(
        external(type="AverageValue", averageValue="500m"), MetricSource.EXTERNAL, TargetType.AVERAGE_VALUE, 500,
        id="External, for each pod",
    ),
])  # fmt: skip
def test_the_metric_and_its_target_are_kept(metric, source, kind, amount):
    [scaler] = imported_scaler(metric).plan.horizontal_pod_autoscalers
    [found] = scaler.metrics
    assert (found.type, found.target_type, found.target) == (source, kind, amount)
    assert found.described_kind == ("Ingress" if source is MetricSource.OBJECT else "Service")


@pytest.mark.parametrize("metric", [
    pytest.param(pods(), id="Pods"),
    pytest.param(external(), id="External"),
    pytest.param(external(type="AverageValue", averageValue="7"), id="External, for each pod"),
    pytest.param(described(), id="Object"),
])  # fmt: skip
def test_until_the_series_is_filled_in_an_autoscaler_without_other_metrics_keeps_its_size(metric):
    plan = imported_scaler(metric).plan
    result = run_plan(plan, until_us=10 * US_PER_MIN)
    assert sum(pod["ended_s"] is None for pod in result.pods) == 4
    assert len(result.pods) == 4  # none came or went meanwhile


def test_with_other_metrics_the_series_leaves_the_decision_to_them():
    series_only, both = (imported_scaler(*metrics).plan for metrics in ([pods()], [CPU, pods()]))
    assert [one.source.profile.rate for one in series_only.metric_series] == [150.0]
    assert [one.source.profile.rate for one in both.metric_series] == [0.0]
    result = run_plan(both, until_us=10 * US_PER_MIN)  # without load the CPU asks for the minimum
    assert sum(pod["ended_s"] is None for pod in result.pods) == 1


def test_values_to_fill_in_are_reported():
    remarks = "\n".join(imported_scaler(pods("http requests|per second")).losses.remarks)
    assert "metric series http_requests_per_second" in remarks and "keeps its size" in remarks


def test_the_same_metric_of_two_autoscalers_becomes_two_series():
    plan = imported_objects(
        a_node("n1"), a_deployment("web"), a_deployment("api"), an_autoscaler(pods()),
        an_autoscaler(pods(target="7"), name="api", target="api"),
    ).plan  # fmt: skip
    assert [series.name for series in plan.metric_series] == ["rps", "rps-api"]
    assert [scaler.metrics[0].metric for scaler in plan.horizontal_pod_autoscalers] == ["rps", "rps-api"]


def test_a_series_of_an_autoscaler_that_is_left_out_is_left_out_too():
    plan = imported_objects(a_deployment(), an_autoscaler(pods()), an_autoscaler(external(), name="second")).plan
    assert [scaler.name for scaler in plan.horizontal_pod_autoscalers] == ["web"]
    assert [series.name for series in plan.metric_series] == ["rps"]


def test_labels_of_a_metric_are_reported():
    metric = external()
    metric["external"]["metric"]["selector"] = {"matchLabels": {"queue": "mail"}}
    path = "spec.metrics[].external.metric.selector"
    assert ("HorizontalPodAutoscaler", path) in losses_of(imported_scaler(metric))
