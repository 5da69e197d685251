"""Node pools that the Cluster Autoscaler finds by itself."""

from io import BytesIO

import pytest

from planner.api import import_plan

NODE = """---
apiVersion: v1
kind: Node
metadata: {name: gke-shop-general-1a2b3c-x9z1, labels: {cloud.google.com/gke-nodepool: general}}
status: {allocatable: {cpu: "4", memory: 8Gi, pods: "110"}}
"""
AUTOSCALER = """---
apiVersion: apps/v1
kind: Deployment
metadata: {{name: cluster-autoscaler, namespace: kube-system}}
spec:
  selector: {{matchLabels: {{app: ca}}}}
  template:
    metadata: {{labels: {{app: ca}}}}
    spec:
      containers:
      - name: ca
        image: cluster-autoscaler:v1.36.0
        command: [./cluster-autoscaler, "--node-group-auto-discovery={rule}"]
"""


@pytest.mark.parametrize(
    ("rule", "sizes"),
    [
        ("mig:namePrefix=gke-shop,min=0,max=9", (0, 9)),
        ("mig:min=0,max=9,namePrefix=gke-shop", (0, 9)),
        ("mig:namePrefix=gke-office,min=0,max=9", (1, 1)),
        ("asg:tag=k8s.io/cluster-autoscaler/enabled", (1, 1)),
    ],
)
def test_sizes_of_discovered_pools_are_those_of_the_rule_for_their_names(rule, sizes):
    found = import_plan(["-"], BytesIO((NODE + AUTOSCALER.format(rule=rule)).encode()))
    (pool,) = found.plan.node_groups
    assert (pool.min_size, pool.max_size) == sizes
    is_in_cloud = any("kept in the cloud" in text for text in found.losses.remarks)
    assert is_in_cloud == rule.startswith("asg")
