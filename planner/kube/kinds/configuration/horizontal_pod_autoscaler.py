"""HorizontalPodAutoscalers, autoscaling/v2 and v1."""

from collections.abc import Iterator
from typing import Any

from planner.kube.autoscalers.hpa_behavior import behavior_manifest, read_behavior
from planner.kube.autoscalers.quantities import canonical_quantity
from planner.kube.draft.draft import Draft, Part, ScalerPart, SeriesPart, given
from planner.kube.files.field import Field
from planner.kube.manifest import framed, name_of, namespace_of, owner_of
from planner.language.translation import marked, tr
from planner.plan.model.autoscalers.hpa_metric import (
    ALLOWED_TARGETS,
    SERIES_SOURCES,
    HpaMetric,
    MetricSource,
    ResourceName,
    TargetType,
)
from planner.plan.model.plan import Plan

KIND, GROUPS = "HorizontalPodAutoscaler", ("autoscaling",)
_BODY = {
    MetricSource.RESOURCE: "resource",
    MetricSource.CONTAINER_RESOURCE: "containerResource",
    MetricSource.PODS: "pods",
    MetricSource.OBJECT: "object",
    MetricSource.EXTERNAL: "external",
}
_SCALED_KINDS = ("Deployment", "ReplicaSet", "StatefulSet")
_GROUP_OF_SCALED = "apps"
_NO_LABELS = marked("a metric series of the plan has no labels")


def read(manifest: Field, draft: Draft) -> None:
    """An autoscaler, and the metrics for which a series has to stand in."""
    spec = manifest.at("spec")
    namespace = namespace_of(manifest)
    reference = spec.at("scaleTargetRef")
    target = (reference.at("kind").required_text(), namespace, reference.at("name").required_text())
    api_version = reference.at("apiVersion").text() or ""
    series: list[SeriesPart] = []
    metrics = _metrics(spec, series, draft)
    behavior = read_behavior(spec.at("behavior"))
    if metrics is None:
        draft.losses.add(KIND, "", tr("none of its metrics can be used"))
        return
    highest = spec.at("maxReplicas").whole()
    if highest is None:
        raise spec.at("maxReplicas").problem(tr("The field is missing."), tr("Give the largest number of replicas."))
    fields = given(
        name=name_of(manifest),
        namespace=None if namespace == "default" else namespace,
        min_replicas=spec.at("minReplicas").whole(),
        max_replicas=highest,
        metrics=metrics,
    )
    if behavior is not None:
        fields["behavior"] = behavior
    if not _has_kind(api_version, target[0]):
        draft.losses.add(
            KIND,
            "",
            tr(
                "the controller would not find {target} in {api_version}",
                target=target[0],
                api_version=api_version[:100],
            ),
        )
        return
    draft.scalers.append(ScalerPart(manifest.source, target, fields, tuple(series), owner_of(manifest)))


def _has_kind(api_version: str, kind: str) -> bool:
    """Whether the API group that the reference names, if any, has the kind; the version does not matter.

    Kubernetes 1.36, pkg/controller/podautoscaler/horizontal.go, reconcileAutoscaler maps group and kind alone.
    """
    if not api_version or kind not in _SCALED_KINDS:
        return True
    group, _, version = api_version.rpartition("/")
    return group == _GROUP_OF_SCALED and bool(version)


def _metrics(spec: Field, series: list[SeriesPart], draft: Draft) -> list[Part] | None:
    """None: it has metrics, but none that the plan can follow. Empty: the default of Kubernetes."""
    percent = spec.at("targetCPUUtilizationPercentage").whole()
    if percent is not None:
        return [{"averageUtilization": percent}]
    found: list[Part] = []
    items = spec.at("metrics").items()
    for item in items:
        item.at("type").required_text()
        kind = MetricSource(item.at("type").choice(MetricSource) or "")
        if kind in SERIES_SOURCES:
            found.append(_series_metric(kind, item.at(_BODY[kind]), len(found), series, draft))
            continue
        metric = _resource_metric(kind, item.at(_BODY[kind]), draft)
        if metric is not None:
            found.append(metric)
    return None if items and not found else found


