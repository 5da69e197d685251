"""VerticalPodAutoscalers out and in again."""

import pytest

from planner.kube.exporter import export_plan
from planner.kube.importer import import_paths
from planner.plan.checks.validate import check_plan
from planner.plan.model.autoscalers.vertical_pod_autoscaler import (
    ContainerResourcePolicy,
    CpuAndMemory,
    EvictionRequirement,
    VerticalPodAutoscaler,
)
from planner.plan.model.pods.containers import Container, ResizePolicy, Resources
from planner.plan.model.pods.pod_template import PodTemplate
from tests.builders import a_plan, a_workload

POLICY = ContainerResourcePolicy(
    container_name="main",
    min_allowed=CpuAndMemory(cpu="50m"),
    max_allowed=CpuAndMemory(memory="2Gi"),
    controlled_resources=("memory",),
    controlled_values="RequestsOnly",
    integer_cpu=True,
)
REQUIREMENT = EvictionRequirement(resources=("cpu", "memory"), change_requirement="TargetHigherThanRequests")
VPA = VerticalPodAutoscaler(
    name="web",
    target="web",
    update_mode="Initial",
    min_replicas=1,
    container_policies=(POLICY, ContainerResourcePolicy(mode="Off")),
    eviction_requirements=(REQUIREMENT,),
)
MANIFEST = """
apiVersion: autoscaling.k8s.io/v1
kind: VerticalPodAutoscaler
metadata: {name: web}
spec:
  targetRef: {apiVersion: apps/v1, kind: Deployment, name: NAME}
  updatePolicy: {updateMode: InPlaceOrRecreate}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: main, image: web}]}
"""


def test_a_vertical_autoscaler_comes_back(tmp_path):
    export_plan(a_plan(vertical_pod_autoscalers=(VPA,)), tmp_path)
    assert import_paths([str(tmp_path)]).plan.vertical_pod_autoscalers == (VPA,)


def test_a_container_that_only_an_annotation_names_keeps_the_policy_of_all(tmp_path):
    annotation = "vpa-post-processor.kubernetes.io/main_integerCPU"
    text = MANIFEST.replace("NAME", "web").replace(
        "{name: web}", f'{{name: web, annotations: {{{annotation}: "true"}}}}', 1
    )
    policies = "  resourcePolicy: {containerPolicies: [{containerName: '*', minAllowed: {cpu: 50m}}]}\n---\napiVersion:"
    (tmp_path / "vpa.yaml").write_text(text.replace("---\napiVersion:", policies))
    found = import_paths([str(tmp_path)])
    [vpa] = found.plan.vertical_pod_autoscalers
    least = CpuAndMemory(cpu="50m")
    assert vpa.container_policies == (
        ContainerResourcePolicy(min_allowed=least),
        ContainerResourcePolicy(container_name="main", min_allowed=least, integer_cpu=True),
    )
    assert not [loss for loss in found.losses if "annotation" in str(loss)]


def test_a_policy_that_names_no_container_holds_for_none_and_is_told(tmp_path):
    policies = "  resourcePolicy: {containerPolicies: [{minAllowed: {cpu: 50m}}]}\n---\napiVersion: apps/v1"
    (tmp_path / "vpa.yaml").write_text(MANIFEST.replace("NAME", "web").replace("---\napiVersion: apps/v1", policies))
    found = import_paths([str(tmp_path)])
    assert found.plan.vertical_pod_autoscalers[0].container_policies == ()
    assert [loss for loss in found.losses if "holds for no container" in str(loss)]


def test_resizes_in_place_and_their_policy_go_back_and_forth(tmp_path):
    (tmp_path / "vpa.yaml").write_text(MANIFEST.replace("NAME", "web"))
    found = import_paths([str(tmp_path)])
    assert [one.update_mode for one in found.plan.vertical_pod_autoscalers] == ["InPlaceOrRecreate"]
    assert not [loss for loss in found.losses if "updateMode" in str(loss)]
    assert not [problem for problem in check_plan(found.plan) if "vertical" in problem.where]


@pytest.mark.parametrize("policy", [{}, {"cpu": "RestartContainer"}, {"memory": "RestartContainer"}])
def test_the_resize_policy_of_a_container_survives_export_and_import(policy, tmp_path):
    container = Container(requests=Resources(cpu="1", memory="1Gi"), resize_policy=ResizePolicy(**policy))
    plan = a_plan(workloads=(a_workload(pod=PodTemplate(containers=(container,))),))
    export_plan(plan, tmp_path)
    [workload] = import_paths([str(tmp_path)]).plan.workloads
    assert workload.pod.containers[0].resize_policy == container.resize_policy


def test_a_vertical_autoscaler_without_its_target_is_left_out(tmp_path):
    (tmp_path / "vpa.yaml").write_text(MANIFEST.replace("NAME", "shop"))
    assert import_paths([str(tmp_path)]).plan.vertical_pod_autoscalers == ()
