"""ScaledObjects, keda.sh/v1alpha1."""

from collections.abc import Iterator

from planner.kube.autoscalers.hpa_behavior import behavior_manifest, read_behavior
from planner.kube.autoscalers.quantities import canonical_quantity
from planner.kube.draft.draft import Draft, Part, ScalerPart, given
from planner.kube.files.field import Field
from planner.kube.kinds.keda.flags import DOMAIN, PAUSED, is_set
from planner.kube.kinds.keda.triggers import read_triggers, trigger_manifest
from planner.kube.manifest import framed, name_of, namespace_of
from planner.kube.pods.pod_manifest import whole_seconds
from planner.language.translation import tr
from planner.plan.model.autoscalers.scaled_object import ExternalTarget, FallbackSize, ScaledObject
from planner.plan.model.plan import Plan

KIND, GROUPS = "ScaledObject", ("keda.sh",)
_FLAGS = {
    PAUSED: "paused",
    "paused-scale-in": "pausedScaleIn",
    "paused-scale-out": "pausedScaleOut",
    "force-activation": "forceActivation",
}
"""Annotations, and what plans call them."""
_BODY = "horizontalPodAutoscalerConfig"


def read(manifest: Field, draft: Draft) -> None:
    """A scaled object, and the triggers for which a series has to stand in."""
    spec, namespace = manifest.at("spec"), namespace_of(manifest)
    reference, advanced = spec.at("scaleTargetRef"), spec.at("advanced")
    for field in (reference.at("apiVersion"), reference.at("envSourceContainerName")):
        field.raw()
    target = (reference.at("kind").text() or "Deployment", namespace, reference.at("name").required_text())
    triggers, series = read_triggers(spec.at("triggers").items(), KIND, draft)
    if not triggers:
        draft.losses.add(KIND, "", tr("none of its triggers can be used"))
        return
    advanced.at("restoreToOriginalReplicaCount").raw()
    advanced.at(_BODY, "name").raw()
    fields = given(
        name=name_of(manifest),
        namespace=None if namespace == "default" else namespace,
        polling_interval=spec.at("pollingInterval").seconds(),
        cooldown_period=spec.at("cooldownPeriod").seconds(),
        initial_cooldown_period=spec.at("initialCooldownPeriod").seconds(),
        min_replicas=spec.at("minReplicaCount").whole(),
        max_replicas=spec.at("maxReplicaCount").whole(),
        idle_replicas=spec.at("idleReplicaCount").whole(),
        fallback=_fallback(spec.at("fallback")),
        scaling_modifiers=_modifiers(advanced.at("scalingModifiers")),
    )
    behavior = read_behavior(advanced.at(_BODY, "behavior"))
    if behavior is not None:
        fields["behavior"] = behavior
    fields |= {"triggers": triggers} | _pauses(manifest.at("metadata", "annotations"))
    draft.event_scalers.append(ScalerPart(manifest.source, target, fields, tuple(series)))


def _pauses(annotations: Field) -> Part:
    found: Part = {key: True for name, key in _FLAGS.items() if is_set(annotations, name)}
    replicas = annotations.at(f"{DOMAIN}/paused-replicas").text()
    if replicas is not None and replicas.isdecimal():
        found["pausedReplicas"] = int(replicas)
    elif replicas is not None:  # neither an HPA nor a loop that changes anything
        found["paused"] = True
    return found


def _fallback(field: Field) -> Part:
    return given(
        failure_threshold=field.at("failureThreshold").whole(),
        replicas=field.at("replicas").whole(),
        behavior=field.at("behavior").choice(FallbackSize),
    )


def _modifiers(field: Field) -> Part:
    return given(
        formula=field.at("formula").text() or None,
        target=field.at("target").cpu(),
        activation_target=field.at("activationTarget").cpu(),
        target_type=field.at("metricType").choice(ExternalTarget),
    )


def write(plan: Plan) -> Iterator[Part]:
    """All scaled objects of the plan."""
    kinds = {(workload.namespace, workload.name): workload.kind.value for workload in plan.workloads}
    for one in plan.scaled_objects:
        kind = kinds.get((one.namespace, one.scale_target), "Deployment")
        manifest = framed("keda.sh/v1alpha1", KIND, one.name, one.namespace, spec=_spec(one, kind))
        annotations = _annotations(one)
        if annotations:
            manifest["metadata"]["annotations"] = annotations
        yield manifest


def _spec(one: ScaledObject, kind: str) -> Part:
    fallback = one.fallback
    spec = given(
        scale_target_ref={"apiVersion": "apps/v1", "kind": kind, "name": one.scale_target},
        polling_interval=whole_seconds(one.polling_interval),
        cooldown_period=whole_seconds(one.cooldown_period),
        initial_cooldown_period=whole_seconds(one.initial_cooldown_period) or None,
        min_replica_count=one.min_replicas,
        max_replica_count=one.max_replicas,
        idle_replica_count=one.idle_replicas,
        advanced=_advanced(one),
        triggers=[trigger_manifest(trigger) for trigger in one.triggers],
    )
    if fallback is not None:
        spec["fallback"] = {
            "failureThreshold": fallback.failure_threshold,
            "replicas": fallback.replicas,
            "behavior": fallback.behavior.value,
        }
    return spec


def _advanced(one: ScaledObject) -> Part:
    advanced: Part = {}
    if one.behavior is not None:
        advanced[_BODY] = {"behavior": behavior_manifest(one.behavior)}
    if one.scaling_modifiers is not None:
        modifiers = one.scaling_modifiers
        advanced["scalingModifiers"] = given(
            formula=modifiers.formula,
            target=canonical_quantity(modifiers.target),
            activation_target=canonical_quantity(modifiers.activation_target) if modifiers.activation_target else None,
            metric_type=modifiers.target_type.value,
        )
    return advanced


def _annotations(one: ScaledObject) -> dict[str, str]:
    given_flags = (one.paused, one.paused_scale_in, one.paused_scale_out, one.force_activation)
    found = {f"{DOMAIN}/{name}": "true" for name, is_set in zip(_FLAGS, given_flags, strict=True) if is_set}
    if one.paused_replicas is not None:
        found[f"{DOMAIN}/paused-replicas"] = str(one.paused_replicas)
    return found
