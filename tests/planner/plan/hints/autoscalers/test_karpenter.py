"""Hints on pools of Karpenter that churn, whose nodes are held, or that are too small."""

import pytest

from planner.plan.hints.all_hints import find_hints
from planner.plan.hints.node_autoscalers.karpenter import karpenter_hints
from planner.plan.model.autoscalers.horizontal_pod_autoscaler import HorizontalPodAutoscaler
from tests.planner.karpenter.karpenter_plans import karpenter_plan, pool
from tests.planner.nodes.small_plan import a_workload

HPA = HorizontalPodAutoscaler(name="web", scale_target="web", max_replicas=9).model_dump(mode="json", by_alias=True)
GROUP = {"name": "fixed", "cpu": "4", "memory": "16Gi", "zone": "a"}


def places_of(plan, word):
    """Where hints with the word are."""
    return [hint.where for hint in karpenter_hints(plan) if word in hint.text]


@pytest.mark.parametrize(
    ("disruption", "autoscalers", "is_said"),
    [
        ({"consolidateAfter": "0s"}, [HPA], True),
        ({"consolidateAfter": "0s"}, [], False),
        ({"consolidateAfter": "1s"}, [HPA], False),
        ({"consolidateAfter": None}, [HPA], False),
        ({"consolidateAfter": "0s", "consolidationPolicy": "WhenEmpty"}, [HPA], False),
    ],
)
def test_pools_that_consolidate_at_once_churn_where_the_number_of_pods_changes(disruption, autoscalers, is_said):
    plan = karpenter_plan(
        [pool("calm", disruption={"consolidateAfter": "5m"}), pool(disruption=disruption)],
        horizontalPodAutoscalers=autoscalers,
    )
    places = ["karpenter.nodePools[1].disruption.consolidateAfter"] if is_said else []
    assert places_of(plan, "consolidated as soon as") == places


def pods(name, replicas, mark="", **parts):
    workload = a_workload(name, replicas)
    return workload | parts | {"pod": workload["pod"] | {"doNotDisrupt": mark}}


@pytest.mark.parametrize(
    ("workloads", "is_said"),
    [
        ([pods("web", 5), pods("held", 6, "true")], True),
        ([pods("web", 5), pods("held", 6, "1h")], True),
        ([pods("web", 5), pods("held", 5, "true")], False),
        ([pods("web", 0), pods("held", 0, "true")], False),
        ([pods("web", 1), pods("agent", 9, "true", kind="DaemonSet")], False),
    ],
)
def test_marks_on_most_pods_are_named_those_of_daemons_do_not_count(workloads, is_said):
    assert places_of(karpenter_plan(workloads=workloads), "do-not-disrupt") == ["workloads"] * is_said


@pytest.mark.parametrize(
    ("limits", "parts", "named"),
    [
        ([{"cpu": "3"}], {}, ["cpu"]),
        ([{"cpu": "4"}], {}, []),
        ([{"cpu": "2"}, {"cpu": "1"}], {}, ["cpu"]),
        ([{"cpu": "2"}, {"cpu": "2"}], {}, []),
        ([{"cpu": "3"}, {}], {}, []),
        ([{"cpu": "3"}], {"nodeGroups": [GROUP]}, []),
        ([{"cpu": "1"}], {"nodeGroups": [GROUP | {"cpu": "1", "initialSize": 1, "maxSize": 2}]}, ["cpu"]),
        ([{"cpu": "1"}], {"nodeGroups": [GROUP | {"cpu": "1", "initialSize": 1, "maxSize": 3}]}, []),
        ([{"memory": "3Gi"}], {}, ["memory"]),
        ([{"memory": "4Gi"}], {}, []),
        ([{"cpu": "1", "memory": "1Gi"}, {"memory": "1Gi"}], {}, ["memory"]),
    ],
)
def test_limits_below_what_the_pods_request_are_named(limits, parts, named):
    pools = [pool(f"pool-{number}", limits=limit) for number, limit in enumerate(limits)]
    found = places_of(karpenter_plan(pools, **parts), "limits of all pools")
    assert found == [f"karpenter.nodePools[0].limits.{name}" for name in named]


@pytest.mark.parametrize(
    ("operator", "values", "named"),
    [
        ("In", ["a", "b"], []),
        ("In", ["a", "c"], ['"c"']),
        ("NotIn", ["c"], []),
    ],
)
def test_a_zone_in_which_no_machine_can_be_had_is_named(operator, values, named):
    requirement = {"key": "topology.kubernetes.io/zone", "operator": operator, "values": values}
    found = [
        hint for hint in karpenter_hints(karpenter_plan([pool(requirements=[requirement])])) if "zone" in hint.text
    ]
    assert [hint.where for hint in found] == ["karpenter.nodePools[0].requirements[0].values"] * len(named)
    assert [zone for zone in named if zone not in found[named.index(zone)].text] == []


ZONE_B = {"key": "topology.kubernetes.io/zone", "operator": "In", "values": ["b"]}


def zonal(**parts):
    workload = a_workload("web", 4)
    return [workload | {"pod": workload["pod"] | parts}]


def affinity(*zones):
    return [{"matchExpressions": [{"key": "topology.kubernetes.io/zone", "operator": "In", "values": list(zones)}]}]


@pytest.mark.parametrize(
    ("workloads", "place"),
    [
        (zonal(nodeSelector={"topology.kubernetes.io/zone": "b"}), None),
        (zonal(nodeSelector={"topology.kubernetes.io/zone": "a"}), 'nodeSelector["topology.kubernetes.io/zone"]'),
        (zonal(requiredNodeAffinity=affinity("a", "b")), None),
        (zonal(requiredNodeAffinity=affinity("a", "c")), "requiredNodeAffinity[0].matchExpressions[0].values"),
    ],
)
def test_pods_that_ask_for_a_zone_where_no_pool_may_launch_machines_are_named(workloads, place):
    plan = karpenter_plan([pool(requirements=[ZONE_B])], workloads=workloads)
    found = [hint.where for hint in find_hints(plan) if "in the zone" in hint.text]
    assert found == ([] if place is None else [f"workloads[0].pod.{place}"])


def test_volumes_may_be_in_any_zone_where_machines_are_offered():
    stateful = {"kind": "StatefulSet", "stateful": {"claimZones": ["a", "b", "c", ""]}}
    workload = zonal(zonalClaim=True)[0] | stateful
    found = [hint.where for hint in find_hints(karpenter_plan(workloads=[workload])) if "volume" in hint.text]
    assert found == ["workloads[0].stateful.claimZones[2]"]
