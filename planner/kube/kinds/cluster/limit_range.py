"""LimitRanges: defaults and bounds of new pods. They act when a pod is created, so a plan holds their effect."""

from planner.kube.draft.draft import Draft
from planner.kube.draft.limits import LimitRangePart
from planner.kube.files.field import Field
from planner.kube.manifest import name_of, namespace_of
from planner.kube.pods.pod_template import resources
from planner.language.translation import marked, tr
from planner.plan.derived.pod_requests import amounts_of
from planner.plan.model.pods.containers import Resources
from planner.units import parse_quantity

KIND, GROUPS = "LimitRange", ("",)
_CONTAINER, _POD = "Container", "Pod"
_CLAIMS = marked("claims are not part of a plan")


def read(manifest: Field, draft: Draft) -> None:
    """Items for containers and pods, with what the API server fills into them (core/v1/defaults.go)."""
    for item in manifest.at("spec", "limits").items():
        kind = item.at("type").required_text()
        if kind not in (_CONTAINER, _POD):
            item.raw()
            draft.losses.add(KIND, tr("spec.limits of type {kind}", kind=kind[:60]), tr(_CLAIMS))
            continue
        least, most = _amounts(item.at("min"), draft), _amounts(item.at("max"), draft)
        limits, requests = _amounts(item.at("default"), draft), _amounts(item.at("defaultRequest"), draft)
        of_pod = kind == _POD
        if not of_pod:
            limits = most | limits
            requests = least | limits | requests
        ratios = {name: _ratio(item.at("maxLimitRequestRatio", name)) for name in item.at("maxLimitRequestRatio").map()}
        part = LimitRangePart(name_of(manifest), of_pod, requests, limits, least, most, ratios)
        draft.limit_ranges.setdefault(namespace_of(manifest), []).append(part)


def _amounts(field: Field, draft: Draft) -> dict[str, int]:
    return amounts_of(Resources.model_validate(resources(field, draft.losses)))


def _ratio(field: Field) -> float:
    try:
        return float(parse_quantity(str(field.value)))
    except (ValueError, OverflowError) as error:
        raise field.problem(f"{error}.", tr("Write a number such as 4 or 1500m.")) from None
