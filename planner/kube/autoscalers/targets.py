"""Autoscalers of imported workloads: the final names of their targets, and series for the metrics they follow."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from planner.kube.autoscalers.metric_series import empty_queue, series_name, stand_in
from planner.kube.draft.draft import Draft, ObjectKey, Part, ScalerPart
from planner.kube.files.source import Source
from planner.language.translation import tr

_Items = list[tuple[Source | None, Part]]


def scaling_sections(
    draft: Draft, names: dict[ObjectKey, str], workloads: Sequence[Part]
) -> Iterator[tuple[str, _Items]]:
    """Sections of the plan with their items. `names`: final names of imported controllers."""
    objects = list(_targeted(draft, draft.event_scalers, "ScaledObject", names))
    jobs = list(_targeted(draft, draft.job_makers, "ScaledJob", names))
    made = {("ScaledObject", part.target[1], part.fields["name"]) for part in objects}
    own = [part for part in draft.scalers if part.owner not in made]
    scalers = list(_targeted(draft, own, "HorizontalPodAutoscaler", names))
    yield "metricSeries", _series((scalers, objects, jobs), workloads, draft)
    yield "horizontalPodAutoscalers", [_item(part, "scaleTarget") for part in scalers]
    yield "scaledObjects", [_item(part, "scaleTarget") for part in objects]
    yield "scaledJobs", [_item(part, "jobTarget") for part in jobs]
    yield "verticalPodAutoscalers", list(_vertical(draft, names))


def _item(part: ScalerPart, key: str) -> tuple[Source | None, Part]:
    return part.source, {**part.fields, key: part.target[2]}


def _targeted(
    draft: Draft, parts: Sequence[ScalerPart], own_kind: str, names: dict[ObjectKey, str]
) -> Iterator[ScalerPart]:
    """Those whose workload is imported, each once; their targets have the names of the plan."""
    seen: dict[tuple[str, str], None] = {}
    for part in parts:
        kind, namespace, name = part.target
        key = (namespace, part.fields["name"])
        if part.target not in names:
            reason = tr(
                "its target {kind} {namespace}/{name} is not among the manifests",
                kind=kind,
                namespace=namespace,
                name=name,
            )
            draft.losses.add(own_kind, "", reason)
        elif key not in seen:
            seen[key] = None
            yield replace(part, target=(kind, namespace, names[part.target]))


def _vertical(draft: Draft, names: dict[ObjectKey, str]) -> Iterator[tuple[Source | None, Part]]:
    """Vertical autoscalers of imported workloads, one for each."""
    seen: dict[ObjectKey, None] = {}
    for part in draft.sized:
        kind, namespace, name = part.target
        if part.target not in names:
            reason = tr(
                "its target {kind} {namespace}/{name} is not among the manifests",
                kind=kind,
                namespace=namespace,
                name=name,
            )
            draft.losses.add("VerticalPodAutoscaler", "", reason)
        elif part.target in seen:
            draft.losses.add(
                "VerticalPodAutoscaler",
                "",
                tr("{kind} {namespace}/{name} already has one", kind=kind, namespace=namespace, name=name),
            )
        else:
            seen[part.target] = None
            yield part.source, {**part.fields, "target": names[part.target]}


def _series(parts: tuple[list[ScalerPart], ...], workloads: Sequence[Part], draft: Draft) -> _Items:
    """A series for each metric that no manifest holds values of; metrics and triggers refer to it by name."""
    scalers, objects, jobs = parts
    replicas = {part["name"]: part.get("replicas", 1) for part in workloads}
    taken: dict[str, None] = {}
    found: _Items = []
    for scaler, list_key, name_key in (
        *((part, "metrics", "metric") for part in scalers),
        *((part, "triggers", "series") for part in objects),
    ):
        metrics, own = scaler.fields.get(list_key, []), scaler.fields["name"]
        for part in scaler.series:
            metrics[part.at][name_key] = name = series_name(part.name, own, taken)
            alone = len(scaler.series) == len(metrics)
            found.append((scaler.source, stand_in(part, name, own, replicas[scaler.target[2]], alone, draft)))
    for scaler in jobs:
        own = scaler.fields["name"]
        for part in scaler.series:
            scaler.fields["triggers"][part.at]["series"] = name = series_name(part.name, own, taken)
            found.append((scaler.source, empty_queue(name, own, draft)))
    return found
