"""VerticalPodAutoscalers, autoscaling.k8s.io/v1."""

from collections.abc import Iterator

from planner.kube.draft.draft import Draft, Part, ScalerPart, given
from planner.kube.files.field import Field
from planner.kube.manifest import framed, name_of, namespace_of
from planner.plan.model.autoscalers.hpa_metric import ResourceName
from planner.plan.model.autoscalers.vertical_pod_autoscaler import (
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
        container_policies=[_policy(one) for one in spec.at("resourcePolicy", "containerPolicies").items()] or None,
    )
    draft.sized.append(ScalerPart(manifest.source, target, fields))


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
        yield framed("autoscaling.k8s.io/v1", KIND, vpa.name, vpa.namespace, spec=spec)


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
