"""NodePools and the annotations of pods that Karpenter reads."""

import pytest

from planner.kube.draft.draft import Draft
from planner.kube.files.field import Field
from planner.kube.files.source import Source
from planner.kube.importer import import_paths
from planner.kube.kinds.karpenter import node_pool
from planner.kube.pods.pod_manifest import pod_annotations
from planner.kube.pods.pod_template import read_pod_template
from planner.plan.model.karpenter.node_pools import NodePool
from planner.plan.model.plan import Plan
from planner.plan.model.pods.pod_template import PodTemplate
from planner.units import US_PER_H
from tests.planner.karpenter.karpenter_plans import karpenter_plan, names_of, pool, run

HERE = Source("pools.yaml", 1)
POOLS = [
    pool(
        "full",
        requirements=[{"key": "example.com/size", "operator": "Gt", "values": ["3"], "minValues": 2}],
        weight=7,
        limits={"cpu": "100", "memory": "1000Gi", "nodes": 9, "extended": {"nvidia.com/gpu": 4}},
        labels={"team": "red"},
        annotations={"karpenter.sh/do-not-disrupt": "true", "owner": "The red team"},
        taints=[{"key": "own", "value": "x", "effect": "NoSchedule"}],
        startupTaints=[{"key": "agent", "effect": "NoExecute"}],
        disruption={
            "consolidationPolicy": "WhenEmpty",
            "consolidateAfter": "90s",
            "budgets": [{"nodes": "20%", "reasons": ["Drifted"], "schedule": "@daily", "duration": "8h"}, {"nodes": 3}],
        },
        expireAfter="7d",
        terminationGracePeriod="1h30m",
    ),
    pool("never", disruption={"consolidateAfter": None}, expireAfter=None),
]
BESIDE = (
    "initial_nodes", "spot_reclaims_per_hour", "spot_reclaim_notice", "provisioning_delay", "provisioning_spread",
    "ready_delay", "deletion_delay",
)  # fmt: skip


def imported(manifest: dict) -> NodePool:
    draft = Draft()
    node_pool.read(Field(manifest, HERE), draft)
    [(_, part)] = draft.lists[node_pool.SECTION]
    return NodePool.model_validate(part)


def test_words_of_older_versions_are_read():
    old = {"consolidationPolicy": "WhenUnderutilized", "expireAfter": "48h"}
    read = imported({"kind": "NodePool", "metadata": {"name": "old"}, "spec": {"disruption": old}})
    assert read.disruption.consolidation_policy.value == "WhenEmptyOrUnderutilized"
    assert read.expire_after == 48 * US_PER_H


@pytest.mark.parametrize(
    ("reasons", "kept"),
    [
        pytest.param({}, 2, id="without a list all reasons are limited"),
        pytest.param({"reasons": ["Empty"]}, 2, id="a list names some"),
        pytest.param({"reasons": []}, 1, id="an empty list names none"),
    ],
)
def test_a_budget_without_any_reason_limits_nothing(reasons, kept):
    budgets = [{"nodes": "0", **reasons}, {"nodes": "2"}]
    read = imported({"kind": "NodePool", "metadata": {"name": "own"}, "spec": {"disruption": {"budgets": budgets}}})
    assert len(read.disruption.budgets) == kept


def test_a_pool_comes_back_from_its_manifest():
    plan: Plan = karpenter_plan(POOLS)
    for written, known in zip(node_pool.write(plan), plan.karpenter.node_pools, strict=True):
        usual = {name: NodePool.model_fields[name].get_default() for name in BESIDE}
        back = imported(written)
        assert back == known.model_copy(update={name: getattr(back, name) for name in usual})


def test_an_empty_manifest_has_the_defaults_of_the_api():
    found = imported({"metadata": {"name": "plain"}, "spec": {"template": {"spec": {"requirements": []}}}})
    assert found == NodePool(name="plain")


