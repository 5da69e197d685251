"""KubeletConfigurations set the kubelets of node pools."""

import yaml

from planner.kube.importer import import_paths
from planner.plan.derived.allocatable import offer_of
from planner.units import MIB
from tests.planner.kube.manifests import a_node, imported_objects, losses_of


def a_kubelet(name=None, **fields):
    metadata = {"metadata": {"name": name}} if name else {}
    return {"apiVersion": "kubelet.config.k8s.io/v1beta1", "kind": "KubeletConfiguration", **metadata, **fields}


def a_pool_node(name, pool):
    return a_node(name, labels={"nodepool": pool})


def test_reservations_thresholds_and_bounds_are_those_of_the_kubelet():
    fields = {
        "maxPods": 42, "podsPerCore": 10, "kubeReserved": {"cpu": "100m", "memory": "300Mi"},
        "systemReserved": {"cpu": "50m", "memory": "200Mi"}, "evictionHard": {"memory.available": "700Mi"},
        "evictionSoft": {"memory.available": "1Gi"}, "evictionSoftGracePeriod": {"memory.available": "90s"},
        "evictionMinimumReclaim": {"memory.available": "100Mi"}, "evictionMaxPodGracePeriod": 20,
        "evictionPressureTransitionPeriod": "2m0s", "shutdownGracePeriod": "30s",
        "shutdownGracePeriodCriticalPods": "10s", "crashLoopBackOff": {"maxContainerRestartPeriod": "60s"},
    }  # fmt: skip
    result = imported_objects(a_node("n1"), a_kubelet(**fields, clusterDNS=["10.0.0.10"], failSwapOn=False))
    [group] = result.plan.node_groups
    offer = offer_of(group)
    assert (group.pods, offer.allocatable["pods"], offer.allocatable["cpu"]) == (42, 40, 3850)
    assert group.memory - offer.allocatable["memory"] == 1200 * MIB
    kubelet = group.kubelet
    assert kubelet.eviction_soft == {"memory.available": "1Gi"}
    assert (kubelet.eviction_max_pod_grace_period, kubelet.shutdown_grace_period) == (20_000_000, 30_000_000)
    assert not [key for key in losses_of(result) if key[0] == "KubeletConfiguration"]


def test_what_is_not_simulated_is_listed():
    fields = {"evictionHard": {"memory.available": "200Mi", "nodefs.inodesFree": "5%", "pid.available": "10%"}}
    result = imported_objects(
        a_node("n1"), a_kubelet(**fields, cpuManagerPolicy="static", nodeStatusUpdateFrequency="10s")
    )
    lost = [path for kind, path in losses_of(result) if kind == "KubeletConfiguration"]
    assert [each.rpartition('"')[0] or each for each in lost] and len(lost) == 4
    assert "cpuManagerPolicy" in lost
    assert "nodeStatusUpdateFrequency" in lost
    assert result.plan.node_groups[0].kubelet.eviction_hard == {"memory.available": "200Mi"}


def test_defaults_are_merged_where_the_configuration_says_so():
    own = {"memory.available": "200Mi"}
    result = imported_objects(a_node("n1"), a_kubelet(evictionHard=own, mergeDefaultEvictionSettings=True))
    expected = {"memory.available": "200Mi", "nodefs.available": "10%", "imagefs.available": "15%"}
    assert result.plan.node_groups[0].kubelet.eviction_hard == expected


def test_a_configuration_called_after_a_pool_is_for_that_pool(tmp_path):
    (tmp_path / "nodes.yaml").write_text(yaml.safe_dump_all([a_pool_node("n1", "big"), a_pool_node("n2", "small")]))
    (tmp_path / "small.yaml").write_text(yaml.safe_dump(a_kubelet(maxPods=20)))
    (tmp_path / "other.yaml").write_text(yaml.safe_dump(a_kubelet(maxPods=60)))
    result = import_paths([str(tmp_path)])
    assert {group.name: group.pods for group in result.plan.node_groups} == {"big": 60, "small": 20}
    assert any("other.yaml" in remark for remark in result.losses.remarks)


def test_nodes_that_keep_something_else_are_reported():
    node = a_node("n1")
    node["status"]["allocatable"] = {"cpu": "3", "memory": "15Gi", "pods": "110"}
    result = imported_objects(node, a_kubelet(kubeReserved={"cpu": "100m"}))
    assert offer_of(result.plan.node_groups[0]).allocatable["cpu"] == 3900
    assert any("keep 1 of cpu" in remark and "100m" in remark for remark in result.losses.remarks)
