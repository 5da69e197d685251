"""What of autoscalers, their metrics and proportional autoscalers is refused, where, and with which cure."""

import pytest
from pydantic import ValidationError

from planner.plan.checks.validate import check_plan
from planner.plan.model.autoscalers.horizontal_pod_autoscaler import HpaControllerSettings
from planner.plan.model.autoscalers.hpa_metric import HpaMetric
from planner.plan.model.autoscalers.metric_series import MetricSeries
from planner.plan.model.autoscalers.proportional_autoscaler import ClusterProportionalAutoscaler
from planner.plan.model.pods.containers import Container, InitContainer, Resources
from planner.plan.model.pods.pod_template import PodTemplate
from tests.builders import a_plan, a_pod, a_reserve, a_workload, an_hpa

QUEUE = MetricSeries.model_validate({"name": "queue", "source": {"type": "workload", "workload": "web"}})
EXTERNAL = {"type": "External", "metric": "queue", "target_type": "AverageValue", "average_value": "10"}
LINEAR = {"type": "linear", "coresPerReplica": 4}
HPA = "horizontalPodAutoscalers[0]"


def hpas(*metrics, **settings):
    return a_plan(horizontal_pod_autoscalers=(an_hpa(metrics=metrics, **settings.pop("hpa", {})),), **settings)


def proportional(*targets, **fields):
    return ClusterProportionalAutoscaler.model_validate({"name": "dns", "targets": targets, "mode": LINEAR} | fields)


def web(*containers, **fields):
    return (a_workload(pod=PodTemplate(containers=containers, **fields)),)


@pytest.mark.parametrize(
    ("plan", "place"),
    [
        pytest.param(hpas(EXTERNAL), f"{HPA}.metrics[0].metric", id="no such series"),
        pytest.param(
            hpas({"type": "ContainerResource", "container": "app", "average_utilization": 50}),
            f"{HPA}.metrics[0].container",
            id="no such container",
        ),
        pytest.param(
            hpas(
                {"type": "ContainerResource", "container": "main", "average_utilization": 50},
                workloads=(a_workload(pod=a_pod(None)),),
            ),
            f"{HPA}.metrics[0].container",
            id="a container without request",
        ),
        pytest.param(
            hpas({"resource": "memory", "average_utilization": 50}, workloads=(a_workload(pod=a_pod("1", None)),)),
            "workloads[0].pod.containers[0].requests.memory",
            id="memory without request",
        ),
        pytest.param(
            hpas(
                workloads=web(
                    Container(requests=Resources(cpu="1")), init_containers=(InitContainer(name="proxy", sidecar=True),)
                )
            ),
            "workloads[0].pod.initContainers[0].requests.cpu",
            id="a sidecar without request",
        ),
        pytest.param(hpas(workloads=(a_workload(kind="DaemonSet"),)), f"{HPA}.scaleTarget", id="a DaemonSet"),
        pytest.param(hpas(hpa={"min_replicas": 0}), f"{HPA}.minReplicas", id="zero without the gate"),
        pytest.param(
            hpas(hpa={"min_replicas": 0}, hpa_controller=HpaControllerSettings(scale_to_zero=True)),
            f"{HPA}.minReplicas",
            id="zero without a metric from outside",
        ),
        pytest.param(
            a_plan(horizontal_pod_autoscalers=(an_hpa(), an_hpa(name="second"))),
            "horizontalPodAutoscalers[1].scaleTarget",
            id="two autoscalers on one target",
        ),
        pytest.param(a_plan(metric_series=(QUEUE,)), "metricSeries[0].source.workload", id="a workload without load"),
        pytest.param(
            a_plan(proportional_autoscalers=(proportional("nothing"),)),
            "proportionalAutoscalers[0].targets[0]",
            id="no such target",
        ),
        pytest.param(
            a_plan(proportional_autoscalers=(proportional("web"),), horizontal_pod_autoscalers=(an_hpa(),)),
            "proportionalAutoscalers[0].targets[0]",
            id="a target of two kinds of autoscaler",
        ),
        pytest.param(
            a_plan(workloads=web(Container(cpu_share=5))),
            "workloads[0].pod.containers[0].cpuShare",
            id="a share of the first container",
        ),
        pytest.param(
            a_plan(workloads=web(Container(), Container(name="b", cpu_share=60), Container(name="c", cpu_share=60))),
            "workloads[0].pod.containers",
            id="shares above the whole",
        ),
        pytest.param(
            a_plan(workloads=web(Container(), init_containers=(InitContainer(name="i", cpu_use="1"),))),
            "workloads[0].pod.initContainers[0].cpuUse",
            id="an init container has ended",
        ),
    ],
)
def test_misfits_are_reported_with_place_and_remedy(plan, place):
    problems = list(check_plan(plan))
    assert [problem.where for problem in problems] == [place]
    assert problems[0].remedy


def test_a_reserve_may_be_the_target_of_a_proportional_autoscaler():
    assert not list(
        check_plan(a_plan(overprovisioning=(a_reserve(),), proportional_autoscalers=(proportional("reserve"),)))
    )


def test_two_autoscalers_on_one_target_are_called_ambiguous():
    plan = a_plan(horizontal_pod_autoscalers=(an_hpa(), an_hpa(name="second")))
    assert "AmbiguousSelector" in next(check_plan(plan)).problem


@pytest.mark.parametrize(
    "fields",
    [
        {"type": "Pods", "metric": "queue", "average_utilization": 50},
        {"type": "Pods", "metric": "queue", "target_type": "Value", "value": "5"},
        {"type": "External", "target_type": "Value", "value": "5"},
        {"type": "ContainerResource", "average_utilization": 50},
        {"container": "main", "average_utilization": 50},
        {"metric": "queue", "average_utilization": 50},
        {"target_type": "Value", "value": "5"},
        {"average_utilization": 50, "value": "5"},
        {"type": "External", "metric": "queue", "target_type": "Value", "value": "0"},
    ],
)
def test_sources_and_targets_that_do_not_go_together_are_refused(fields):
    with pytest.raises(ValidationError):
        HpaMetric.model_validate(fields)


@pytest.mark.parametrize(
    "mode",
    [
        {"type": "linear"},
        {"type": "linear", "coresPerReplica": 1, "min": 5, "max": 4},
        {"type": "linear", "coresPerReplica": -1},
    ],
)
def test_parameters_the_tool_would_refuse_are_refused(mode):
    with pytest.raises(ValidationError):
        proportional("web", mode=mode)


@pytest.mark.parametrize(
    ("text", "milli"), [("30", 30_000), ("250m", 250), ("100Mi", 104_857_600_000), ("1500m", 1_500)]
)
def test_targets_are_quantities_in_thousandths(text, milli):
    metric = HpaMetric.model_validate({"targetType": "AverageValue", "averageValue": text})
    assert metric.target == milli
    assert metric.model_dump()["average_value"] == text


@pytest.mark.parametrize("name", ["coresPerReplica", "nodesPerReplica"])
def test_a_ratio_that_asks_for_millions_of_replicas_is_refused_before_a_run_makes_them(name):
    with pytest.raises(ValidationError, match="replicas for each one"):
        proportional("web", mode={"type": "linear", name: 1e-9})
    assert proportional("web", mode={"type": "linear", name: 0.001}).mode.type == "linear"
