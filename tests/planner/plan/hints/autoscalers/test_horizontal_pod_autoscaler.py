"""Advice on autoscalers: where it is given, and the numbers in it."""

import pytest

from planner.plan.hints.all_hints import find_hints
from planner.plan.hints.autoscalers.hpa_growth import growth_rounds, round_us
from planner.plan.model.autoscalers.metric_series import MetricSeries
from planner.plan.model.autoscalers.proportional_autoscaler import ClusterProportionalAutoscaler
from planner.plan.model.demand import Demand
from planner.plan.model.events.on_workloads import SetReplicas
from planner.plan.model.pods.containers import Container, Resources
from planner.plan.model.pods.pod_template import PodTemplate
from planner.plan.model.traffic import ConstantLoad, Slo, StepLoad, Traffic
from planner.units import US_PER_S
from tests.builders import a_node_group, a_plan, a_pod, a_reserve, a_workload, an_hpa

ONE_CORE = Resources(cpu="1", memory="1Gi")
TIGHT = PodTemplate(containers=(Container(requests=ONE_CORE, limits=ONE_CORE),))
FIVEFOLD = Traffic(profile=StepLoad(type="step", from_rate=750, to_rate=3750, at="5m"))
CALM = Traffic(profile=ConstantLoad(type="constant", rate=20))
HPA = "horizontalPodAutoscalers[0]"


def hints(**settings):
    return {hint.where: hint for hint in find_hints(a_plan(**settings))}


def scaled(workload, **hpa):
    return hints(workloads=(workload,), horizontal_pod_autoscalers=(an_hpa(**hpa),))


def cpu(percent):
    return ({"average_utilization": percent},)


def test_a_jump_takes_as_many_rounds_as_the_saturation_sequence_has():
    web = a_workload(replicas=10, pod=TIGHT, traffic=FIVEFOLD)
    found = scaled(web, metrics=cpu(75), max_replicas=100, min_replicas=2)[f"{HPA}.metrics[0].averageUtilization"]
    assert found.text == "At 5 times the load, scaling up takes 5 rounds (10-14-19-26-35-47), about 2m30s."


def test_the_rounds_stop_inside_the_tolerance_and_at_the_maximum():
    assert growth_rounds(10, 5, 100 / 75, an_hpa(max_replicas=100)) == (14, 19, 26, 35, 47)
    assert growth_rounds(10, 5, 100 / 75, an_hpa(max_replicas=20)) == (14, 19, 20)
    assert growth_rounds(10, 5, 100, an_hpa(max_replicas=100)) == (20, 40, 50), "doubling at most"
    behavior = {"scale_up": {"policies": ({"type": "Pods", "value": 3, "period": "60s"},)}}
    assert growth_rounds(10, 2, 100, an_hpa(max_replicas=100, behavior=behavior)) == (13, 16, 19)


def test_a_round_is_start_up_and_sample_on_the_grid_of_evaluations():
    assert round_us(a_plan(), a_workload(pod=a_pod(startup_delay="20s"))) == 45 * US_PER_S


def test_a_target_that_saturated_pods_cannot_exceed_gives_a_hint():
    found = scaled(a_workload(pod=TIGHT), metrics=cpu(95))[f"{HPA}.metrics[0].averageUtilization"]
    assert found.text == "Pods reach at most 100 % of their request, but the autoscaler scales up only from 105 %."


def a_queue(measure):
    return MetricSeries.model_validate(
        {"name": "q", "source": {"type": "workload", "workload": "web", "measure": measure}}
    )


def value_metric():
    return ({"type": "External", "metric": "q", "target_type": "Value", "value": "5"},)


BUSY = a_workload(traffic=CALM, demand=Demand(cpu_seconds_per_request=0.01))


@pytest.mark.parametrize(
    ("settings", "place"),
    [
        pytest.param(
            {"workloads": (a_workload(traffic=CALM, cpu_use="240m"),)},
            "workloads[0].pod.containers[0].requests.cpu",
            id="constant use above the target",
        ),
        pytest.param(
            {
                "workloads": (a_workload(pod=a_pod("4"), traffic=CALM, demand=Demand(cpu_seconds_per_request=0.001)),),
                "horizontal_pod_autoscalers": (an_hpa(min_replicas=2),),
            },
            "workloads[0].pod.containers[0].requests.cpu",
            id="a request far above the use",
        ),
        pytest.param(
            {"workloads": (a_workload(traffic=CALM, demand=Demand(cpu_seconds_per_request=1)),)},
            f"{HPA}.maxReplicas",
            id="a maximum below the peak",
        ),
        pytest.param(
            {
                "node_groups": (a_node_group("a", zone="a"), a_node_group("b", zone="b")),
                "workloads": (a_workload(traffic=CALM, slo=Slo(target="1s")),),
            },
            f"{HPA}.minReplicas",
            id="a minimum that a zone takes away",
        ),
        pytest.param(
            {"workloads": (a_workload(startup_cpu="1", startup_cpu_time="2m"),)},
            "workloads[0].startupCpuTime",
            id="a burst after readiness",
        ),
        pytest.param(
            {"workloads": (a_workload(pod=a_pod(readiness_delay="6m")),)}, "workloads[0].pod", id="slow readiness"
        ),
        pytest.param(
            {
                "workloads": (BUSY,),
                "metric_series": (a_queue("requestsPerSecond"),),
                "horizontal_pod_autoscalers": (an_hpa(metrics=value_metric()),),
            },
            f"{HPA}.metrics[0].targetType",
            id="a value that does not fall",
        ),
        pytest.param(
            {"horizontal_pod_autoscalers": (an_hpa(metrics=({"resource": "memory", "average_utilization": 50},)),)},
            f"{HPA}.metrics[0].resource",
            id="memory",
        ),
        pytest.param(
            {
                "horizontal_pod_autoscalers": (
                    an_hpa(behavior={"scale_down": {"policies": ({"type": "Percent", "value": 5, "period": "5s"},)}}),
                )
            },
            f"{HPA}.behavior.scaleDown.policies[0].period",
            id="a period shorter than the sync",
        ),
        pytest.param(
            {"events": (SetReplicas(type="setReplicas", workload="web", replicas=3, at="5m"),)},
            "events[0].replicas",
            id="a manifest that carries replicas",
        ),
    ],
)
def test_risky_settings_give_a_hint_at_their_place(settings, place):
    found = hints(**({"horizontal_pod_autoscalers": (an_hpa(),)} | settings))
    assert place in found and found[place].remedy


def test_a_queue_falls_when_pods_are_added_so_its_value_may_be_the_target():
    found = hints(
        workloads=(BUSY,),
        metric_series=(a_queue("requestsInFlight"),),
        horizontal_pod_autoscalers=(an_hpa(metrics=value_metric()),),
    )
    assert found == {}


def test_a_reserve_that_grows_faster_than_the_cluster_gives_a_hint():
    known = ClusterProportionalAutoscaler.model_validate(
        {"name": "p", "targets": ["reserve"], "mode": {"type": "linear", "coresPerReplica": 1}}
    )
    found = hints(overprovisioning=(a_reserve(),), proportional_autoscalers=(known,))
    assert list(found) == ["proportionalAutoscalers[0].targets[0]"]
