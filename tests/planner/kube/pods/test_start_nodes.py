"""Living pods keep the nodes they stand on."""

import pytest

from planner.api import place_plan
from tests.planner.kube.manifests import a_deployment, a_node, imported_objects, losses_of

NODES = (a_node("n1"), a_node("n2"))


def a_pod(number, node="n1", owner=("ReplicaSet", "web-1"), phase="Running", **metadata):
    """A pod as a dump shows it; its owner may be missing."""
    about = {"name": f"pod-{number}", "labels": {"pod-template-hash": "1"}, **metadata}
    if owner is not None:
        about["ownerReferences"] = [{"kind": owner[0], "name": owner[1], "controller": True}]
    container = {"name": "main", "resources": {"requests": {"cpu": "100m"}}}
    spec = {"containers": [container]} | ({"nodeName": node} if node else {})
    return {"apiVersion": "v1", "kind": "Pod", "metadata": about, "spec": spec, "status": {"phase": phase}}


def a_replica_set(name="web-1", deployment="web"):
    owner = [{"kind": "Deployment", "name": deployment, "controller": True}]
    template = a_deployment(deployment)["spec"]["template"]
    metadata = {"name": name, "ownerReferences": owner}
    return {"apiVersion": "apps/v1", "kind": "ReplicaSet", "metadata": metadata, "spec": {"template": template}}


def starts(*objects):
    result = imported_objects(*NODES, *objects)
    return {workload.name: workload.starts_on for workload in result.plan.workloads}, losses_of(result)


@pytest.mark.parametrize("sets", [
    pytest.param([a_replica_set()], id="by their ReplicaSet"),
    pytest.param([], id="by the name of a ReplicaSet that is not there"),
])  # fmt: skip
def test_pods_of_a_deployment_stand_on_their_nodes(sets):
    pods = [a_pod(1, "n2"), a_pod(2, "n1"), a_pod(3, "n2")]
    found, lost = starts(a_deployment(replicas=3), *sets, *pods)
    assert found == {"web": {"nodes-0002": 2, "nodes-0001": 1}}
    assert ("Pod", "spec.nodeName") not in lost


def test_a_run_begins_with_every_pod_on_its_node_and_schedules_the_rest():
    pods = [a_pod(number, "n2") for number in range(3)]
    plan = imported_objects(*NODES, a_deployment(replicas=4), a_replica_set(), *pods).plan
    assert [row["node"] for row in place_plan(plan).pods] == ["nodes-0002"] * 3 + ["nodes-0001"]


@pytest.mark.parametrize(("pod", "reason"), [
    pytest.param(a_pod(1, ""), "waits", id="a pod that waits"),
    pytest.param(a_pod(1, phase="Succeeded"), "ended", id="a pod that has ended"),
    pytest.param(a_pod(1, deletionTimestamp="2030-01-01T00:00:00Z"), "goes", id="a pod that is going"),
])  # fmt: skip
def test_pods_without_a_place_to_keep_are_scheduled(pod, reason):
    found, _lost = starts(a_deployment(replicas=1), a_replica_set(), pod)
    assert found == {"web": {}}, reason


def test_nodes_that_were_not_imported_are_reported():
    found, lost = starts(a_deployment(replicas=2), a_replica_set(), a_pod(1, "n1"), a_pod(2, "elsewhere"))
    assert found == {"web": {"nodes-0001": 1}}
    assert lost["Pod", "spec.nodeName"] == 1


def test_no_more_pods_stand_than_the_object_wants():
    pods = [a_pod(number, node) for number, node in enumerate(("n1", "n1", "n2"))]
    found, lost = starts(a_deployment(replicas=1), a_replica_set(), *pods)
    assert found == {"web": {"nodes-0001": 1}}
    assert lost["Pod", "spec.nodeName"] == 2


def test_pods_without_their_controller_keep_their_nodes_too():
    found, _lost = starts(a_pod(1, "n1", ("Custom", "db")), a_pod(2, "n2", ("Custom", "db")), a_pod(3, "n2", None))
    assert found == {"db": {"nodes-0001": 1, "nodes-0002": 1}, "pod-3": {"nodes-0002": 1}}


def test_daemon_sets_find_their_nodes_by_themselves():
    template = a_deployment("agent")["spec"]["template"]
    about = {"apiVersion": "apps/v1", "kind": "DaemonSet", "metadata": {"name": "agent"}}
    agent = about | {"spec": {"template": template}}
    found, _lost = starts(agent, a_pod(1, "n1", ("DaemonSet", "agent")))
    assert found == {"agent": {}}
