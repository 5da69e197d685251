"""Nodes to pools, pods to workloads, names."""

import pytest

from planner.kube.draft.names import UniqueNames, valid_name
from planner.plan.model.workloads import WorkloadKind
from tests.planner.kube.manifests import a_deployment, a_node, imported_objects, losses_of


def pools(*nodes):
    return [(group.name, group.initial_size) for group in imported_objects(*nodes).plan.node_groups]


def a_pod(name, owner=None, namespace="default", cpu="100m", **spec):
    metadata = {"name": name, "namespace": namespace}
    if owner is not None:
        kind, owner_name = owner
        metadata["ownerReferences"] = [{"kind": kind, "name": owner_name, "controller": True}]
    container = {"name": "main", "resources": {"requests": {"cpu": cpu}}}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": {"containers": [container], **spec}}


@pytest.mark.parametrize(
    ("nodes", "expected"),
    [
        pytest.param([a_node("a"), a_node("b")], [("nodes", 2)], id="equal nodes are one pool"),
        pytest.param([a_node("a"), a_node("b", "32Gi")], [("nodes", 1), ("nodes-2", 1)], id="different memory"),
        pytest.param([a_node("a", "16393292Ki"), a_node("b", "16393300Ki")], [("nodes", 2)], id="almost equal memory"),
        pytest.param(
            [a_node(name, labels={"disk": disk}) for name, disk in (("a", "ssd"), ("b", "hdd"), ("c", "ssd"))],
            [("nodes", 2), ("nodes-2", 1)], id="different labels",
        ),
        pytest.param(
            [a_node(name, labels={"id": name}) for name in "abc"], [("nodes", 3)], id="labels of single nodes do not",
        ),
        pytest.param(
            [a_node("a", taints=[{"key": "gpu", "effect": "NoSchedule"}]), a_node("b")], [("nodes", 1), ("nodes-2", 1)],
            id="different taints",
        ),
        pytest.param(
            [a_node("a", taints=[{"key": "node.kubernetes.io/not-ready", "effect": "NoExecute"}]), a_node("b")],
            [("nodes", 2)], id="passing taints do not",
        ),
        pytest.param(
            [a_node(n, labels={"agentpool": "Web", "disk": n, "topology.kubernetes.io/zone": z})
             for n, z in (("a", "z1"), ("b", "z2"), ("c", "z1"))],
            [("web-z1", 2), ("web-z2", 1)], id="a named pool by zone, whatever its other labels",
        ),
    ],
)  # fmt: skip
def test_nodes_become_pools(nodes, expected):
    assert pools(*nodes) == expected


def test_an_image_that_a_node_lists_twice_has_the_size_listed_first():
    """As kube-scheduler 1.36 counts it (backend/cache/cache.go, addNodeImageStates)."""
    node = a_node("n1")
    sizes = (500_000_000, 900_000_000)
    node["status"]["images"] = [{"names": ["shop:1"], "sizeBytes": size} for size in sizes]
    [group] = imported_objects(node).plan.node_groups
    assert group.images == {"shop:1": 500_000_000}


@pytest.mark.parametrize(("named", "kept"), [
    pytest.param(["shop:1"], ["shop:1", "db:2"], id="by tag"),
    pytest.param(["shop@sha256:aa"], ["shop@sha256:aa", "db:2"], id="by digest"),
    pytest.param(["shop@sha256:aa", "shop:1"], ["shop@sha256:aa", "shop:1", "db:2"], id="by both"),
])  # fmt: skip
def test_an_image_is_kept_by_the_name_that_containers_give_it(named, kept):
    node = a_node("n1")
    node["status"]["images"] = [
        {"names": ["shop@sha256:aa", "shop:1"], "sizeBytes": 500_000_000},
        {"names": ["db@sha256:bb", "db:2"], "sizeBytes": 700_000_000},
    ]
    workloads = [a_deployment(f"web{at}") for at, _ in enumerate(named)]
    for workload, image in zip(workloads, named, strict=True):
        workload["spec"]["template"]["spec"]["containers"][0]["image"] = image
    [group] = imported_objects(node, *workloads).plan.node_groups
    assert list(group.images) == kept


def test_workloads_of_one_name_get_different_ones_and_keep_their_label():
    plan = imported_objects(a_deployment("web"), a_deployment("web", "shop")).plan
    assert [(w.name, w.namespace, w.pod.labels) for w in plan.workloads] == [
        ("web", "default", {}), ("web-shop", "shop", {"app": "web"}),
    ]  # fmt: skip


