"""Affinity, ports, gates, pod-level requests and the scheduler's settings: problems and hints, each with its place."""

import pytest

from planner.matching.taints import TaintEffect
from planner.plan.checks.validate import check_plan
from planner.plan.derived.pod_requests import pod_nonzero, pod_request, pod_score_request, resource_tolerations
from planner.plan.hints.all_hints import find_hints
from planner.plan.model.control_plane import AdmissionSettings
from planner.plan.model.node_groups import Taint
from planner.plan.model.pods.containers import Container, HostPort, InitContainer, Resources
from planner.plan.model.pods.placement import (
    LabelSelector,
    NodeSelectorRequirement,
    PodAffinityTerm,
    TopologySpreadConstraint,
    WeightedPodAffinityTerm,
)
from planner.plan.model.pods.pod_classes import RuntimeClass
from planner.plan.model.pods.pod_template import PodTemplate, SchedulingGate
from planner.plan.model.scheduler import (
    PluginSetting,
    ResourceWeight,
    SchedulerProfileSettings,
    SchedulerSettings,
    ScoringStrategy,
    ShapePoint,
)
from planner.plan.model.workloads import Namespace
from tests.builders import a_node_group, a_plan, a_pod, a_workload, an_hpa

HOSTNAME = "kubernetes.io/hostname"
WEB = LabelSelector(match_labels={"app": "web"})
NONE = Resources()


def places(plan):
    found = list(check_plan(plan))
    assert all(problem.problem.endswith(".") and problem.remedy for problem in found)
    return [problem.where for problem in found]


def with_pod(**settings):
    return a_plan(workloads=(a_workload(pod=a_pod(**settings)),))


def with_profile(**settings):
    return a_plan(scheduler=SchedulerSettings(profiles=(SchedulerProfileSettings(**settings),)))


def with_strategy(**settings):
    return with_profile(scoring_strategy=ScoringStrategy(**settings))


def a_term(key=HOSTNAME, selector=WEB, **settings):
    return PodAffinityTerm(topology_key=key, label_selector=selector, **settings)


def a_container(name, cpu=None, memory=None, **settings):
    return Container(name=name, requests=Resources(cpu=cpu, memory=memory), **settings)


def an_init(name, cpu=None, memory=None, **settings):
    return InitContainer(name=name, requests=Resources(cpu=cpu, memory=memory), **settings)


PORT = HostPort(port=80)
POINTS = (ShapePoint(utilization=50, score=1), ShapePoint(utilization=50, score=2))


@pytest.mark.parametrize(
    ("plan", "where"),
    [
        (with_pod(required_pod_affinity=(a_term("-"),)), "requiredPodAffinity[0].topologyKey"),
        (
            with_pod(required_pod_anti_affinity=(a_term(namespaces=("a b",)),)),
            "requiredPodAntiAffinity[0].namespaces[0]",
        ),
        (
            with_pod(required_pod_affinity=(a_term(selector=None, match_label_keys=("v",)),)),
            "requiredPodAffinity[0].matchLabelKeys",
        ),
        (
            with_pod(required_pod_affinity=(a_term(match_label_keys=("v",), mismatch_label_keys=("v",)),)),
            "requiredPodAffinity[0].mismatchLabelKeys[0]",
        ),
        (
            with_pod(
                required_pod_affinity=(
                    a_term(
                        selector=LabelSelector(match_expressions=(NodeSelectorRequirement(key="a", operator="In"),))
                    ),
                )
            ),
            "requiredPodAffinity[0].labelSelector.matchExpressions[0].values",
        ),
        (
            with_pod(preferred_pod_affinity=(WeightedPodAffinityTerm(weight=0, pod_affinity_term=a_term()),)),
            "preferredPodAffinity[0].weight",
        ),
        (with_pod(runtime_class="kata"), "runtimeClass"),
        (with_pod(zonal_claim=True), "zonalClaim"),
        (with_pod(scheduling_gates=(SchedulingGate(name="a"), SchedulingGate(name="a"))), "schedulingGates[1].name"),
        (with_pod(resources=Resources(cpu="100m")), "resources.cpu"),
        (with_pod(resources=Resources(extended={"a.b/c": 1})), "resources"),
        (with_pod(init_containers=(an_init("main"),)), "initContainers[0].name"),
        (with_pod(containers=(a_container("a", host_ports=(PORT, PORT)),)), "containers[0].hostPorts[1].port"),
        (
            with_pod(
                containers=(a_container("a", host_ports=(PORT,)),),
                init_containers=(an_init("b", host_ports=(PORT,), sidecar=True),),
            ),
            "initContainers[0].hostPorts[0].port",
        ),
        (
            with_pod(containers=(a_container("a", host_ports=(HostPort(port=1, host_ip="here"),)),)),
            "containers[0].hostPorts[0].hostIp",
        ),
    ],
)
def test_what_no_pod_can_have(plan, where):
    assert places(plan) == [f"workloads[0].pod.{where}"]


