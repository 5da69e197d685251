import pytest

from planner.plan.hints.all_hints import find_hints
from planner.plan.model.autoscalers.cluster_autoscaler import ClusterAutoscalerSettings
from planner.plan.model.autoscalers.expanders import PriorityTier
from planner.plan.model.node_groups import Taint
from planner.plan.model.plan import Plan, SimulationSettings
from planner.plan.model.pods.containers import Container, Resources
from planner.plan.model.pods.placement import NodeSelectorRequirement, NodeSelectorTerm, Toleration
from planner.plan.model.pods.pod_classes import PriorityClass
from planner.plan.model.scaling_marks import PodScalingMarks
from planner.plan.model.traffic import ConstantLoad, Slo, Traffic
from planner.plan.model.workloads import RoomFor
from tests.builders import a_node_group, a_plan, a_pod, a_reserve, a_workload, an_hpa

LOAD = Traffic(profile=ConstantLoad(type="constant", rate=1))


def container(name, **settings):
    return Container(name=name, requests=Resources(cpu="1", memory="1Gi"), **settings)


def places(plan):
    """Places of all hints but those on the way of the metrics, which has tests of its own."""
    return [hint.where for hint in find_hints(plan) if not hint.where.startswith("metricsPipeline")]


def autoscaler(**settings):
    return a_plan(cluster_autoscaler=ClusterAutoscalerSettings(**settings))


def test_a_sensible_plan_has_no_hints():
    assert places(a_plan(overprovisioning=(a_reserve(),), horizontal_pod_autoscalers=(an_hpa(),))) == []


@pytest.mark.parametrize(
    ("plan", "where"),
    [
        (a_plan(node_groups=()), "nodeGroups"),
        (Plan(node_groups=(a_node_group(),)), "workloads"),
        (a_plan(simulation=SimulationSettings(duration="5s")), "simulation.recordInterval"),
        (a_plan(node_groups=(a_node_group(min_size=3),)), "nodeGroups[0].initialSize"),
        (a_plan(node_groups=(a_node_group(provisioning_delay="20m"),)), "nodeGroups[0].provisioningDelay"),
        (a_plan(node_groups=(a_node_group(min_size=1, max_size=1),)), "clusterAutoscaler"),
        (a_plan(workloads=(a_workload(kind="DaemonSet"),)), "workloads[0].replicas"),
        (a_plan(workloads=(a_workload(slo=Slo(target="1s")),)), "workloads[0].slo"),
        (a_plan(workloads=(a_workload(traffic=LOAD, slo=Slo(target="0s")),)), "workloads[0].slo.target"),
        (a_plan(workloads=(a_workload(pod=a_pod(None, None)),)), "workloads[0].pod.containers"),
        (a_plan(workloads=(a_workload(pod=a_pod("5")),)), "workloads[0].pod"),
        (
            a_plan(workloads=(a_workload(pod=a_pod(scaling=PodScalingMarks(enable_ds_eviction=True))),)),
            "workloads[0].pod.scaling.enableDsEviction",
        ),
        (
            a_plan(overprovisioning=(a_reserve(),), cluster_autoscaler=ClusterAutoscalerSettings(enabled=False)),
            "overprovisioning[0]",
        ),
        (a_plan(overprovisioning=(a_reserve(priority=-11),)), "overprovisioning[0].priority"),
        (
            a_plan(overprovisioning=(a_reserve(replicas=0, cluster_share=0.2),)),
            "overprovisioning[0].clusterShare",
        ),
        (
            a_plan(
                overprovisioning=(
                    a_reserve(replicas=0, capacity_buffer=True, room_for=RoomFor(workload="web", percentage=0.5)),
                )
            ),
            "overprovisioning[0].roomFor.percentage",
        ),
        (
            a_plan(
                workloads=(a_workload(pod=a_pod(containers=(container("main"), container("side", memory_share=0.25)))),)
            ),
            "workloads[0].pod.containers[1].memoryShare",
        ),
        (
            a_plan(overprovisioning=(a_reserve(),), priority_classes=(PriorityClass(name="low", value=-1),)),
            "overprovisioning[0].priority",
        ),
        (a_plan(horizontal_pod_autoscalers=(an_hpa(min_replicas=3),)), "workloads[0].replicas"),
        (
            a_plan(workloads=(a_workload(replicas=0),), horizontal_pod_autoscalers=(an_hpa(),)),
            "workloads[0].replicas",
        ),
        (
            a_plan(
                horizontal_pod_autoscalers=(an_hpa(),),
                cluster_autoscaler=ClusterAutoscalerSettings(scale_down_unneeded_time="1m"),
            ),
            "clusterAutoscaler.scaleDownUnneededTime",
        ),
        (autoscaler(expander=("price",)), "nodeGroups[0].pricePerHour"),
        (autoscaler(expander=("priority",)), "clusterAutoscaler.expander"),
        (
            autoscaler(priority_expander=(PriorityTier(priority=1, groups=("pool",)),)),
            "clusterAutoscaler.priorityExpander",
        ),
        (
            autoscaler(expander=("priority",), priority_expander=(PriorityTier(priority=1, groups=("^gpu",)),)),
            "clusterAutoscaler.priorityExpander[0].groups[0]",
        ),
    ],
)
def test_values_that_are_probably_unintended_give_a_hint_at_their_place(plan, where):
    assert places(plan) == [where]


