"""Pools of Karpenter whose machine types the catalogue knows under other names, or not at all."""

import json

from planner.kube.importer import import_paths


def a_pool(name, group, kind, *requirements):
    reference = {"group": group, "kind": kind, "name": "default"}
    inner = {"nodeClassRef": reference, "requirements": list(requirements)}
    return {
        "apiVersion": "karpenter.sh/v1",
        "kind": "NodePool",
        "metadata": {"name": name},
        "spec": {"template": {"spec": inner}},
    }


def need(key, *values):
    return {"key": key, "operator": "In", "values": list(values)}


def imported(tmp_path, *objects):
    file = tmp_path / "pools.json"
    file.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": list(objects)}), encoding="utf-8")
    return import_paths((str(file),), None)


def test_pools_of_eks_auto_mode_get_the_machine_types_of_aws_by_its_labels(tmp_path):
    auto = a_pool("auto", "eks.amazonaws.com", "NodeClass", need("eks.amazonaws.com/instance-category", "c"))
    plan = imported(tmp_path, auto).plan
    types = plan.karpenter.instance_types
    assert types and {each.labels["eks.amazonaws.com/instance-category"] for each in types} == {"c"}


def test_a_pool_that_no_known_type_serves_is_left_out_and_named_and_the_rest_is_imported(tmp_path):
    good = a_pool("good", "karpenter.k8s.aws", "EC2NodeClass")
    rare = a_pool("rare", "karpenter.k8s.aws", "EC2NodeClass", need("node.kubernetes.io/instance-type", "x99.large"))
    found = imported(tmp_path, good, rare)
    assert [pool.name for pool in found.plan.karpenter.node_pools] == ["good"]
    assert any("rare: no machine type of the catalogue" in str(line) for line in found.losses)