def _series_metric(kind: MetricSource, body: Field, at: int, series: list[SeriesPart], draft: Draft) -> Part:
    """A metric without the name of its series, which is chosen when all are known."""
    identifier, target = body.at("metric"), body.at("target")
    name = identifier.at("name").required_text()
    if identifier.at("selector").raw():
        draft.losses.add(KIND, f"spec.metrics[].{_BODY[kind]}.metric.selector", tr(_NO_LABELS))
    described = body.at("describedObject")
    for part in ("apiVersion", "name"):
        described.at(part).text()
    target.at("type").required_text()
    wanted = TargetType(target.at("type").choice(ALLOWED_TARGETS[kind]) or "")
    key = "value" if wanted is TargetType.VALUE else "averageValue"
    amount = target.at(key).cpu()
    if amount is None:
        raise target.at(key).problem(tr("The field is missing."), tr('Give the target, for example "30".'))
    series.append(SeriesPart(at, name, kind, wanted, amount))
    found = {"type": kind.value} | given(described_kind=described.at("kind").text() or None)
    return {**found, "targetType": wanted.value, key: amount}


def _resource_metric(kind: MetricSource, body: Field, draft: Draft) -> Part | None:
    name, target = body.at("name").required_text(), body.at("target")
    if name not in list(ResourceName):
        body.raw()
        draft.losses.add(KIND, f"spec.metrics[].{_BODY[kind]}.name {name[:40]}", tr("only cpu and memory are measured"))
        return None
    target.at("type").required_text()
    wanted = target.at("type").choice(ALLOWED_TARGETS[kind])
    utilization = wanted == TargetType.UTILIZATION
    amount: Any = target.at("averageUtilization").whole() if utilization else _amount(target.at("averageValue"), name)
    return given(
        type=None if kind is MetricSource.RESOURCE else kind.value,
        resource=None if name == ResourceName.CPU else name,
        container=body.at("container").text() or None,
        target_type=None if utilization else wanted,
        **({"average_utilization": amount} if utilization else {"average_value": amount}),
    )


def _amount(field: Field, resource: str) -> str | None:
    return field.cpu() if resource == ResourceName.CPU else field.memory()


def write(plan: Plan) -> Iterator[Part]:
    """All autoscalers of the plan."""
    kinds = {(workload.namespace, workload.name): workload.kind.value for workload in plan.workloads}
    for scaler in plan.horizontal_pod_autoscalers:
        kind = kinds.get((scaler.namespace, scaler.scale_target), "Deployment")
        spec = given(
            scale_target_ref={"apiVersion": "apps/v1", "kind": kind, "name": scaler.scale_target},
            min_replicas=scaler.min_replicas,
            max_replicas=scaler.max_replicas,
            metrics=[_metric_manifest(metric) for metric in scaler.metrics],
        )
        if scaler.behavior is not None:
            spec["behavior"] = behavior_manifest(scaler.behavior)
        yield framed("autoscaling/v2", KIND, scaler.name, scaler.namespace, spec=spec)


def _metric_manifest(metric: HpaMetric) -> Part:
    target: Part = {"type": metric.target_type.value}
    if metric.target_type is TargetType.UTILIZATION:
        target["averageUtilization"] = metric.target
    else:
        key = "value" if metric.target_type is TargetType.VALUE else "averageValue"
        target[key] = canonical_quantity(metric.target, binary=metric.resource is ResourceName.MEMORY)
    if metric.type in SERIES_SOURCES:
        body: Part = {"metric": {"name": metric.metric}}
        if metric.type is MetricSource.OBJECT:
            body["describedObject"] = {"apiVersion": "v1", "kind": metric.described_kind, "name": metric.metric}
    else:
        body = given(name=metric.resource.value, container=metric.container or None)
    return {"type": metric.type.value, _BODY[metric.type]: {**body, "target": target}}
