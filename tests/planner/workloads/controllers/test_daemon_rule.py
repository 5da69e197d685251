"""Which nodes a DaemonSet runs on, and what its controller makes of it."""

from dataclasses import replace

import pytest

from planner.engine.queue import EventQueue
from planner.matching.selectors import SelectorOperator
from planner.matching.taints import NodeTaint, TaintEffect
from planner.matching.taints import TolerationOperator as Operator
from planner.plan.model.pods.placement import NodeSelectorRequirement, NodeSelectorTerm, Toleration
from planner.state.cluster import Cluster
from planner.state.resources import MEMORY, ResourceAxis
from planner.state.specs import NodeSpec, PodPlacement, PodSpec
from planner.workloads.controllers.daemon_rule import daemon_tolerations, daemon_verdict
from planner.workloads.controllers.pod_lifecycle import PodLifecycle
from planner.workloads.controllers.replica_sets import DaemonSetController

NOT_READY = "node.kubernetes.io/not-ready"
NETWORK = "node.kubernetes.io/network-unavailable"
NO_SCHEDULE, NO_EXECUTE, PREFER = TaintEffect.NO_SCHEDULE, TaintEffect.NO_EXECUTE, TaintEffect.PREFER_NO_SCHEDULE


@pytest.mark.parametrize(
    ("taint", "host_network", "verdict"),
    [
        (NodeTaint("dedicated", "", NO_SCHEDULE), False, (False, True)),
        (NodeTaint("dedicated", "", NO_EXECUTE), False, (False, False)),
        (NodeTaint("dedicated", "", PREFER), False, (True, True)),
        (NodeTaint(NOT_READY, "", NO_EXECUTE), False, (True, True)),
        (NodeTaint(NOT_READY, "", NO_SCHEDULE), False, (False, True)),
        (NodeTaint("node.kubernetes.io/unschedulable", "", NO_SCHEDULE), False, (True, True)),
        (NodeTaint("node.kubernetes.io/memory-pressure", "", NO_EXECUTE), False, (False, False)),
        (NodeTaint(NETWORK, "", NO_SCHEDULE), False, (False, True)),
        (NodeTaint(NETWORK, "", NO_SCHEDULE), True, (True, True)),
    ],
)
def test_taints(taint, host_network, verdict):
    rules = PodPlacement(tolerations=daemon_tolerations((), host_network))
    assert daemon_verdict(rules, {}, (taint,), "n1") == verdict


NAMED_N1 = NodeSelectorTerm(
    match_fields=(NodeSelectorRequirement(key="metadata.name", operator=SelectorOperator.IN, values=("n1",)),)
)


@pytest.mark.parametrize(
    ("selector", "terms", "wanted", "runs"),
    [
        ({"pool": "a"}, (), "", True),
        ({"pool": "b"}, (), "", False),
        ({}, (NAMED_N1,), "", True),
        ({}, (NodeSelectorTerm(),), "", False),
        ({}, (), "n1", True),
        ({}, (), "other", False),
    ],
)
def test_a_node_that_does_not_match_keeps_no_pod(selector, terms, wanted, runs):
    rules = PodPlacement(node_selector=selector, required_terms=terms, node_name=wanted)
    assert daemon_verdict(rules, {"pool": "a"}, (), "n1") == (runs, runs)


def test_an_added_toleration_replaces_an_equal_one_in_place():
    own = Toleration(key=NOT_READY, operator=Operator.EXISTS, effect=NO_EXECUTE)
    everything = Toleration(operator=Operator.EXISTS)
    tolerations = daemon_tolerations((own, everything), host_network=False)
    assert len(tolerations) == 7
    assert tolerations[:2] == (own, everything)


def _world() -> tuple[Cluster, DaemonSetController]:
    events = EventQueue()
    cluster = Cluster(events, ResourceAxis())
    group = cluster.add_group("pool", 0, 10)
    amounts = cluster.axis.amounts({"cpu": 4000, "memory": 16 << 30, "pods": 110})
    cluster.node_specs.append(NodeSpec(0, group, amounts, amounts, {}))
    cluster.add_workload("agent")
    request = cluster.axis.amounts({"cpu": 100, "memory": 1 << 27})
    placement = PodPlacement(tolerations=daemon_tolerations((), host_network=False))
    small = request[: MEMORY + 1].copy()
    spec = PodSpec(0, 0, "default", {"app": "agent"}, request, small, is_daemon=True, placement=placement)
    cluster.pod_specs.append(spec)
    return cluster, DaemonSetController(cluster, events, PodLifecycle(cluster, events), [spec])


@pytest.mark.parametrize(("effect", "left"), [(NO_SCHEDULE, 1), (NO_EXECUTE, 0), (PREFER, 1)])
def test_only_a_no_execute_taint_takes_a_running_pod_away(effect, left):
    cluster, controller = _world()
    node = cluster.request_node(0)
    cluster.register_node(node)
    assert controller.reconcile()
    cluster.set_taints(node, (NodeTaint("maintenance", "", effect),))
    controller.reconcile()
    assert cluster.workloads.active[0] == left


def test_a_tainted_node_gets_no_pod_and_a_cordoned_one_does():
    cluster, controller = _world()
    tainted, cordoned = cluster.request_node(0), cluster.request_node(0)
    for node in (tainted, cordoned):
        cluster.register_node(node)
    cluster.set_taints(tainted, (NodeTaint("maintenance", "", NO_SCHEDULE),))
    cluster.set_unschedulable(cordoned, True)
    controller.reconcile()
    assert [int(cluster.pods.pinned[pod]) for pod in cluster.workload_pods[0]] == [cordoned]


def test_the_desired_number_is_that_of_the_nodes_that_should_run_a_pod():
    cluster, controller = _world()
    nodes = [cluster.request_node(0) for _ in range(3)]
    for node in nodes:
        cluster.register_node(node)
    controller.reconcile()
    assert cluster.workloads.desired[0] == 3
    cluster.set_taints(nodes[0], (NodeTaint("ToBeDeletedByClusterAutoscaler", "", NO_SCHEDULE),))
    controller.reconcile()
    assert (cluster.workloads.desired[0], cluster.workloads.active[0]) == (2, 3)


def test_nodes_that_come_at_once_get_their_pods_by_group_and_then_by_age():
    cluster, controller = _world()
    group = cluster.add_group("big", 0, 10)
    cluster.node_specs.append(replace(cluster.node_specs[0], index=1, group=group))
    pool, big = cluster.request_node(0), cluster.request_node(1)
    for node in (pool, big):
        cluster.register_node(node)
    controller.reconcile()
    assert [int(cluster.pods.pinned[pod]) for pod in cluster.workload_pods[0]] == [big, pool]
