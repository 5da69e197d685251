"""Pods that wait for a node and that no round looks at."""

import pytest

from planner.karpenter.pods.ignored import is_ignored
from planner.karpenter.requirements.requirements import WELL_KNOWN
from planner.plan.model.pods.placement import NodeSelectorTerm, PreferredNodeTerm
from planner.state.specs import PodPlacement
from tests.planner.karpenter.karpenter_plans import karpenter_plan, machines_of, run
from tests.planner.nodes.small_plan import a_workload

POOL, MARKET, HOST = "karpenter.sh/nodepool", "karpenter.sh/capacity-type", "kubernetes.io/hostname"


def expression(key, operator, *values):
    return {"key": key, "operator": operator, "values": list(values)}


def term(*expressions, fields=()):
    return NodeSelectorTerm.model_validate({"matchExpressions": expressions, "matchFields": fields})


def preferring(*expressions):
    weighted = PreferredNodeTerm(weight=7, preference=term(*expressions))
    return PodPlacement(preferred_terms=(weighted,))


@pytest.mark.parametrize(("pod", "expected"), [
    (PodPlacement(), False),
    (PodPlacement(node_selector={"disk": "fast", POOL: "batch", "beta.kubernetes.io/arch": "arm64"}), False),
    (PodPlacement(node_selector={HOST: "rack-7"}), True),
    (PodPlacement(node_selector={"karpenter.sh/registered": "true"}), True),
    (PodPlacement(node_selector={"team.karpenter.sh/owner": "a"}), True),
    (PodPlacement(node_selector={"notkarpenter.sh/owner": "a"}), False),
    (PodPlacement(node_selector={MARKET: "preemptible"}), True),
    (PodPlacement(required_terms=(term(expression(MARKET, "In", "preemptible", "spot")),)), False),
    (PodPlacement(required_terms=(term(expression(MARKET, "NotIn", "preemptible")),)), False),
    (PodPlacement(required_terms=(term(expression("disk", "Exists")), term(expression(HOST, "Exists")))), True),
    (PodPlacement(required_terms=(term(fields=[expression("metadata.name", "In", "rack-7")]),)), True),
    (PodPlacement(required_terms=(term(expression("cores", "Gt", "-1")),)), True),
    (PodPlacement(required_terms=(term(expression("cores", "Lt", "12")),)), False),
    (PodPlacement(required_terms=(term(expression(POOL, "DoesNotExist")),)), True),
    (PodPlacement(required_terms=(term(expression("disk", "Exists")), term(expression(POOL, "DoesNotExist")))), False),
    (preferring(expression(HOST, "In", "rack-7")), False),
    (preferring(expression(POOL, "DoesNotExist")), True),
])  # fmt: skip
def test_pods_that_ask_for_what_karpenter_refuses_are_left_alone(pod, expected):
    assert is_ignored(pod, WELL_KNOWN) == expected


@pytest.mark.parametrize(("affinity", "machines"), [
    ({}, 1),
    ({"matchFields": [expression("metadata.name", "In", "no-such-node")]}, 0),
    ({"matchExpressions": [expression(HOST, "In", "no-such-node")]}, 0),
])  # fmt: skip
def test_no_machine_is_bought_for_a_pod_that_is_left_alone(affinity, machines):
    pod = {"requiredNodeAffinity": [affinity] if affinity else []}
    sim = run(karpenter_plan(workloads=[a_workload("pinned", 1, pod=pod)]), 600)
    assert len(machines_of(sim)) == machines
