"""What kubelets read of a workload's pods."""

import pytest

from planner.nodes.kubelet.qos import QosClass
from planner.nodes.kubelet.ranking import is_critical
from planner.plan.model.pods.pod_template import PodTemplate
from planner.simulation.compile.kubelet_profiles import disk_profile, memory_profile, pod_qos
from planner.simulation.simulation import Simulation
from planner.state.resources import PODS
from planner.units import GIB, MIB
from tests.builders import a_plan
from tests.planner.nodes.small_plan import a_group, a_workload
from tests.planner.nodes.small_plan import a_plan as a_small_plan

BOTH = {"cpu": "1", "memory": "1Gi"}
MEMORY_ONLY = {"memory": "256Mi"}


def container(**parts):
    return {"name": "main", **parts}


@pytest.mark.parametrize(("pod", "expected"), [
    pytest.param({"containers": [container(limits=BOTH)]}, QosClass.GUARANTEED, id="limits are requests too"),
    pytest.param({"containers": [container()], "limits": BOTH}, QosClass.GUARANTEED, id="also those of the pod"),
    pytest.param({"containers": [container(requests=MEMORY_ONLY)], "limits": BOTH}, QosClass.BURSTABLE,
                 id="containers fill in before the pod's limits"),
    pytest.param({"containers": [container(limits=BOTH)], "resources": BOTH}, QosClass.BURSTABLE,
                 id="a request of the pod hides the containers"),
])  # fmt: skip
def test_quality_of_service(pod, expected):
    assert pod_qos(PodTemplate.model_validate(pod)) is expected


def profiles(**parts):
    """Memory and disk as the kubelet knows them of pods whose runtime class costs 64Mi besides."""
    plan = a_plan(
        workloads=[a_workload("web", 1, pod={"runtimeClass": "kata", **parts})],
        runtime_classes=[{"name": "kata", "overhead": {"memory": "64Mi"}}],
    )
    item, spec = plan.workloads[0], Simulation(plan, 1).cluster.pod_specs[0]
    overhead = plan.runtime_classes[0].overhead
    return memory_profile(item, spec, overhead), disk_profile(item, spec, overhead)


@pytest.mark.parametrize(("parts", "expected"), [
    pytest.param({"containers": [container(requests=MEMORY_ONLY)]}, 320 * MIB, id="with the overhead"),
    pytest.param({"containers": [container()]}, 0, id="overhead alone is no request"),
    pytest.param({"containers": [container(requests=BOTH)], "resources": {"cpu": "2"}}, 0,
                 id="a pod-level request of CPU alone hides the memory of the containers"),
])  # fmt: skip
def test_the_request_by_which_pods_are_ranked(parts, expected):
    assert profiles(**parts)[0].request == expected


def test_limits_of_scratch_space_count_those_of_init_containers():
    needs = {"limits": {"ephemeralStorage": "1Gi"}}
    _, disk = profiles(
        containers=[container(**needs)],
        initContainers=[{"name": "unpack", "limits": {"ephemeralStorage": "3Gi"}}],
    )
    assert (disk.limit, disk.container_limits, disk.least_limit) == (3 * GIB, (GIB,), GIB)


def test_static_pods_are_critical_whatever_their_priority():
    agent = a_workload("agent", 1, kind="DaemonSet", pod={"scaling": {"staticPod": True}})
    specs = Simulation(a_small_plan(workloads=[agent, a_workload("web", 1)]), 1).cluster.pod_specs
    assert [is_critical(spec) for spec in specs] == [True, False]


def test_pods_per_core_bound_the_pods_of_a_node():
    plan = a_small_plan(nodeGroups=[a_group("pool", 1, kubelet={"podsPerCore": 10})])
    cluster = Simulation(plan, 1).cluster
    assert int(cluster.node_specs[0].allocatable[PODS]) == 40
