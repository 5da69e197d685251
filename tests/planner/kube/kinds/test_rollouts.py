"""Rollouts of Argo are workloads that an autoscaler may scale."""

from io import BytesIO

import pytest

from planner.api import import_plan

ROLLOUT = """
apiVersion: argoproj.io/v1alpha1
kind: Rollout
metadata: {{name: web}}
spec:
  replicas: 4
  selector: {{matchLabels: {{app: web}}}}
  strategy: {strategy}
  template:
    metadata: {{labels: {{app: web}}}}
    spec: {{containers: [{{name: main, resources: {{requests: {{cpu: 100m}}}}}}]}}
---
apiVersion: apps/v1
kind: ReplicaSet
metadata: {{name: web-5f6d, ownerReferences: [{{kind: Rollout, name: web, controller: true}}]}}
spec: {{replicas: 4, template: {{spec: {{containers: [{{name: main}}]}}}}}}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {{name: web}}
spec:
  scaleTargetRef: {{apiVersion: argoproj.io/v1alpha1, kind: Rollout, name: web}}
  maxReplicas: 10
"""


def imported(text):
    return import_plan(["-"], BytesIO(text.encode()))


@pytest.mark.parametrize(
    ("strategy", "surge", "unavailable"),
    [
        ("{canary: {maxSurge: 2, maxUnavailable: 1, steps: [{setWeight: 20}]}}", 2, 1),
        ("{canary: {steps: [{setWeight: 20}]}}", "25%", "25%"),
        ("{blueGreen: {activeService: web}}", "100%", 0),
    ],
    ids=["canary", "canary with defaults", "blue and green"],
)
def test_a_rollout_is_a_deployment_with_its_own_replicas_and_surge(strategy, surge, unavailable):
    found = imported(ROLLOUT.format(strategy=strategy))
    (workload,) = found.plan.workloads
    assert (workload.name, workload.kind, workload.replicas) == ("web", "Deployment", 4)
    assert str(workload.update_strategy.max_surge) == str(surge)
    assert str(workload.update_strategy.max_unavailable) == str(unavailable)
    (scaler,) = found.plan.horizontal_pod_autoscalers
    assert scaler.scale_target == "web"
    assert any("becomes a Deployment" in text for text in found.losses.remarks)


def test_a_rollout_of_another_object_is_listed():
    text = ROLLOUT.format(strategy="{canary: {}}").partition("---")[0]
    found = imported(text.partition("  strategy")[0] + "  workloadRef: {kind: Deployment, name: web}\n" + ROLLOUT[:0])
    assert not found.plan.workloads and any("workloadRef" in loss.reason for loss in found.losses)
