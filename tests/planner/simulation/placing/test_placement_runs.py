"""Settings of placement act in a run: each changes where or when pods land."""

from collections import Counter

import pytest

from planner.plan.model.control_plane import AdmissionSettings
from planner.plan.model.node_groups import Taint
from planner.plan.model.pods.containers import Container, HostPort, InitContainer, Resources
from planner.plan.model.pods.placement import (
    LabelSelector,
    PodAffinityTerm,
    TopologySpreadConstraint,
    WeightedPodAffinityTerm,
)
from planner.plan.model.pods.pod_classes import RuntimeClass
from planner.plan.model.pods.pod_template import SchedulingGate
from planner.plan.model.scheduler import PluginSetting, SchedulerProfileSettings, SchedulerSettings, ScoringStrategy
from planner.plan.model.workloads import Namespace
from planner.record.decisions import Verdict
from planner.simulation.run import run_plan
from planner.units import US_PER_S
from tests.builders import a_node_group, a_plan, a_pod, a_workload

HOSTNAME = "kubernetes.io/hostname"
POOL = a_node_group(initial_size=3, max_size=3, min_size=3)
PACK = ScoringStrategy(type="MostAllocated")


def run(minutes=1, **settings):
    plan = a_plan(**({"node_groups": (POOL,), "scheduler": SchedulerSettings(deterministic_ties=True)} | settings))
    return run_plan(plan, until_us=minutes * 60 * US_PER_S)


def pods_per_node(result, workload="web"):
    placed = [pod["node"] for pod in result.pods if pod["workload"] == workload and pod["node"]]
    return sorted(Counter(placed).values(), reverse=True)


def profile(**settings):
    return {"scheduler": SchedulerSettings(deterministic_ties=True, profiles=(SchedulerProfileSettings(**settings),))}


def own(**settings):
    return PodAffinityTerm(topology_key=HOSTNAME, label_selector=LabelSelector(match_labels={"app": "web"}), **settings)


def web(replicas=3, cpu="250m", **pod):
    return {"workloads": (a_workload(replicas=replicas, pod=a_pod(cpu, **pod)),)}


NO_SPREAD = {"plugins": (PluginSetting(name="PodTopologySpread", enabled=False),)}


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        (web(), [1, 1, 1]),
        (web() | profile(scoring_strategy=PACK, **NO_SPREAD), [3]),
        (
            web()
            | profile(
                defaulting_type="List",
                plugins=(
                    PluginSetting(name="NodeResourcesFit", enabled=False),
                    PluginSetting(name="NodeResourcesBalancedAllocation", enabled=False),
                ),
            ),
            [3],
        ),
        (
            web()
            | profile(
                scoring_strategy=PACK,
                defaulting_type="List",
                default_constraints=(TopologySpreadConstraint(max_skew=1, topology_key=HOSTNAME),),
            ),
            [1, 1, 1],
        ),
        (web(4, required_pod_anti_affinity=(own(),)), [1, 1, 1]),
        (web(required_pod_affinity=(own(),)), [3]),
        (
            web(preferred_pod_affinity=(WeightedPodAffinityTerm(weight=100, pod_affinity_term=own()),))
            | profile(plugins=(PluginSetting(name="InterPodAffinity", weight=50),)),
            [3],
        ),
        (
            web(4, containers=(Container(requests=Resources(cpu="1", memory="1Gi"), host_ports=(HostPort(port=80),)),)),
            [1, 1, 1],
        ),
        (web(6, "2", init_containers=(InitContainer(name="big", requests=Resources(cpu="3")),)), [1, 1, 1]),
        (
            web(6, "1", init_containers=(InitContainer(name="side", requests=Resources(cpu="2"), sidecar=True),)),
            [1, 1, 1],
        ),
        (web(6, "1", resources=Resources(cpu="3")), [1, 1, 1]),
        (
            web(6, "1", runtime_class="vm")
            | {"runtime_classes": (RuntimeClass(name="vm", overhead=Resources(cpu="2")),)},
            [1, 1, 1],
        ),
    ],
)
def test_where_pods_land(settings, expected):
    assert pods_per_node(run(**settings)) == expected


