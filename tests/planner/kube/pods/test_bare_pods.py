"""Pods without a controller, with an unknown one, of a ReplicationController, and those of kubelets, as imported."""

import pytest

from planner.errors import ImportProblems
from planner.plan.model.workloads import WorkloadKind
from planner.simulation.simulation import Simulation
from tests.planner.kube.manifests import a_deployment, a_node, imported_objects, losses_of
from tests.planner.nodes.small_plan import run_of


def a_pod(name, cpu="100m", node=None, owner=None, created=None, **metadata):
    """A pod of one container; `owner`: kind and name of its controller."""
    references = [{"apiVersion": "x/v1", "kind": owner[0], "name": owner[1], "controller": True}] if owner else None
    found = {
        "name": name, "ownerReferences": references, "creationTimestamp": created, "namespace": "default", **metadata,
    }  # fmt: skip
    spec = {"containers": [{"name": "main", "resources": {"requests": {"cpu": cpu, "memory": "64Mi"}}}]}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {key: value for key, value in found.items() if value is not None},
        "spec": spec | ({"nodeName": node} if node else {}),
        "status": {"phase": "Running" if node else "Pending"},
    }


def a_mirror(name, node):
    """What the API shows of a static pod."""
    mark = {"kubernetes.io/config.mirror": "0123"}
    pod = a_pod(f"{name}-{node}", node=node, owner=("Node", node), annotations=mark)
    pod["spec"]["tolerations"] = [{"operator": "Exists", "effect": "NoExecute"}]
    return pod


def kinds_of(plan):
    """Name, kind, controller and number of pods of every workload."""
    return [(one.name, one.kind.value, one.custom_controller, one.replicas) for one in plan.workloads]


def test_pods_without_controller_have_a_kind_of_their_own():
    pods = [a_pod("a", node="node-1"), a_pod("b", node="node-1"), a_pod("c", owner=("Workflow", "build"))]
    result = imported_objects(a_node("node-1"), *pods)
    assert kinds_of(result.plan) == [("a", "Pod", "", 2), ("build", "Pod", "Workflow", 1)]
    assert result.plan.workloads[0].starts_on == {"nodes-0001": 2}


@pytest.mark.parametrize("owner", [None, ("Workflow", "build")])
def test_a_pod_that_is_going_and_that_nothing_replaces_is_left_out(owner):
    going = a_pod("b", node="node-1", owner=owner, deletionTimestamp="2026-01-01T00:00:00Z")
    result = imported_objects(a_node("node-1"), a_pod("a", node="node-1"), going)
    assert [one.name for one in result.plan.workloads] == ["a"]


def test_pods_of_known_kinds_still_make_such_a_workload():
    pods = [a_pod(f"web-{n}", node="node-1", owner=("ReplicaSet", "web")) for n in range(3)]
    assert kinds_of(imported_objects(a_node("node-1"), *pods).plan) == [("web", "Deployment", "", 3)]


def test_a_replication_controller_is_a_workload_that_counts_its_pods():
    controller = a_deployment("old", replicas=3) | {"apiVersion": "v1", "kind": "ReplicationController"}
    pods = [a_pod(f"old-{n}", node="node-1", owner=("ReplicationController", "old")) for n in range(3)]
    result = imported_objects(a_node("node-1"), controller, *pods)
    assert kinds_of(result.plan) == [("old", "Deployment", "", 3)]
    assert result.plan.workloads[0].starts_on == {"nodes-0001": 3}


def test_sixty_nodes_with_one_static_pod_each_stay_sixty_pods():
    nodes = [a_node(f"node-{n:02d}") for n in range(60)]
    mirrors = [a_mirror("kube-proxy", f"node-{n:02d}") for n in range(60)]
    plan = imported_objects(*nodes, *mirrors).plan
    [proxy] = plan.workloads
    assert (proxy.name, proxy.kind, proxy.node_groups) == ("kube-proxy", WorkloadKind.STATIC_POD, ())
    cluster = run_of(plan, 30).cluster
    assert cluster.pods.count == 60 and sorted(cluster.pods.node[:60].tolist()) == list(range(60))


