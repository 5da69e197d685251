"""Pools of Karpenter in the words of older versions, and node classes of other providers."""

import pytest

from planner.kube.importer import import_paths
from planner.units import US_PER_S

PROVISIONER = """
apiVersion: karpenter.sh/v1alpha5
kind: Provisioner
metadata: {{name: default}}
spec: {{providerRef: {{name: nodes}}, {spec}}}
"""
TEMPLATE = """
apiVersion: karpenter.k8s.aws/v1alpha1
kind: AWSNodeTemplate
metadata: {name: nodes}
spec: {subnetSelector: {a: b}, blockDeviceMappings: [{deviceName: /dev/xvda, ebs: {volumeSize: 70Gi}}]}
"""
POOL = """
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {{name: default}}
spec:
  weight: 9
  template: {{spec: {{nodeClassRef: {{group: {group}, kind: {kind}, name: nodes}}, requirements: []}}}}
"""
NODE_CLASS = """
apiVersion: {group}/v1
kind: {kind}
metadata: {{name: nodes}}
spec: {spec}
"""
KWOK_NODE = """
apiVersion: v1
kind: Node
metadata: {name: kwok-1, labels: {karpenter.sh/nodepool: default, node.kubernetes.io/instance-type: c-4x}}
status: {allocatable: {cpu: "3900m", memory: 7Gi, pods: "20"}, capacity: {cpu: "4", memory: 8Gi, pods: "20"}}
"""


def imported(tmp_path, *texts):
    path = tmp_path / "objects.yaml"
    path.write_text("---".join(texts), encoding="utf-8")
    return import_paths([str(path)])


def pool_of(found):
    [pool] = found.plan.karpenter.node_pools
    return pool


def words_of(pool):
    return {each.key.rpartition("/")[2]: f"{each.operator} {' '.join(each.values)}" for each in pool.requirements}


def test_a_provisioner_is_read_as_the_node_pool_that_it_became(tmp_path):
    spec = (
        "labels: {team: red}, limits: {resources: {cpu: 100}}, weight: 5, kubeletConfiguration: {maxPods: 9}, "
        "taints: [{key: own, effect: NoSchedule}], startupTaints: [{key: agent, effect: NoExecute}]"
    )
    found = imported(tmp_path, PROVISIONER.format(spec=spec), TEMPLATE)
    pool = pool_of(found)
    assert (pool.labels, pool.limits.cpu, pool.weight) == ({"team": "red"}, 100_000, 5)
    assert [each.key for each in (*pool.taints, *pool.startup_taints)] == ["own", "agent"]
    assert {each.ephemeral_storage >> 30 for each in found.plan.karpenter.instance_types} == {70}
    assert [(line.kind, line.path) for line in found.losses] == [("Provisioner", "spec.kubeletConfiguration")]
    assert any("became NodePools" in remark for remark in found.losses.remarks)


@pytest.mark.parametrize(
    ("spec", "policy", "after_s", "expiry_s"),
    [
        ("consolidation: {enabled: true}", "WhenEmptyOrUnderutilized", 0, None),
        ("ttlSecondsAfterEmpty: 30", "WhenEmpty", 30, None),
        ("consolidation: {enabled: false}, ttlSecondsUntilExpired: 600", "WhenEmpty", None, 600),
    ],
)
def test_what_ended_nodes_of_a_provisioner_ends_them_in_its_pool(tmp_path, spec, policy, after_s, expiry_s):
    pool = pool_of(imported(tmp_path, PROVISIONER.format(spec=spec)))
    after_us, expiry_us = pool.disruption.consolidate_after, pool.expire_after
    assert pool.disruption.consolidation_policy == policy
    assert (after_us, expiry_us) == tuple(None if each is None else each * US_PER_S for each in (after_s, expiry_s))


FAMILY = "{key: karpenter.k8s.aws/instance-family, operator: In, values: [m6i]}"
MARKET = "{key: karpenter.sh/capacity-type, operator: In, values: [spot]}"


@pytest.mark.parametrize(
    ("requirements", "expected"),
    [
        (
            "",
            {
                "arch": "In amd64",
                "capacity-type": "In on-demand",
                "instance-category": "In c m r",
                "instance-generation": "Gt 2",
            },
        ),
        (f"{FAMILY}, {MARKET}", {"instance-family": "In m6i", "capacity-type": "In spot", "arch": "In amd64"}),
    ],
)
def test_aws_completed_what_a_provisioner_left_open(tmp_path, requirements, expected):
    text = PROVISIONER.format(spec=f"requirements: [{requirements}]")
    assert words_of(pool_of(imported(tmp_path, text))) == expected


def test_a_node_pool_counts_before_the_provisioner_of_its_name(tmp_path):
    old, new = PROVISIONER.format(spec="weight: 5"), POOL.format(group="karpenter.k8s.aws", kind="EC2NodeClass")
    found = imported(tmp_path, old, new)
    assert pool_of(found).weight == 9
    assert [(line.kind, str(line.reason)) for line in found.losses] == [
        ("Provisioner", "default: the NodePool of this name is used")
    ]


@pytest.mark.parametrize(("spec", "gib"), [("{ephemeralStorage: {size: 160Gi, iops: 3000}, role: x}", 160), ("{}", 80)])
def test_a_node_class_of_eks_auto_mode_says_how_large_disks_are(tmp_path, spec, gib):
    names = {"group": "eks.amazonaws.com", "kind": "NodeClass"}
    found = imported(tmp_path, POOL.format(**names), NODE_CLASS.format(**names, spec=spec))
    assert {each.ephemeral_storage >> 30 for each in found.plan.karpenter.instance_types} == {gib}
    assert not list(found.losses)


@pytest.mark.parametrize(("spec", "delay_s"), [("{nodeRegistrationDelay: 1m30s, maxPods: 20}", 90), ("{}", 0)])
def test_a_kwok_node_class_says_how_long_nodes_take(tmp_path, spec, delay_s):
    names = {"group": "karpenter.kwok.sh", "kind": "KWOKNodeClass"}
    found = imported(tmp_path, POOL.format(**names), NODE_CLASS.format(**names, spec=spec), KWOK_NODE)
    pool = pool_of(found)
    assert (pool.provisioning_delay, pool.provisioning_spread) == (delay_s * US_PER_S, 0)
    assert not [line for line in found.losses if line.kind == "KWOKNodeClass"]
