"""What the LimitRanges of a namespace do to a new pod: missing amounts are filled in, then bounds are checked.

Admission plugin LimitRanger, Kubernetes 1.36, plugin/pkg/admission/limitranger/admission.go. Before it acts, the API
server has copied limits to missing requests. A pod that breaks a bound is refused there; the plan keeps it and says so.
"""

from collections.abc import Iterator, Mapping

from pydantic import ValidationError

from planner.kube.draft.draft import Draft, ObjectKey, Part
from planner.kube.draft.limits import Amounts, LimitRangePart
from planner.kube.pods.pod_difference import pod_difference, shown_amount
from planner.language.translation import tr
from planner.plan.derived.pod_requests import (
    EPHEMERAL_STORAGE,
    amounts_of,
    container_request,
    every_container,
    limit_sums,
    pod_level_requests,
    pod_request,
)
from planner.plan.model.pods.containers import Container, Resources
from planner.plan.model.pods.pod_template import PodTemplate
from planner.units import format_bytes, format_cpu

_FIELDS = {"cpu": "cpu", "memory": "memory", EPHEMERAL_STORAGE: "ephemeralStorage"}


def with_limit_ranges(pod: Part, key: ObjectKey, draft: Draft) -> Part:
    """The template as its pods are created in its namespace."""
    ranges = draft.limit_ranges.get(key[1])
    if not ranges:
        return pod
    try:
        before = PodTemplate.model_validate(pod)
        filled = _filled(pod, before, ranges)
        after = PodTemplate.model_validate(filled)
    except ValidationError:
        return pod  # the check of the plan says what is wrong with the template
    title = f"{key[0]} {key[1]}/{key[2]}"
    difference = pod_difference(before, after, is_by_limits=True)
    if difference is not None:
        draft.losses.take(f"{title}: {difference}")
    for refusal in dict.fromkeys(refusals(after, ranges)):
        draft.losses.remark(
            tr(
                "{title}: the LimitRange refuses its pods ({refusal}); the plan creates them all the same",
                title=title,
                refusal=refusal,
            )
        )
    return pod if difference is None else filled


def _filled(pod: Part, template: PodTemplate, ranges: list[LimitRangePart]) -> Part:
    models = {container.name: container for container in every_container(template)}
    changed = {
        name: [_with_defaults(part, models[part["name"]], ranges) for part in pod[name]]
        for name in ("containers", "initContainers")
        if name in pod
    }
    return pod | changed


def _with_defaults(part: Part, container: Container, ranges: list[LimitRangePart]) -> Part:
    """The first LimitRange that has a default counts."""
    requests, limits = container_request(container), amounts_of(container.limits)
    for each in ranges:
        requests = {**each.default_requests, **requests}
        limits = {**each.default_limits, **limits}
    return {**part, "requests": _spelled(requests), "limits": _spelled(limits)}


def _spelled(amounts: Amounts) -> Part:
    found: Part = {}
    extended = {name: amount for name, amount in amounts.items() if name not in _FIELDS}
    for name, field in _FIELDS.items():
        if name in amounts:
            found[field] = format_cpu(amounts[name]) if name == "cpu" else format_bytes(amounts[name])
    return found | ({"extended": extended} if extended else {})


def refusals(pod: PodTemplate, ranges: list[LimitRangePart]) -> Iterator[str]:
    """The bounds that a pod breaks, in the words of the API server."""
    for each in ranges:
        if each.of_pod:
            requests = pod_request(pod, Resources())
            limits = {**limit_sums(pod), **amounts_of(pod.limits)} if pod_level_requests(pod) else limit_sums(pod)
            yield from _broken(each, "Pod", requests, limits)
        else:
            for container in every_container(pod):
                yield from _broken(each, "Container", container_request(container), amounts_of(container.limits))


def _broken(bounds: LimitRangePart, kind: str, requests: Amounts, limits: Amounts) -> Iterator[str]:
    yield from _below(bounds.least, kind, requests, limits)
    yield from _above(bounds.most, kind, requests, limits)
    for name, most in bounds.ratios.items():
        place = f"{name} max limit to request ratio per {kind} is {most:g}"
        request, limit = requests.get(name, 0), limits.get(name, 0)
        if not request:
            yield f"{place}, but no request is specified or request is 0"
        elif not limit:
            yield f"{place}, but no limit is specified or limit is 0"
        elif limit / request > most:
            yield f"{place}, but provided ratio is {limit / request:f}"


def _below(least: Mapping[str, int], kind: str, requests: Amounts, limits: Amounts) -> Iterator[str]:
    for name, bound in least.items():
        place = f"minimum {name} usage per {kind} is {shown_amount(name, bound)}"
        if name not in requests:
            yield f"{place}. No request is specified"
        elif requests[name] < bound:
            yield f"{place}, but request is {shown_amount(name, requests[name])}"
        elif name in limits and limits[name] < bound:
            yield f"{place}, but limit is {shown_amount(name, limits[name])}"


def _above(most: Mapping[str, int], kind: str, requests: Amounts, limits: Amounts) -> Iterator[str]:
    for name, bound in most.items():
        place = f"maximum {name} usage per {kind} is {shown_amount(name, bound)}"
        if name not in limits:
            yield f"{place}. No limit is specified"
        elif limits[name] > bound:
            yield f"{place}, but limit is {shown_amount(name, limits[name])}"
        elif requests.get(name, 0) > bound:
            yield f"{place}, but request is {shown_amount(name, requests[name])}"