@pytest.mark.parametrize(
    ("annotations", "mark", "cost"),
    [
        pytest.param({"karpenter.sh/do-not-disrupt": "true"}, "true", 0, id="for ever"),
        pytest.param({"karpenter.sh/do-not-disrupt": "1h30m"}, "1h30m", 0, id="for a while"),
        pytest.param({"karpenter.sh/do-not-disrupt": "junk"}, "", 0, id="unreadable"),
        pytest.param({"controller.kubernetes.io/pod-deletion-cost": "-100"}, "", -100, id="cheap"),
        pytest.param({"controller.kubernetes.io/pod-deletion-cost": "much"}, "", 0, id="no number"),
    ],
)
def test_annotations_of_pods_are_read_and_written(annotations, mark, cost):
    spec = {"containers": [{"name": "c"}]}
    part = read_pod_template(Field({"annotations": annotations}, HERE), Field(spec, HERE), Draft())
    pod = PodTemplate.model_validate(part)
    assert (pod.do_not_disrupt, pod.deletion_cost) == (mark, cost)
    assert pod_annotations(pod) == (annotations if mark or cost else {})


DUMP = """
apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata: {name: default}
spec:
  role: nodes
  kubelet: {maxPods: 60}
  blockDeviceMappings: [{deviceName: /dev/xvda, ebs: {volumeSize: 100Gi, encrypted: true}}]
---
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: general}
spec:
  template:
    spec:
      requirements:
      - {key: karpenter.k8s.aws/instance-category, operator: In, values: [c, m]}
      - {key: karpenter.k8s.aws/instance-cpu, operator: Lt, values: ["9"]}
      - {key: topology.kubernetes.io/zone, operator: In, values: [z-a, z-b]}
      nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}
---
apiVersion: v1
kind: Node
metadata:
  name: ip-1
  labels:
    karpenter.sh/nodepool: general
    karpenter.sh/capacity-type: spot
    node.kubernetes.io/instance-type: m6i.large
    topology.kubernetes.io/zone: z-b
status:
  capacity: {cpu: "2", memory: 8Gi, pods: "58"}
  allocatable: {cpu: 1900m, memory: 7Gi, pods: "58"}
---
apiVersion: v1
kind: Pod
metadata: {name: web-1, namespace: shop}
spec: {nodeName: ip-1, containers: [{name: web, image: web, resources: {requests: {cpu: "1"}}}]}
status: {phase: Running}
"""


POOL_OF_AWS = """apiVersion: karpenter.sh/v1beta1
kind: NodePool
metadata: {{name: general}}
spec:
  template:
    spec:
      requirements: [{{key: karpenter.k8s.aws/instance-category, operator: In, values: [m]}}]
      nodeClassRef: {reference}
"""


@pytest.fixture
def dumped(tmp_path):
    path = tmp_path / "dump.yaml"
    path.write_text(DUMP, encoding="utf-8")
    return import_paths([str(path)])


def test_living_nodes_of_a_pool_run_when_the_run_begins_with_their_pods(dumped):
    plan = dumped.plan
    [made] = plan.karpenter.node_pools
    assert not plan.node_groups
    [there] = made.initial_nodes
    assert (there.machine_type, there.zone, there.capacity_type.value, there.count) == ("m6i.large", "z-b", "spot", 1)
    sim = run(plan, 1)
    assert names_of(sim) == ["general-0001"]
    assert int(sim.cluster.workloads.ready[0]) == 1


def test_types_of_the_catalogue_suit_the_pools_and_are_as_the_node_class_and_the_nodes_say(dumped):
    types = {each.name: each for each in dumped.plan.karpenter.instance_types}
    assert {each.labels["karpenter.k8s.aws/instance-category"] for each in types.values()} == {"c", "m"}
    assert max(each.cpu for each in types.values()) == 8000
    other = types["m6i.xlarge"]
    assert (other.pods, other.ephemeral_storage) == (60, 100 << 30)
    assert {offer.zone for offer in other.offerings} == {"z-a", "z-b"}
    seen = types["m6i.large"]
    assert (seen.pods, seen.reserved_cpu, seen.reserved_memory) == (58, 100, 1 << 30)
    assert any("machine types of the catalogue" in hint for hint in dumped.losses.remarks)