GKE_GPU = {"cloud.google.com/gke-accelerator": "nvidia-l4"}
ONE_GPU = {"nvidia.com/gpu": 1}


@pytest.mark.parametrize(
    ("pool", "settings", "found"),
    [
        ({"extended": ONE_GPU}, {}, ["nodeGroups[0].labels"]),
        ({"extended": ONE_GPU, "labels": GKE_GPU}, {}, []),
        ({"extended": ONE_GPU, "labels": GKE_GPU}, {"gpu_label": "other"}, ["nodeGroups[0].labels"]),
        ({"extended": ONE_GPU, "labels": GKE_GPU}, {"gpu_label": ""}, ["nodeGroups[0].labels"]),
        ({"extended": ONE_GPU}, {"enabled": False}, []),
        ({"extended": {"nvidia.com/gpu": 0}}, {}, []),
        ({"extended": {"amd.com/gpu": 1}}, {}, []),
        (
            {"extended": ONE_GPU, "driver_delay": "1m"},
            {},
            ["nodeGroups[0].driverDelay", "nodeGroups[0].labels"],
        ),
        ({"extended": ONE_GPU, "labels": GKE_GPU, "driver_delay": "1m"}, {}, []),
        ({"extended": {"amd.com/gpu": 1}, "driver_delay": "1m"}, {}, ["nodeGroups[0].driverDelay"]),
    ],
)
def test_the_autoscaler_knows_a_pool_with_gpus_by_its_label(pool, settings, found):
    plan = a_plan(node_groups=(a_node_group(**pool),), cluster_autoscaler=ClusterAutoscalerSettings(**settings))
    assert places(plan) == found


def needing(operator, *values):
    requirement = NodeSelectorRequirement(key="cores", operator=operator, values=values)
    return {"required_node_affinity": (NodeSelectorTerm(match_expressions=(requirement,)),)}


@pytest.mark.parametrize(
    ("group", "pod", "reason"),
    [
        ({}, a_pod("4"), None),
        ({"reserved_cpu": "1m"}, a_pod("4"), "offers 3999m of the 4 CPU"),
        ({}, a_pod("1", "17Gi"), "offers 16Gi of the 17Gi memory"),
        ({"max_size": 0, "initial_size": 0}, a_pod(), "has no nodes"),
        ({}, a_pod(node_selector={"disk": "ssd"}), "lacks the label disk=ssd"),
        ({"labels": {"disk": "ssd"}}, a_pod(node_selector={"disk": "ssd"}), None),
        ({"zone": "a"}, a_pod(node_selector={"topology.kubernetes.io/zone": "a"}), None),
        ({"taints": (Taint(key="gpu", effect="NoSchedule"),)}, a_pod(), "has the taint gpu"),
        ({"taints": (Taint(key="gpu", effect="PreferNoSchedule"),)}, a_pod(), None),
        (
            {"taints": (Taint(key="gpu", effect="NoSchedule"),)},
            a_pod(tolerations=(Toleration(key="gpu", operator="Exists"),)),
            None,
        ),
        (
            {"taints": (Taint(key="gpu", value="a", effect="NoSchedule"),)},
            a_pod(tolerations=(Toleration(key="gpu", value="b"),)),
            "has the taint gpu",
        ),
        ({"labels": {"cores": "8"}}, a_pod(**needing("In", "8", "16")), None),
        ({"labels": {"cores": "8"}}, a_pod(**needing("NotIn", "8")), "node affinity"),
        ({"labels": {"cores": "8"}}, a_pod(**needing("Gt", "7")), None),
        ({"labels": {"cores": "8"}}, a_pod(**needing("Lt", "8")), "node affinity"),
        ({}, a_pod(**needing("Gt", "7")), "node affinity"),
        ({}, a_pod(**needing("Exists")), "node affinity"),
        ({}, a_pod(**needing("DoesNotExist")), None),
    ],
)
def test_a_pod_that_fits_no_empty_node_gives_a_hint_with_the_reason(group, pod, reason):
    plan = a_plan(node_groups=(a_node_group(**group),), workloads=(a_workload(pod=pod),))
    texts = [hint.text for hint in find_hints(plan) if hint.where == "workloads[0].pod"]
    if reason is None:
        assert texts == []
    else:
        assert len(texts) == 1
        assert reason in texts[0]


def test_an_extended_resource_that_no_pool_has_gives_a_hint():
    pod = a_pod()
    container = pod.containers[0].model_copy(update={"limits": Resources(extended={"nvidia.com/gpu": 1})})
    plan = a_plan(workloads=(a_workload(pod=pod.model_copy(update={"containers": (container,)})),))
    assert "offers 0 of the 1 nvidia.com/gpu" in next(find_hints(plan)).text
