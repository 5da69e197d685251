"""Hints on vertical pod autoscalers that share a resource with a horizontal one, or never act."""

import pytest

from planner.plan.hints.autoscalers.vertical_pod_autoscaler import vpa_hints
from planner.plan.model.autoscalers.hpa_metric import HpaMetric
from planner.plan.model.autoscalers.scaled_object import ScaledObject, UseTrigger
from planner.plan.model.autoscalers.vertical_pod_autoscaler import ContainerResourcePolicy, VerticalPodAutoscaler
from planner.plan.model.pods.containers import Container, Resources
from planner.plan.model.pods.pod_template import PodTemplate
from tests.builders import a_plan, a_workload, an_hpa


def hints(percent=60, replicas=4, hpa=True, **vpa):
    autoscaler = an_hpa(min_replicas=2, max_replicas=30, metrics=(HpaMetric(average_utilization=percent),))
    return list(
        vpa_hints(
            a_plan(
                workloads=(a_workload(replicas=replicas),),
                horizontal_pod_autoscalers=(autoscaler,) if hpa else (),
                vertical_pod_autoscalers=(VerticalPodAutoscaler(**{"name": "web", "target": "web"} | vpa),),
            )
        )
    )


@pytest.mark.parametrize(
    ("percent", "course"),
    [
        (60, "recommended about 69 % of it: requests fall round by round, and replicas rise, up to 30."),
        (95, "recommended about 109 % of it: requests rise round by round, and replicas fall, down to 2."),
    ],
)
def test_two_autoscalers_of_one_resource_are_said_with_what_comes_of_it(percent, course):
    [found] = hints(percent)
    assert course in found.text and "controlledResources" in found.remedy


def scaled(trigger, **settings):
    made = ScaledObject(name="jumps", scale_target="web", max_replicas=40, triggers=(trigger,), **settings)
    vpa = VerticalPodAutoscaler(name="web", target="web")
    plan = a_plan(workloads=(a_workload(replicas=4),), vertical_pod_autoscalers=(vpa,), scaled_objects=(made,))
    return list(vpa_hints(plan))


@pytest.mark.parametrize("resource", ["cpu", "memory"])
def test_an_autoscaler_that_keda_makes_of_a_trigger_on_use_counts_too(resource):
    trigger = UseTrigger(type=resource, average_utilization=60)
    [found] = scaled(trigger)
    assert found.where == "verticalPodAutoscalers[0].target"
    assert "'jumps'" in found.text and resource in found.text and "up to 40." in found.text
    assert "ScaledObject" in found.remedy
    assert scaled(trigger, paused=True) == [] and scaled(trigger, paused_replicas=3) == []
    assert scaled(UseTrigger(type=resource, average_value="500m")) == []


@pytest.mark.parametrize(
    "vpa",
    [
        {"update_mode": "Off"},
        {"container_policies": (ContainerResourcePolicy(controlled_resources=("memory",)),)},
    ],
)
def test_autoscalers_that_do_not_meet_are_no_hint(vpa):
    assert hints(**vpa) == []


MEMORY_OF_MAIN = ContainerResourcePolicy(container_name="main", controlled_resources=("memory",))


@pytest.mark.parametrize(
    ("container", "policies", "meet"),
    [
        ("", (MEMORY_OF_MAIN,), True),
        ("", (MEMORY_OF_MAIN, ContainerResourcePolicy(mode="Off")), False),
        ("main", (MEMORY_OF_MAIN,), False),
        ("proxy", (MEMORY_OF_MAIN,), True),
    ],
)
def test_a_container_without_a_policy_gets_both_resources(container, policies, meet):
    requests = Resources(cpu="1", memory="1Gi")
    pod = PodTemplate(containers=tuple(Container(name=name, requests=requests) for name in ("main", "proxy")))
    kind = {"type": "ContainerResource", "container": container} if container else {}
    hpa = an_hpa(max_replicas=30, metrics=(HpaMetric(average_utilization=60, **kind),))
    vpa = VerticalPodAutoscaler(name="web", target="web", container_policies=policies)
    workloads = (a_workload(replicas=4, pod=pod),)
    plan = a_plan(workloads=workloads, horizontal_pod_autoscalers=(hpa,), vertical_pod_autoscalers=(vpa,))
    assert bool(list(vpa_hints(plan))) == meet


@pytest.mark.parametrize("name", ["*", "main"])
def test_whole_cores_are_of_a_container_that_is_named(name):
    policy = ContainerResourcePolicy(container_name=name, integer_cpu=True)
    found = [one.where for one in hints(hpa=False, container_policies=(policy,))]
    assert found == (["verticalPodAutoscalers[0].containerPolicies[0].integerCpu"] if name == "*" else [])


@pytest.mark.parametrize("mode", ["Recreate", "InPlaceOrRecreate", "InPlace"])
def test_a_workload_too_small_to_be_updated_is_said(mode):
    [found] = hints(hpa=False, replicas=1, update_mode=mode)
    assert found.where == "verticalPodAutoscalers[0].minReplicas"
    assert hints(hpa=False, replicas=1, update_mode="Initial") == []
