"""VerticalPodAutoscalers, autoscaling.k8s.io/v1."""

import re
from collections.abc import Iterator

from planner.kube.draft.draft import Draft, Part, ScalerPart, given
from planner.kube.files.field import Field
from planner.kube.manifest import framed, name_of, namespace_of
from planner.language.translation import tr
from planner.plan.model.autoscalers.hpa_metric import ResourceName
from planner.plan.model.autoscalers.vertical_pod_autoscaler import (
    EVERY_CONTAINER,
    ChangeRequirement,
    ContainerResourcePolicy,
    ControlledValues,
    CpuAndMemory,
    ScalingMode,
    VpaUpdateMode,
)
from planner.plan.model.plan import Plan
from planner.units import format_bytes, format_cpu

KIND, GROUPS = "VerticalPodAutoscaler", ("autoscaling.k8s.io",)
_WHOLE_CORES = re.compile(r"vpa-post-processor\.kubernetes\.io/(?P<container>.+)_integerCPU")
"""Annotation of containers whose CPU is recommended in whole cores (VPA 1.8, cpu_integer_post_processor.go)."""


def read(manifest: Field, draft: Draft) -> None:
    """An autoscaler of requests."""
    spec, namespace = manifest.at("spec"), namespace_of(manifest)
    reference, policy = spec.at("targetRef"), spec.at("updatePolicy")
    reference.at("apiVersion").text()
    target = (reference.at("kind").required_text(), namespace, reference.at("name").required_text())
    mode = policy.at("updateMode").text()
    usual = mode in (None, "", "Auto", VpaUpdateMode.RECREATE)
    requirements = [
        {
            "resources": [one.text() for one in item.at("resources").items()],
            "changeRequirement": item.at("changeRequirement").choice(ChangeRequirement),
        }
        for item in policy.at("evictionRequirements").items()
    ]
    fields = given(
        name=name_of(manifest),
        namespace=None if namespace == "default" else namespace,
        update_mode=None if usual else policy.at("updateMode").choice(VpaUpdateMode),
        min_replicas=policy.at("minReplicas").whole(),
        eviction_requirements=requirements or None,
        container_policies=_policies(manifest, draft) or None,
    )
    draft.sized.append(ScalerPart(manifest.source, target, fields))


def _policies(manifest: Field, draft: Draft) -> list[Part]:
    """The container policies; a container that only an annotation names has what holds for all others.

    A policy without a name is that of no container (VPA 1.8, pkg/utils/vpa/api.go, GetContainerResourcePolicy).
    """
    policies = list[Part]()
    for one in manifest.at("spec", "resourcePolicy", "containerPolicies").items():
        policy = _policy(one)
        if policy.get("containerName"):
            policies.append(policy)
        else:
            draft.losses.add(KIND, "containerPolicies", tr("a policy without containerName holds for no container"))
    annotations = manifest.at("metadata", "annotations")
    for key in annotations.map():
        found = _WHOLE_CORES.fullmatch(key)
        if found is None or annotations.at(key).text() != "true":
            continue
        by_name = {one.get("containerName", EVERY_CONTAINER): one for one in policies}
        name = found["container"]
        if name not in by_name:
            policies.append({**by_name.get(EVERY_CONTAINER, {}), "containerName": name})
            by_name[name] = policies[-1]
        by_name[name]["integerCpu"] = True
    return policies


def _policy(field: Field) -> Part:
    mode, values = field.at("mode").choice(ScalingMode), field.at("controlledValues").choice(ControlledValues)
    controlled = field.at("controlledResources")
    part = given(
        container_name=field.at("containerName").text(),
        mode=None if mode == ScalingMode.AUTO else mode,
        min_allowed=_amounts(field.at("minAllowed")) or None,
        max_allowed=_amounts(field.at("maxAllowed")) or None,
        controlled_values=None if values == ControlledValues.REQUESTS_AND_LIMITS else values,
    )
    if controlled.is_given:
        part["controlledResources"] = [one.choice(ResourceName) for one in controlled.items()]
    return part


def _amounts(field: Field) -> Part:
    return given(cpu=field.at("cpu").cpu(), memory=field.at("memory").memory())


def write(plan: Plan) -> Iterator[Part]:
    """All vertical autoscalers of the plan."""
    kinds = {(workload.namespace, workload.name): workload.kind.value for workload in plan.workloads}
    for vpa in plan.vertical_pod_autoscalers:
        kind = kinds.get((vpa.namespace, vpa.target), "Deployment")
        version = "batch/v1" if kind == "Job" else "apps/v1"
        policy = given(update_mode=vpa.update_mode.value, min_replicas=vpa.min_replicas)
        if vpa.eviction_requirements:
            policy["evictionRequirements"] = [
                {"resources": [one.value for one in item.resources], "changeRequirement": item.change_requirement.value}
                for item in vpa.eviction_requirements
            ]
        spec: Part = {"targetRef": {"apiVersion": version, "kind": kind, "name": vpa.target}, "updatePolicy": policy}
        if vpa.container_policies:
            spec["resourcePolicy"] = {"containerPolicies": [_policy_manifest(one) for one in vpa.container_policies]}
        manifest = framed("autoscaling.k8s.io/v1", KIND, vpa.name, vpa.namespace, spec=spec)
        whole = [one.container_name for one in vpa.container_policies if one.integer_cpu]
        if whole:
            names = [f"vpa-post-processor.kubernetes.io/{name}_integerCPU" for name in whole]
            manifest["metadata"]["annotations"] = dict.fromkeys(names, "true")
        yield manifest


def _policy_manifest(policy: ContainerResourcePolicy) -> Part:
    part = given(
        container_name=policy.container_name,
        mode=policy.mode.value,
        min_allowed=_amounts_manifest(policy.min_allowed) or None,
        max_allowed=_amounts_manifest(policy.max_allowed) or None,
        controlled_values=policy.controlled_values.value,
    )
    part["controlledResources"] = [one.value for one in policy.controlled_resources]
    return part


def _amounts_manifest(amounts: CpuAndMemory) -> Part:
    known = amounts.amounts
    return given(
        cpu=format_cpu(known["cpu"]) if "cpu" in known else None,
        memory=format_bytes(known["memory"]) if "memory" in known else None,
    )
