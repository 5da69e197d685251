"""NodePools and the annotations of pods that Karpenter reads."""

import pytest

from planner.kube.draft.draft import Draft
from planner.kube.files.field import Field
from planner.kube.files.source import Source
from planner.kube.kinds.karpenter import node_pool
from planner.kube.pods.pod_manifest import pod_annotations
from planner.kube.pods.pod_template import read_pod_template
from planner.plan.model.karpenter.node_pools import NodePool
from planner.plan.model.plan import Plan
from planner.plan.model.pods import PodTemplate
from tests.planner.karpenter.karpenter_plans import karpenter_plan, pool

HERE = Source("pools.yaml", 1)
POOLS = [
    pool(
        "full",
        requirements=[{"key": "example.com/size", "operator": "Gt", "values": ["3"], "minValues": 2}],
        weight=7,
        limits={"cpu": "100", "memory": "1000Gi", "nodes": 9, "extended": {"nvidia.com/gpu": 4}},
        labels={"team": "red"},
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
BESIDE = ("provisioning_delay", "provisioning_spread", "ready_delay", "deletion_delay")


def imported(manifest: dict) -> NodePool:
    draft = Draft()
    node_pool.read(Field(manifest, HERE), draft)
    [(_, part)] = draft.lists[node_pool.SECTION]
    return NodePool.model_validate(part)


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