@pytest.mark.parametrize(("reference", "machine"), [
    ("{name: default}", "m6i.large"),  # requirements have labels of AWS
    ("{kind: AKSNodeClass, name: default}", "Standard_D2s_v5"),
])  # fmt: skip
def test_whose_machines_a_pool_may_have_is_told_by_its_node_class_or_by_its_requirements(tmp_path, reference, machine):
    path = tmp_path / "pool.yaml"
    path.write_text(POOL_OF_AWS.format(reference=reference), encoding="utf-8")
    found = import_paths([str(path)])
    assert machine in [each.name for each in found.plan.karpenter.instance_types]


def test_a_pool_of_which_nothing_says_whose_machines_it_may_have_is_left_out_with_a_remedy(tmp_path):
    path = tmp_path / "pool.yaml"
    path.write_text("apiVersion: karpenter.sh/v1\nkind: NodePool\nmetadata: {name: bare}\n", encoding="utf-8")
    found = import_paths([str(path)])
    assert not found.plan.karpenter.node_pools
    [left_out] = found.losses
    assert left_out.path == "spec.template.spec.nodeClassRef.kind" and "EC2NodeClass" in left_out.reason


OVERLAY = """
---
apiVersion: karpenter.sh/v1alpha1
kind: NodeOverlay
metadata: {{name: {name}}}
spec: {{weight: {weight}, requirements: [{needs}], {change}}}
"""
SPOT = "{key: karpenter.sh/capacity-type, operator: In, values: [spot]}"
LARGE = "{key: node.kubernetes.io/instance-type, operator: In, values: [m6i.large]}"


def overlaid(tmp_path, *overlays):
    path = tmp_path / "dump.yaml"
    texts = [
        OVERLAY.format(name=name, weight=weight, needs=needs, change=change) for name, weight, needs, change in overlays
    ]
    path.write_text(DUMP + "".join(texts), encoding="utf-8")
    found = import_paths([str(path)])
    return {each.name: each for each in found.plan.karpenter.instance_types}, found.losses


def prices(machine, market):
    return {offer.price for offer in machine.offerings if offer.capacity_type.value == market}


@pytest.mark.parametrize(("change", "becomes"), [
    ('price: "0.5"', lambda price: 0.5),
    ('priceAdjustment: "-20%"', lambda price: price * 0.8),
    ('priceAdjustment: "+0.25"', lambda price: price + 0.25),
    ('priceAdjustment: "-900"', lambda price: 0.0),
])  # fmt: skip
def test_an_overlay_changes_the_prices_of_what_it_names(tmp_path, dumped, change, becomes):
    before = {each.name: each for each in dumped.plan.karpenter.instance_types}["m6i.xlarge"]
    after = overlaid(tmp_path, ("cheap", 1, SPOT, change))[0]["m6i.xlarge"]
    assert prices(after, "spot") == {becomes(price) for price in prices(before, "spot")}
    assert prices(after, "on-demand") == prices(before, "on-demand")


def test_the_heavier_overlay_sets_the_price_and_devices_are_added(tmp_path):
    light, heavy = ("a", 1, LARGE, 'price: "9"'), ("b", 5, LARGE, 'price: "7"')
    devices = ("c", 1, LARGE, 'capacity: {example.com/chip: "4"}')
    types, losses = overlaid(tmp_path, light, heavy, devices)
    assert prices(types["m6i.large"], "on-demand") == {7.0} and types["m6i.large"].extended == {"example.com/chip": 4}
    assert types["m6i.xlarge"].extended == {} and not [one for one in losses if one.kind == "NodeOverlay"]


def test_an_overlay_without_a_price_that_can_be_read_is_left_out_and_named(tmp_path):
    types, losses = overlaid(tmp_path, ("odd", 1, LARGE, 'price: "much"'))
    assert prices(types["m6i.large"], "on-demand") != {0.0}
    assert [one.path for one in losses if one.kind == "NodeOverlay"] == ["spec.priceAdjustment"]
