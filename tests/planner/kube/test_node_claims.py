"""NodeClaims in a dump, with and without their Nodes."""

import pytest

from planner.kube.importer import import_paths
from tests.planner.kube.test_karpenter_manifests import DUMP

CLAIM = """
---
apiVersion: karpenter.sh/v1
kind: NodeClaim
metadata:
  name: {name}
  {more}
  labels:
    karpenter.sh/nodepool: general
    karpenter.sh/capacity-type: on-demand
    node.kubernetes.io/instance-type: m6i.large
    topology.kubernetes.io/zone: z-a
spec: {{nodeClassRef: {{group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}}, requirements: []}}
status: {{{status}}}
"""
LAUNCHED = 'capacity: {cpu: "2", memory: 8Gi, pods: "58"}, allocatable: {cpu: 1900m, memory: 7Gi, pods: "58"}'


def imported(tmp_path, status, more=""):
    path = tmp_path / "dump.yaml"
    path.write_text(DUMP + CLAIM.format(name="general-x7", status=status, more=more), encoding="utf-8")
    return import_paths([str(path)])


def at_start(found):
    [pool] = found.plan.karpenter.node_pools
    return [(each.machine_type, each.zone, each.capacity_type.value, each.count) for each in pool.initial_nodes]


LIVING = ("m6i.large", "z-b", "spot", 1)


def test_a_machine_whose_node_is_not_in_the_dump_runs_at_the_start(tmp_path):
    assert sorted(at_start(imported(tmp_path, LAUNCHED))) == [("m6i.large", "z-a", "on-demand", 1), LIVING]


def test_a_claim_and_its_node_are_one_machine(tmp_path):
    assert at_start(imported(tmp_path, f"nodeName: ip-1, {LAUNCHED}")) == [LIVING]


@pytest.mark.parametrize(
    ("status", "more", "why"),
    [
        ("conditions: []", "", "not launched yet"),
        (LAUNCHED, 'deletionTimestamp: "2026-01-05T00:00:00Z"', "being deleted"),
    ],
)
def test_claims_without_a_machine_that_stays_are_named_and_left_out(tmp_path, status, more, why):
    found = imported(tmp_path, status, more)
    assert at_start(found) == [LIVING]
    assert any(one.kind == "NodeClaim" and why in str(one) for one in found.losses)
