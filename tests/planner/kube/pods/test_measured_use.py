"""What pods of a living cluster were measured to use."""

import pytest

from planner.plan.checks.validate import check_plan
from tests.planner.kube.manifests import a_deployment, a_node, imported_objects, losses_of
from tests.planner.kube.pods.test_start_nodes import a_pod

TEMPLATE = a_deployment("any")["spec"]["template"]


def metrics(pod, *uses, namespace="default"):
    """PodMetrics with one container for each pair of CPU and memory."""
    containers = [{"name": f"c{at}", "usage": {"cpu": cpu, "memory": size}} for at, (cpu, size) in enumerate(uses)]
    return {
        "apiVersion": "metrics.k8s.io/v1beta1", "kind": "PodMetrics",
        "metadata": {"name": pod, "namespace": namespace, "labels": {"app": "any"}},
        "timestamp": "2030-01-01T00:00:00Z", "window": "15s", "containers": containers,
    }  # fmt: skip


def a_controller(kind, name):
    return {"apiVersion": "apps/v1", "kind": kind, "metadata": {"name": name}, "spec": {"template": TEMPLATE}}


def uses(*objects):
    result = imported_objects(a_node("n1"), *objects)
    assert list(check_plan(result.plan)) == []
    found = {
        one.name: (one.cpu_use, None if one.memory_use is None else one.memory_use.start)
        for one in result.plan.workloads
    }
    return found, losses_of(result), result


@pytest.mark.parametrize(("owner", "pod"), [
    pytest.param(a_deployment("web-shop"), "web-shop-6d5f-x2b4z", id="Deployment"),
    pytest.param(a_controller("StatefulSet", "web-shop"), "web-shop-7", id="StatefulSet"),
    pytest.param(a_controller("DaemonSet", "web-shop"), "web-shop-x2b4z", id="DaemonSet"),
])  # fmt: skip
def test_the_workload_of_a_pod_is_known_by_its_name(owner, pod):
    found, _lost, _result = uses(owner, metrics(pod, ("250m", "100Mi")))
    assert found == {"web-shop": (250, 100 << 20)}


def test_a_workload_has_the_mean_of_its_pods_with_all_containers():
    first = metrics("web-6d5f-aaaaa", ("100m", "1Gi"), ("1500000n", "512Ki"))
    found, lost, result = uses(a_deployment("web"), first, metrics("web-6d5f-bbbbb", ("198m", "1Gi"), ("0", "512Ki")))
    assert found == {"web": (150, (1 << 30) + (512 << 10))}
    assert ("PodMetrics", "") not in lost
    assert any("lower cpuUse" in remark for remark in result.losses.remarks)


def test_a_pod_without_controller_is_its_own_workload():
    pod = a_pod(1, "n1", owner=None)
    assert uses(pod, metrics("pod-1", ("20m", "64Mi")))[0] == {"pod-1": (20, 64 << 20)}


def test_measurements_of_unknown_pods_are_reported():
    found, lost, _result = uses(a_deployment("web"), metrics("db-0", ("1", "1Gi")), metrics("web-1-2", namespace="b"))
    assert found == {"web": (0, None)}
    assert lost["PodMetrics", ""] == 2


def test_without_measures_nothing_is_used():
    assert uses(a_deployment("web"))[0] == {"web": (0, None)}
