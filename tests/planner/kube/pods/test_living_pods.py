"""Requests and containers come from living pods where a dump has them, not from the template of their controller."""

import pytest

from tests.planner.kube.manifests import a_deployment, a_node, imported_objects
from tests.planner.kube.pods.test_start_nodes import a_pod, a_replica_set

PROXY = {"name": "istio-proxy", "resources": {"requests": {"cpu": "500m", "memory": "128Mi"}}}
NODES = (a_node("n1"),)


def main(cpu="100m", **limits):
    return {"name": "main", "resources": {"requests": {"cpu": cpu}} | ({"limits": limits} if limits else {})}


def living(number, *containers, revision="1", owner=None, created="2030-01-01T00:00:00Z", **spec):
    pod = a_pod(number, owner=owner or ("ReplicaSet", f"web-{revision}"), creationTimestamp=created)
    pod["metadata"]["labels"] = {"pod-template-hash": revision}
    pod["spec"] |= {"containers": list(containers), **spec}
    return pod


def requests(*objects, name="web"):
    result = imported_objects(*NODES, *objects)
    [workload] = [each for each in result.plan.workloads if each.name == name]
    pod = workload.pod
    return {each.name: each.requests.cpu for each in (*pod.containers, *pod.init_containers)}, result.losses.taken


def test_an_injected_sidecar_counts_and_is_named():
    found, taken = requests(a_deployment(replicas=1), a_replica_set(), living(1, PROXY, main()))
    assert found == {"main": 100, "istio-proxy": 500}
    assert list(found)[0] == "main", "the first container does the work of requests"
    [line] = taken
    assert line.startswith(
        "Deployment default/web: living pods request 0.6 cores and 128Mi, the template 0.1 cores and 0"
    )
    assert "container istio-proxy added (500m of cpu and 128Mi of memory)" in line


def test_a_native_sidecar_counts():
    init = PROXY | {"restartPolicy": "Always"}
    found, [line] = requests(a_deployment(), a_replica_set(), living(1, main(), initContainers=[init]))
    assert found == {"main": 100, "istio-proxy": 500}
    assert "0.6 cores" in line


@pytest.mark.parametrize(("container", "words"), [
    (main("200m"), "container main requests 200m of cpu instead of 100m"),
    (main("100m", memory="1Gi"), "container main is limited to 1Gi of memory instead of nothing"),
])  # fmt: skip
def test_what_an_autoscaler_or_a_limit_range_changed_counts(container, words):
    _found, [line] = requests(a_deployment(), a_replica_set(), living(1, container))
    assert words in line


def test_pods_as_their_template_says_are_no_news():
    _found, taken = requests(a_deployment(), a_replica_set(), living(1, main()))
    assert taken == ()


def replica_set(revision, number):
    made = a_replica_set(f"web-{revision}")
    made["metadata"]["annotations"] = {"deployment.kubernetes.io/revision": str(number)}
    return made


@pytest.mark.parametrize(("sets", "why"), [
    ([replica_set("a", 9), replica_set("b", 10)], "the larger number, as a number"),
    ([a_replica_set("web-a"), a_replica_set("web-b")], "the younger first pod"),
    ([], "the younger first pod, without ReplicaSets in the dump"),
])  # fmt: skip
def test_in_the_middle_of_a_rollout_the_newest_template_counts(sets, why):
    pods = [
        living(1, main("200m"), revision="a", created="2030-01-01T00:00:00Z"),
        living(2, main("200m"), revision="a", created="2030-01-09T00:00:00Z"),
        living(3, main("300m"), revision="b", created="2030-01-05T00:00:00Z"),
    ]
    for order in (pods, pods[::-1]):
        found, _taken = requests(a_deployment(), *sets, *order)
        assert found == {"main": 300}, why


def test_a_rollback_is_newer_by_its_number():
    pods = [
        living(1, main("200m"), revision="a", created="2030-01-01T00:00:00Z"),
        living(2, main("300m"), revision="b", created="2030-01-05T00:00:00Z"),
    ]
    found, _taken = requests(a_deployment(), replica_set("a", 3), replica_set("b", 2), *pods)
    assert found == {"main": 200}


def test_the_update_revision_of_a_stateful_set_counts():
    db = {**a_deployment("db"), "kind": "StatefulSet", "status": {"updateRevision": "db-1"}}
    pods = []
    for number, cpu in enumerate(("300m", "300m", "200m")):
        pod = living(number, main(cpu), owner=("StatefulSet", "db"), created=f"2030-01-0{5 - number}T00:00:00Z")
        pod["metadata"]["labels"] = {"controller-revision-hash": f"db-{1 if cpu == '200m' else 2}"}
        pods.append(pod)
    found, _taken = requests(db, *pods, name="db")
    assert found == {"main": 200}


def test_of_pods_of_one_template_the_most_common_shape_counts_then_the_youngest():
    common = [living(1, main("200m")), living(2, main("200m")), living(3, main("900m"), created="2031-01-01T00:00:00Z")]
    found, [line] = requests(a_deployment(), a_replica_set(), *common)
    assert found == {"main": 200}
    assert "1 other shapes" in line
    found, _taken = requests(a_deployment(), a_replica_set(), *common[1:])
    assert found == {"main": 900}


@pytest.mark.parametrize("change", [
    {"status": {"phase": "Succeeded"}},
    {"metadata": {"deletionTimestamp": "2030-01-01T00:00:00Z"}},
    {"spec": {"containers": [3], "nodeName": "n1"}},
    {"spec": {"containers": [], "nodeName": "n1"}},
])  # fmt: skip
def test_pods_that_end_or_cannot_be_read_leave_the_template(change):
    pod = living(1, main("900m"))
    pod = {**pod, **{key: {**pod[key], **part} for key, part in change.items()}}
    result = imported_objects(*NODES, a_deployment(), a_replica_set(), pod)
    [workload] = result.plan.workloads
    assert workload.pod.containers[0].requests.cpu == 100