def test_the_same_port_for_containers_that_never_run_together_is_fine():
    inits = (an_init("b", host_ports=(PORT,)),)
    assert places(with_pod(containers=(a_container("a", host_ports=(PORT,)),), init_containers=inits)) == []


@pytest.mark.parametrize(
    ("plan", "where"),
    [
        (a_plan(scheduler=SchedulerSettings(pod_initial_backoff="20s")), "scheduler.podInitialBackoff"),
        (
            a_plan(scheduler=SchedulerSettings(profiles=(SchedulerProfileSettings(),) * 2)),
            "scheduler.profiles[1].schedulerName",
        ),
        (with_profile(plugins=(PluginSetting(name="NodePorts", weight=2),)), "scheduler.profiles[0].plugins[0].weight"),
        (
            with_profile(plugins=(PluginSetting(name="ImageLocality", enabled=False, weight=2),)),
            "scheduler.profiles[0].plugins[0].weight",
        ),
        (with_profile(plugins=(PluginSetting(name="ImageLocality"),) * 2), "scheduler.profiles[0].plugins[1].name"),
        (with_profile(balanced_resources=("gpu",)), "scheduler.profiles[0].balancedResources[0]"),
        (with_profile(ignored_resources=("cpu",)), "scheduler.profiles[0].ignoredResources[0]"),
        (with_profile(ignored_resource_groups=("a.b/c",)), "scheduler.profiles[0].ignoredResourceGroups[0]"),
        (
            with_profile(min_candidate_nodes_absolute=0, min_candidate_nodes_percentage=0),
            "scheduler.profiles[0].minCandidateNodesAbsolute",
        ),
        (
            with_profile(default_constraints=(TopologySpreadConstraint(max_skew=1, topology_key="zone"),)),
            "scheduler.profiles[0].defaultConstraints",
        ),
        (
            with_profile(
                defaulting_type="List",
                default_constraints=(TopologySpreadConstraint(max_skew=1, topology_key="zone", label_selector=WEB),),
            ),
            "scheduler.profiles[0].defaultConstraints[0].labelSelector",
        ),
        (with_strategy(type="RequestedToCapacityRatio"), "scheduler.profiles[0].scoringStrategy.shape"),
        (with_strategy(shape=POINTS[:1]), "scheduler.profiles[0].scoringStrategy.shape"),
        (
            with_strategy(type="RequestedToCapacityRatio", shape=POINTS),
            "scheduler.profiles[0].scoringStrategy.shape[1].utilization",
        ),
        (
            with_strategy(resources=(ResourceWeight(name="cpu"),) * 2),
            "scheduler.profiles[0].scoringStrategy.resources[1].name",
        ),
        (a_plan(namespaces=(Namespace(name="a"), Namespace(name="a"))), "namespaces[1].name"),
        (
            a_plan(
                admission=AdmissionSettings(limit_pod_hard_anti_affinity_topology=True),
                workloads=(a_workload(pod=a_pod(required_pod_anti_affinity=(a_term(), a_term("zone")))),),
            ),
            "workloads[0].pod.requiredPodAntiAffinity[1].topologyKey",
        ),
        (a_plan(runtime_classes=(RuntimeClass(name="a"), RuntimeClass(name="a"))), "runtimeClasses[1].name"),
    ],
)
def test_what_no_scheduler_can_do(plan, where):
    assert places(plan) == [where]


ZONES = (a_node_group("a", zone="a", max_size=2), a_node_group("b", zone="b", max_size=2))


def zoned(replicas=2, **pod):
    return a_plan(node_groups=ZONES, workloads=(a_workload(replicas=replicas, pod=a_pod(**pod)),))


def a_spread(key, **settings):
    return TopologySpreadConstraint(max_skew=1, topology_key=key, label_selector=WEB, **settings)


@pytest.mark.parametrize(
    ("plan", "where"),
    [
        (with_pod(scheduler_name="mine"), "schedulerName"),
        (with_pod(scheduling_gates=(SchedulingGate(name="a"),)), "schedulingGates[0].removedAt"),
        (with_pod(scheduling_gates=(SchedulingGate(name="a", removed_at="2h"),)), "schedulingGates[0].removedAt"),
        (zoned(topology_spread_constraints=(a_spread("rack"),)), "topologySpreadConstraints[0].topologyKey"),
        (
            zoned(topology_spread_constraints=(a_spread("topology.kubernetes.io/zone", min_domains=3),)),
            "topologySpreadConstraints[0].minDomains",
        ),
        (zoned(required_pod_affinity=(a_term("rack"),)), "requiredPodAffinity[0].topologyKey"),
        (zoned(required_pod_anti_affinity=(a_term("rack"),)), "requiredPodAntiAffinity[0].topologyKey"),
        (zoned(5, required_pod_anti_affinity=(a_term(),)), "requiredPodAntiAffinity[0]"),
        (zoned(3, required_pod_anti_affinity=(a_term("topology.kubernetes.io/zone"),)), "requiredPodAntiAffinity[0]"),
        (zoned(5, containers=(a_container("a", "1", "1Gi", host_ports=(PORT,)),)), "containers"),
    ],
)
def test_settings_that_leave_pods_pending_give_a_hint(plan, where):
    assert [hint.where for hint in find_hints(plan)] == [f"workloads[0].pod.{where}"]