def test_static_pods_of_some_nodes_belong_to_the_pools_of_these():
    nodes = [a_node(name, labels={"nodepool": pool}) for name, pool in (("m-1", "masters"), ("w-1", "workers"))]
    result = imported_objects(*nodes, a_mirror("etcd", "m-1"), a_mirror("gone", "x-1"))
    assert [(one.name, one.node_groups) for one in result.plan.workloads] == [("etcd", ("masters",))]
    assert losses_of(result)["Pod", ""] == 1


def test_bare_pods_that_wait_keep_their_order_of_creation():
    """Of large and small pods in turn other ones fit than of all large ones first."""
    made = [a_pod(f"p-{n}", cpu="3" if n % 2 else "1", created=f"2026-01-01T00:00:{n:02d}Z") for n in range(6)]
    plan = imported_objects(a_node("node-1"), *reversed(made)).plan
    sim = Simulation(plan, 1)
    sim.start()
    names = [sim.cluster.workload_names[row] for row in sim.cluster.pods.workload[:6]]
    assert names == [f"p-{n}" for n in range(6)]
    assert [one.replicas for one in plan.workloads] == [1] * 6


def test_equal_bare_pods_in_a_row_are_one_workload():
    sizes = ["1", "1", "2", "2", "1"]
    plan = imported_objects(a_node("node-1"), *(a_pod(f"p-{n}", cpu=cpu) for n, cpu in enumerate(sizes))).plan
    assert [(one.name, one.replicas) for one in plan.workloads] == [("p-0", 2), ("p-2", 2), ("p-4", 1)]


def test_volume_limits_come_from_csi_nodes_and_volumes_from_claims_and_their_class():
    def a_csi_node(name, count):
        drivers = [
            {"name": "ebs.csi.aws.com", "nodeID": name, "allocatable": {"count": count}},
            {"name": "x", "nodeID": "y"},
        ]
        return {
            "apiVersion": "storage.k8s.io/v1",
            "kind": "CSINode",
            "metadata": {"name": name},
            "spec": {"drivers": drivers},
        }

    storage = {"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "provisioner": "ebs.csi.aws.com"}
    fast = storage | {"metadata": {"name": "fast"}}
    claim = {"metadata": {"name": "data"}, "spec": {"storageClassName": "fast"}}
    other = {"metadata": {"name": "log"}, "spec": {"storageClassName": "unknown"}}
    store = a_deployment("store") | {"kind": "StatefulSet"}
    store["spec"]["volumeClaimTemplates"] = [claim, claim | {"metadata": {"name": "more"}}, other]
    nodes = [a_node("node-1"), a_node("node-2"), a_csi_node("node-1", 25), a_csi_node("node-2", 24)]
    plan = imported_objects(store, fast, *nodes).plan
    assert plan.node_groups[0].volume_limits == {"ebs.csi.aws.com": 24}
    assert plan.workloads[0].pod.volumes == {"ebs.csi.aws.com": 2}


def test_a_node_may_hold_more_than_a_thousand_pods():
    node = a_node("node-1")
    node["status"]["capacity"]["pods"] = "2000"
    plan = imported_objects(node, *(a_pod(f"q-{n}", cpu="1m", node="node-1") for n in range(1_001))).plan
    assert plan.workloads[0].starts_on == {"nodes-0001": 1_001} and plan.node_groups[0].pods == 2_000


@pytest.mark.parametrize(
    ("items", "place"),
    [
        ([a_node("node-1"), a_deployment(replicas=200_001)], "standard input, document 2: spec.replicas"),
        (
            [a_deployment("one", replicas=200_000), a_deployment("two", replicas=150_000)],
            "standard input, document 2: spec.replicas",
        ),
        (
            [a_node("node-1") | {"status": {"capacity": {"cpu": "4", "memory": "1Gi", "pods": "1000000"}}}],
            "standard input, document 1: status.allocatable.pods",
        ),
    ],
)
def test_a_limit_names_file_document_and_path(items, place):
    with pytest.raises(ImportProblems) as caught:
        imported_objects(*items, strict=True)
    assert [problem.where for problem in caught.value.problems] == [place]
