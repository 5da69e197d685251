"""Pods whose template names their node: bound without a scheduler, failed without room, removed without node."""

import pytest

from planner.plan.model.node_groups import Taint
from planner.plan.model.pods.containers import Container, HostPort, Resources
from planner.plan.model.pods.placement import NodeSelectorRequirement, NodeSelectorTerm, Toleration
from planner.plan.model.pods.pod_template import PodTemplate
from planner.plan.model.scheduler import SchedulerSettings
from planner.plan.model.workloads import WorkloadKind
from planner.record.decisions import Actor, Verdict
from planner.record.text.explain import why
from planner.simulation.run import run_plan
from planner.units import US_PER_S
from tests.builders import a_node_group, a_plan, a_pod, a_workload

POOL = a_node_group(initial_size=2, min_size=2, max_size=2)


def run(seconds=30, pool=POOL, workloads=None, **settings):
    plan = a_plan(**({"node_groups": (pool,), "workloads": workloads, "scheduler": SchedulerSettings()} | settings))
    return run_plan(plan, until_us=seconds * US_PER_S)


def pinned(name="web", node="pool-0002", replicas=2, cpu="250m", **pod):
    return a_workload(name, replicas=replicas, pod=a_pod(cpu, node_name=node, **pod))


def texts_of(result, actor):
    return [why(decision) for decision in result.decisions if decision.actor is actor]


def test_pods_run_on_the_node_they_name_and_no_scheduler_sees_them():
    result = run(workloads=(pinned(replicas=3, scheduler_name="missing"),))
    assert [pod["node"] for pod in result.pods] == ["pool-0002"] * 3
    assert texts_of(result, Actor.SCHEDULER) == []


def test_they_count_for_the_scheduler_at_once():
    result = run(workloads=(pinned("pinned", "pool-0001", 1, "3500m"), a_workload("free", pod=a_pod("1"))))
    assert [pod["node"] for pod in result.pods if pod["workload"] == "free"] == ["pool-0002"] * 2


@pytest.mark.parametrize(
    ("pool", "pod", "reason"),
    [
        ({}, {"cpu": "3"}, "OutOfcpu"),
        ({}, {"memory": "10Gi"}, "OutOfmemory"),
        ({"pods": 1}, {}, "OutOfpods"),
        ({"extended": {"example.com/gpu": 1}}, {"resources": {"example.com/gpu": 1}}, "OutOfexample.com/gpu"),
    ],
)
def test_a_pod_without_room_fails_a_second_later_and_is_replaced(pool, pod, reason):
    extended = pod.pop("resources", None)
    template = a_pod(node_name="pool-0001", **pod)
    if extended:
        whole = template.containers[0].model_copy(update={"requests": Resources(cpu="250m", extended=extended)})
        template = template.model_copy(update={"containers": (whole,)})
    full = a_node_group(initial_size=1, min_size=1, max_size=1, **pool)
    result = run(3, full, (a_workload(replicas=2, pod=template),))
    ended = [(at["created_s"], at["ended_s"], at["reason"]) for at in result.pods if at["ended_s"] is not None]
    assert ended == [(0.0, 1.0, "Failed"), (1.0, 2.0, "Failed"), (2.0, 3.0, "Failed")]
    assert texts_of(result, Actor.KUBELET) == [f"Rejected by the kubelet of pool-0001: {reason}"] * 3


def test_a_pod_whose_node_does_not_match_its_affinity_fails():
    term = NodeSelectorTerm(match_expressions=(NodeSelectorRequirement(key="disk", operator="Exists"),))
    result = run(1, workloads=(pinned(replicas=1, required_node_affinity=(term,)),))
    assert texts_of(result, Actor.KUBELET) == ["Rejected by the kubelet of pool-0002: NodeAffinity"]


def test_a_pod_whose_host_port_is_taken_fails():
    container = Container(requests=Resources(cpu="1m"), host_ports=(HostPort(port=80),))
    template = PodTemplate(containers=(container,), node_name="pool-0001")
    result = run(2, workloads=(a_workload(replicas=2, pod=template),))
    assert texts_of(result, Actor.KUBELET) == ["Rejected by the kubelet of pool-0001: NodePorts"] * 2
    assert [pod["node"] for pod in result.pods if pod["ended_s"] is None and pod["node"]] == ["pool-0001"]


@pytest.mark.parametrize(
    ("effect", "tolerations", "expected"),
    [
        pytest.param("NoExecute", (), 1, id="NoExecute"),
        pytest.param("NoExecute", (Toleration(key="down", operator="Exists"),), 0, id="NoExecute, tolerated"),
        pytest.param("NoSchedule", (), 0, id="NoSchedule is the scheduler's business"),
    ],
)
def test_a_pod_fails_on_a_node_whose_taint_would_drive_it_away(effect, tolerations, expected):
    pool = a_node_group(initial_size=1, min_size=1, max_size=1, taints=(Taint(key="down", effect=effect),))
    result = run(1, pool, (pinned(node="pool-0001", replicas=1, tolerations=tolerations),))
    assert texts_of(result, Actor.KUBELET) == ["Rejected by the kubelet of pool-0001: TaintToleration"] * expected


def test_a_pod_of_a_node_that_does_not_exist_is_removed_by_the_garbage_collector_and_made_again():
    result = run(121, workloads=(pinned(node="pool-0009", replicas=1),))
    times = [(pod["created_s"], pod["ended_s"], pod["reason"]) for pod in result.pods]
    assert times == [(0.0, 60.0, "NodeRemoved"), (60.0, 120.0, "NodeRemoved"), (120.0, None, None)]
    assert texts_of(result, Actor.CONTROLLER)[0] == "Removed without having run on pool-0009: node does not exist"
    assert [d for d in result.decisions if d.verdict in (Verdict.TRIGGERED, Verdict.NOT_TRIGGERED)] == []


def test_a_daemon_set_with_a_node_name_runs_there_alone():
    daemon = a_workload(kind=WorkloadKind.DAEMON_SET, pod=a_pod(node_name="pool-0001"))
    assert [pod["node"] for pod in run(workloads=(daemon,)).pods] == ["pool-0001"]
