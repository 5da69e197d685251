"""HorizontalPodAutoscalers, autoscaling/v2 and v1."""

from collections.abc import Iterator
from typing import Any

from planner.kube.draft.draft import Draft, Part, ScalerPart, SeriesPart, given
from planner.kube.files.field import Field
from planner.kube.manifest import framed, name_of, namespace_of
from planner.kube.pods.pod_manifest import whole_seconds
from planner.plan.model.autoscalers.horizontal_pod_autoscaler import (
    HorizontalPodAutoscaler,
    PolicyType,
    ScalingRules,
    SelectPolicy,
)
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
_NO_LABELS = "a metric series of the plan has no labels"


def read(manifest: Field, draft: Draft) -> None:
    """An autoscaler, and the metrics for which a series has to stand in."""
    spec = manifest.at("spec")
    namespace = namespace_of(manifest)
    reference = spec.at("scaleTargetRef")
    target = (reference.at("kind").required_text(), namespace, reference.at("name").required_text())
    api_version = reference.at("apiVersion").text() or ""
    series: list[SeriesPart] = []
    metrics = _metrics(spec, series, draft)
    behavior = _behavior(spec.at("behavior"))
    if metrics is None:
        draft.losses.add(KIND, "", "none of its metrics can be used")
        return
    highest = spec.at("maxReplicas").whole()
    if highest is None:
        raise spec.at("maxReplicas").problem("The field is missing.", "Give the largest number of replicas.")
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
        draft.losses.add(KIND, "", f"the controller would not find {target[0]} in {api_version[:100]}")
        return
    draft.scalers.append(ScalerPart(manifest.source, target, fields, tuple(series)))


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
        draft.losses.add(KIND, f"spec.metrics[].{_BODY[kind]}.metric.selector", _NO_LABELS)
    described = body.at("describedObject")
    for part in ("apiVersion", "name"):
        described.at(part).text()
    target.at("type").required_text()
    wanted = TargetType(target.at("type").choice(ALLOWED_TARGETS[kind]) or "")
    key = "value" if wanted is TargetType.VALUE else "averageValue"
    amount = target.at(key).cpu()
    if amount is None:
        raise target.at(key).problem("The field is missing.", 'Give the target, for example "30".')
    series.append(SeriesPart(at, name, kind, wanted, amount))
    found = {"type": kind.value} | given(described_kind=described.at("kind").text() or None)
    return {**found, "targetType": wanted.value, key: amount}


def _resource_metric(kind: MetricSource, body: Field, draft: Draft) -> Part | None:
    name, target = body.at("name").required_text(), body.at("target")
    if name not in list(ResourceName):
        body.raw()
        draft.losses.add(KIND, f"spec.metrics[].{_BODY[kind]}.name {name[:40]}", "only cpu and memory are measured")
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


def _behavior(field: Field) -> Part | None:
    """Even an empty behavior differs from none."""
    if not field.is_given:
        return None
    return given(scale_up=_rules(field.at("scaleUp")), scale_down=_rules(field.at("scaleDown")))


def _rules(field: Field) -> Part:
    tolerance = field.at("tolerance")
    select = field.at("selectPolicy").choice(SelectPolicy)
    thousandths = Field(tolerance.value, tolerance.source, tolerance.path).cpu() if tolerance.is_given else None
    rules = given(
        stabilization_window=field.at("stabilizationWindowSeconds").seconds(),
        select_policy=None if select == SelectPolicy.MAX else select,
        tolerance=None if thousandths is None else _share(thousandths),
    )
    policies = field.at("policies")
    if policies.is_given:
        rules["policies"] = [
            {
                "type": part.at("type").choice(PolicyType),
                "value": part.at("value").whole(),
                "period": part.at("periodSeconds").seconds(),
            }
            for part in policies.items()
        ]
    return rules


def _share(milli: str) -> float:
    return int(milli.removesuffix("m")) / 1000 if milli.endswith("m") else float(int(milli))


def canonical_quantity(milli: int, binary: bool = False) -> str:
    """A number of milli-units as Kubernetes writes it: "1263m", "2k"; with `binary`, "336Mi" when it is whole."""
    sign, amount = ("-", -milli) if milli < 0 else ("", milli)
    if amount == 0:
        return "0"
    if binary and amount % 1000 == 0 and amount // 1000 >= 1024:
        return sign + _scaled(amount // 1000, 1024, ("", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"))
    return sign + _scaled(amount, 1000, ("m", "", "k", "M", "G", "T", "P", "E"))


def _scaled(amount: int, base: int, suffixes: tuple[str, ...]) -> str:
    step = 0
    while amount % base == 0 and step + 1 < len(suffixes):
        amount //= base
        step += 1
    return f"{amount}{suffixes[step]}"


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
            spec["behavior"] = _behavior_manifest(scaler)
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


def _behavior_manifest(scaler: HorizontalPodAutoscaler) -> Part:
    if scaler.behavior is None:
        return {}
    return given(
        scale_up=_rules_manifest(scaler.behavior.scale_up), scale_down=_rules_manifest(scaler.behavior.scale_down)
    )


def _rules_manifest(rules: ScalingRules) -> Part:
    window = rules.stabilization_window
    written = given(
        stabilization_window_seconds=None if window is None else whole_seconds(window),
        select_policy=None if rules.select_policy is SelectPolicy.MAX else rules.select_policy.value,
        tolerance=None if rules.tolerance is None else canonical_quantity(round(rules.tolerance * 1000)),
    )
    if rules.policies is not None:
        written["policies"] = [
            {"type": policy.type.value, "value": policy.value, "periodSeconds": whole_seconds(policy.period)}
            for policy in rules.policies
        ]
    return written