def test_replicas_that_an_autoscaler_may_want_count_too():
    pod = a_pod(required_pod_anti_affinity=(a_term(),))
    plan = a_plan(node_groups=ZONES, workloads=(a_workload(pod=pod),), horizontal_pod_autoscalers=(an_hpa(),))
    (hint,) = (one for one in find_hints(plan) if one.where.startswith("workloads"))
    assert hint.text == "At most one pod goes to each of 4 nodes; 6 of 10 stay pending."


@pytest.mark.parametrize(
    "pod",
    [
        {"required_pod_anti_affinity": (a_term(),)},
        {"required_pod_anti_affinity": (a_term(selector=LabelSelector(match_labels={"app": "db"})),)},
        {"topology_spread_constraints": (a_spread("topology.kubernetes.io/zone", min_domains=2),)},
    ],
)
def test_what_has_room_is_no_hint(pod):
    assert list(find_hints(zoned(4, **pod))) == []


@pytest.mark.parametrize(
    ("pod", "expected"),
    [
        ({"containers": (a_container("a", "1"), a_container("b", "500m"))}, 1500),
        ({"containers": (a_container("a", "1"),), "init_containers": (an_init("i", "2"),)}, 2000),
        ({"containers": (a_container("a", "1"),), "init_containers": (an_init("s", "500m", sidecar=True),)}, 1500),
        (
            {
                "containers": (a_container("a", "1"),),
                "init_containers": (an_init("s", "500m", sidecar=True), an_init("i", "2")),
            },
            2500,
        ),
        (
            {
                "containers": (a_container("a", "1"),),
                "init_containers": (an_init("i", "2"), an_init("s", "500m", sidecar=True)),
            },
            2000,
        ),
        ({"containers": (a_container("a", "1"),), "resources": Resources(cpu="3")}, 3000),
    ],
)
def test_a_pod_asks_for_the_most_it_needs_at_once(pod, expected):
    template = PodTemplate(**pod)
    assert pod_request(template, NONE)["cpu"] == expected
    assert pod_request(template, Resources(cpu="10m"))["cpu"] == expected + 10


def test_pod_level_requests_count_everywhere_but_in_the_score_of_the_pod_to_place():
    pod = PodTemplate(resources=Resources(cpu="1"))
    assert pod_request(pod, NONE) == {"cpu": 1000}
    assert pod_nonzero(pod, NONE) == (1000, 200 << 20)
    assert pod_score_request(pod, NONE) == {"cpu": 100, "memory": 200 << 20}


def test_a_pod_tolerates_the_extended_resources_it_asks_for():
    gpu = Container(limits=Resources(extended={"nvidia.com/gpu": 1}))
    assert [toleration.key for toleration in resource_tolerations(PodTemplate(containers=(gpu,)))] == ["nvidia.com/gpu"]


@pytest.mark.parametrize(
    ("pod", "problem"),
    [
        ({"node_name": "Pool_1"}, "is not a valid node name"),
        (
            {"node_name": "pool-0001", "scheduling_gates": ({"name": "example.com/wait"},)},
            "cannot have scheduling gates",
        ),
    ],
)
def test_a_node_name_must_be_one_and_leaves_the_scheduler_nothing_to_wait_for(pod, problem):
    found = list(check_plan(a_plan(workloads=(a_workload(pod=a_pod(**pod)),))))
    assert [one.where for one in found] == ["workloads[0].pod.nodeName"]
    assert problem in found[0].problem


@pytest.mark.parametrize(
    ("name", "pod", "text"),
    [
        ("pool-0001", {}, None),
        ("pool-12345", {}, "until pool-12345 joins, the pods are removed"),
        ("pool-1", {}, "No pool has a node called pool-1"),
        ("other-0001", {}, "No pool has a node called other-0001"),
        ("tainted-0001", {}, None),
        ("pool-0001", {"cpu": "5"}, "offers 4 of the 5 CPU, so its kubelet fails every one"),
        ("pool-0001", {"scheduler_name": "nobody"}, None),
        ("pool-0001", {"node_selector": {"disk": "ssd"}}, "lacks the label disk=ssd, so its kubelet"),
        ("broken-0001", {}, "has the taint broken, so its kubelet"),
    ],
)
def test_what_a_node_named_by_a_template_does_to_its_pods_is_said(name, pod, text):
    """A kubelet looks at room, labels and NoExecute taints; no scheduler is involved."""
    taints = [("tainted", TaintEffect.NO_SCHEDULE), ("broken", TaintEffect.NO_EXECUTE)]
    pools = [a_node_group(key, taints=(Taint(key=key, effect=effect),)) for key, effect in taints]
    plan = a_plan(node_groups=(a_node_group(), *pools), workloads=(a_workload(pod=a_pod(**{"node_name": name} | pod)),))
    hints = [hint.text for hint in find_hints(plan) if hint.where.startswith("workloads[0].pod")]
    assert len(hints) == (text is not None) and (text is None or text in hints[0])