def test_an_autoscaler_follows_its_target_to_its_new_name():
    scaler = {
        "apiVersion": "autoscaling/v1", "kind": "HorizontalPodAutoscaler",
        "metadata": {"name": "web", "namespace": "shop"},
        "spec": {"scaleTargetRef": {"kind": "Deployment", "name": "web"}, "maxReplicas": 4,
                 "targetCPUUtilizationPercentage": 50},
    }  # fmt: skip
    plan = imported_objects(a_deployment("web"), a_deployment("web", "shop"), scaler).plan
    assert [one.scale_target for one in plan.horizontal_pod_autoscalers] == ["web-shop"]


def test_an_autoscaler_that_could_never_act_is_left_out_with_the_reason():
    scaler = {
        "apiVersion": "autoscaling/v2", "kind": "HorizontalPodAutoscaler", "metadata": {"name": "web"},
        "spec": {"scaleTargetRef": {"kind": "Deployment", "name": "web"}, "maxReplicas": 4},
    }  # fmt: skip
    result = imported_objects(a_deployment("web", containers=[{"name": "main"}]), scaler)
    assert result.plan.horizontal_pod_autoscalers == ()
    assert "requests no CPU" in "\n".join(map(str, result.losses))


def test_replica_sets_of_a_deployment_belong_to_it_and_its_pods_are_counted():
    deployment = a_deployment("web")
    del deployment["spec"]["replicas"]
    owner = [{"kind": "Deployment", "name": "web", "controller": True}]
    metadata = {"name": "web-1", "ownerReferences": owner}
    replica_set = {**a_deployment("web-1"), "kind": "ReplicaSet", "metadata": metadata}
    pods = [a_pod(f"web-1-{n}", ("ReplicaSet", "web-1")) for n in range(3)]
    plan = imported_objects(*pods, replica_set, deployment).plan
    assert [(workload.name, workload.replicas) for workload in plan.workloads] == [("web", 3)]


def test_pods_without_controller_are_joined_by_template():
    pods = [a_pod("a"), a_pod("b"), a_pod("c", cpu="200m"), a_pod("d", namespace="shop")]
    plan = imported_objects(*pods).plan
    assert [(w.name, w.namespace, w.replicas) for w in plan.workloads] == [
        ("a", "default", 2), ("c", "default", 1), ("d", "shop", 1),
    ]  # fmt: skip


def test_pods_of_a_missing_daemon_set_are_one_however_they_name_their_nodes():
    def affinity(node):
        field = {"key": "metadata.name", "operator": "In", "values": [node]}
        required = {"nodeSelectorTerms": [{"matchFields": [field]}]}
        return {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": required}}

    pods = [a_pod(f"agent-{n}", ("DaemonSet", "agent"), affinity=affinity(f"node-{n}")) for n in range(3)]
    [workload] = imported_objects(*pods).plan.workloads
    assert (workload.name, workload.kind) == ("agent", WorkloadKind.DAEMON_SET)
    assert workload.pod.required_node_affinity == ()


def test_a_class_that_is_not_defined_is_dropped_with_a_hint():
    result = imported_objects(a_deployment(priorityClassName="high", runtimeClassName="vm"))
    assert result.plan.workloads[0].pod.priority_class == ""
    assert len([remark for remark in result.losses.remarks if "not among the manifests" in remark]) == 2


@pytest.mark.parametrize(
    ("kind", "one"),
    [
        ("Deployment", a_deployment()),
        ("Node", a_node("n")),
        ("Pod", a_pod("a")),
        ("Namespace", {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "shop"}}),
    ],
)
def test_the_same_object_twice_counts_once(kind, one):
    others = [] if kind == "Deployment" else [a_deployment()]
    once, twice = imported_objects(one, *others), imported_objects(one, *others, one)
    assert twice.plan == once.plan
    assert [loss.reason for loss in twice.losses if "is defined twice; the first one is used" in loss.reason]


def test_objects_of_one_name_in_two_namespaces_are_two():
    assert len(imported_objects(a_pod("a"), a_pod("a", namespace="shop")).plan.workloads) == 2


def test_a_kind_of_another_group_is_not_taken_for_a_known_one():
    foreign = {"apiVersion": "serving.knative.dev/v1", "kind": "Service", "metadata": {"name": "a"}}
    result = imported_objects(foreign, a_deployment())
    assert ("Service (serving.knative.dev)", "") in losses_of(result)


@pytest.mark.parametrize(
    ("text", "name"),
    [("Web_App", "web-app"), ("-x-", "x"), ("", "unnamed"), ("ä", "unnamed"), ("a" * 80, "a" * 63), ("a.b", "a.b")],
)
def test_names_become_valid(text, name):
    assert valid_name(text) == name


def test_names_become_unique_and_stay_short():
    names = UniqueNames()
    taken = [names.take("a" * 63), names.take("a" * 63), *(names.take("b", "c") for _ in range(3))]
    assert taken == ["a" * 63, f"{'a' * 61}-2", "b", "c", "b-2"]