def test_images_on_a_pool_attract_the_pods_that_use_them():
    pools = (
        a_node_group("bare", initial_size=1, max_size=1, min_size=1),
        a_node_group("warm", initial_size=1, max_size=1, min_size=1, images={"shop": 800 << 20}),
    )
    container = Container(image="shop", requests=Resources(cpu="100m", memory="64Mi"))
    result = run(node_groups=pools, **web(1, containers=(container,)))
    assert [pod["node"] for pod in result.pods] == ["warm-0001"]


@pytest.mark.parametrize(("labels", "expected"), [({"team": "a"}, [2]), ({}, [1, 1])])
def test_a_namespace_selector_reads_the_labels_of_the_plan(labels, expected):
    selector = LabelSelector(match_labels={"team": "a"})
    term = PodAffinityTerm(topology_key=HOSTNAME, label_selector=LabelSelector(), namespace_selector=selector)
    pools = (a_node_group(initial_size=2, max_size=2, min_size=2),)
    workloads = (
        a_workload("db", namespace="data", replicas=1, pod=a_pod()),
        a_workload(replicas=2, pod=a_pod(required_pod_anti_affinity=(term,))),
    )
    result = run(node_groups=pools, workloads=workloads, namespaces=(Namespace(name="data", labels=labels),))
    assert pods_per_node(result) == expected


def test_pods_wait_for_their_scheduling_gates_and_no_node_is_bought_for_them():
    gates = (SchedulingGate(name="foo", removed_at="30s"), SchedulingGate(name="bar", removed_at="90s"))
    result = run(3, node_groups=(a_node_group(max_size=5),), **web(2, scheduling_gates=gates))
    assert [pod["scheduled_s"] for pod in result.pods] == [90.0, 90.0]
    assert not any(decision.verdict is Verdict.TRIGGERED for decision in result.decisions)
    gated = dict(zip(result.time_us.tolist(), result.series["scheduler_gated_count"], strict=True))
    assert (gated[0], gated[75 * US_PER_S], gated[90 * US_PER_S]) == (2.0, 2.0, 0.0)


def test_pods_of_an_unknown_scheduler_are_never_placed():
    assert pods_per_node(run(**web(2, scheduler_name="mine"))) == []


def test_each_profile_follows_its_own_strategy():
    profiles = (
        SchedulerProfileSettings(),
        SchedulerProfileSettings(scheduler_name="packer", scoring_strategy=PACK, **NO_SPREAD),
    )
    workloads = (a_workload(replicas=3), a_workload("batch", replicas=3, pod=a_pod(scheduler_name="packer")))
    result = run(workloads=workloads, scheduler=SchedulerSettings(deterministic_ties=True, profiles=profiles))
    assert (pods_per_node(result), pods_per_node(result, "batch")) == ([1, 1, 1], [3])


@pytest.mark.parametrize(("enabled", "expected"), [(True, [1]), (False, [])])
def test_extended_resource_toleration_opens_gpu_pools(enabled, expected):
    pool = a_node_group(
        initial_size=1,
        max_size=1,
        min_size=1,
        extended={"nvidia.com/gpu": 1},
        taints=(Taint(key="nvidia.com/gpu", effect="NoSchedule"),),
    )
    container = Container(limits=Resources(cpu="1", memory="1Gi", extended={"nvidia.com/gpu": 1}))
    admission = AdmissionSettings(extended_resource_toleration=enabled)
    assert pods_per_node(run(node_groups=(pool,), admission=admission, **web(1, containers=(container,)))) == expected


@pytest.mark.parametrize(("cpu", "expected"), [("1", [1]), (None, [])])
def test_pods_with_requests_tolerate_memory_pressure_where_admission_says_so(cpu, expected):
    taint = Taint(key="node.kubernetes.io/memory-pressure", effect="NoSchedule")
    pool = a_node_group(initial_size=1, max_size=1, min_size=1, taints=(taint,))
    admission = AdmissionSettings(memory_pressure_toleration=True)
    workloads = (a_workload(replicas=1, pod=a_pod(cpu, None)),)
    assert pods_per_node(run(node_groups=(pool,), admission=admission, workloads=workloads)) == expected


def test_drawn_ties_depend_on_the_seed_and_on_nothing_else():
    plan = a_plan(node_groups=(a_node_group(initial_size=8, max_size=8, min_size=8),), **web(3))
    runs = [[pod["node"] for pod in run_plan(plan, seed=seed, until_us=US_PER_S).pods] for seed in (1, 1, 2, 3)]
    assert runs[0] == runs[1]
    assert len({tuple(nodes) for nodes in runs}) > 1
