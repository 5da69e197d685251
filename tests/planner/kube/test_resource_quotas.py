"""ResourceQuotas are imported as settings of their namespace, and come back from an export."""

import pytest

from planner.kube.kinds.cluster import resource_quota
from tests.planner.kube.manifests import a_deployment, imported_objects, losses_of


def a_quota(hard, name="compute", namespace="shop", **spec):
    metadata = {"name": name, "namespace": namespace}
    return {"apiVersion": "v1", "kind": "ResourceQuota", "metadata": metadata, "spec": {"hard": hard, **spec}}


HARD = {"pods": "20", "requests.cpu": "4", "requests.memory": "8Gi", "limits.cpu": "8", "requests.nvidia.com/gpu": "2"}


def quotas_of(*objects):
    result = imported_objects(a_deployment(namespace="shop"), *objects)
    return {known.name: known.resource_quotas for known in result.plan.namespaces}, result


def test_pods_requests_and_limits_become_bounds_of_the_namespace():
    found, result = quotas_of(a_quota(HARD))
    [quota] = found["shop"]
    assert (quota.pods, quota.requests.cpu, quota.requests.memory, quota.limits.cpu) == (20, 4000, 8 << 30, 8000)
    assert quota.requests.extended == {"nvidia.com/gpu": 2}
    assert ("ResourceQuota", "") not in losses_of(result)


def test_labels_of_the_namespace_stay():
    shop = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "shop", "labels": {"team": "a"}}}
    _found, result = quotas_of(shop, a_quota({"cpu": "2"}), a_quota({"count/pods": "3"}, "number"))
    [namespace] = result.plan.namespaces
    assert namespace.labels["team"] == "a"
    assert [quota.name for quota in namespace.resource_quotas] == ["compute", "number"]


@pytest.mark.parametrize(("quota", "path"), [
    (a_quota({"services": "3", "pods": "2"}), "spec.hard.services"),
    (a_quota({"requests.storage": "3Gi"}), "spec.hard.requests.storage"),
    (a_quota({"pods": "3"}, scopes=["BestEffort"]), "spec.scopes"),
])  # fmt: skip
def test_what_a_plan_cannot_bound_is_listed(quota, path):
    _found, result = quotas_of(quota)
    assert ("ResourceQuota", path) in losses_of(result)


def test_a_quota_comes_back_from_an_export():
    _found, result = quotas_of(a_quota(HARD))
    [manifest] = resource_quota.write(result.plan)
    assert manifest["spec"]["hard"] == HARD
