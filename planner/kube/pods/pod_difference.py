"""In words: how the containers and requests of a pod differ from the template of its controller."""

from collections.abc import Iterator, Mapping

from planner.language.translation import tr
from planner.plan.derived.pod_requests import EPHEMERAL_STORAGE, amounts_of, container_request, pod_request
from planner.plan.model.pods.containers import Container, InitContainer, Resources
from planner.plan.model.pods.pod_template import PodTemplate
from planner.units import format_bytes, format_cpu


def pod_difference(template: PodTemplate, living: PodTemplate, is_by_limits: bool = False) -> str | None:
    """One sentence about the pods, which differ by their LimitRange or live so; None where both need the same."""
    parts = [*_containers(template, living), *_levels(template, living)]
    if not parts:
        return None
    values = {"living": _total(living), "template": _total(template), "parts": ", ".join(parts)}
    if is_by_limits:
        return tr("its LimitRange makes pods request {living}, the template {template}: {parts}", **values)
    return tr("living pods request {living}, the template {template}: {parts}", **values)


def _containers(template: PodTemplate, living: PodTemplate) -> Iterator[str]:
    before, after = _by_name(template), _by_name(living)
    for name, container in after.items():
        if name not in before:
            amounts = _amounts(container_request(container))
            if _is_passing(container):
                yield tr("init container {name} added ({amounts})", name=name, amounts=amounts)
            else:
                yield tr("container {name} added ({amounts})", name=name, amounts=amounts)
        else:
            yield from _changes(tr("container {name}", name=name), before[name], container)
    for name in before:
        if name not in after:
            yield tr("container {name} missing", name=name)


def _changes(title: str, before: Container, after: Container) -> Iterator[str]:
    yield from _requested(title, container_request(before), container_request(after))
    yield from _limited(title, amounts_of(before.limits), amounts_of(after.limits))


def _levels(template: PodTemplate, living: PodTemplate) -> Iterator[str]:
    title = tr("the pod as a whole")
    yield from _requested(title, amounts_of(template.resources), amounts_of(living.resources))
    yield from _limited(title, amounts_of(template.limits), amounts_of(living.limits))


def _requested(title: str, before: Mapping[str, int], after: Mapping[str, int]) -> Iterator[str]:
    for name, new, old in _differing(before, after):
        yield tr("{title} requests {new} of {name} instead of {old}", title=title, new=new, name=name, old=old)


def _limited(title: str, before: Mapping[str, int], after: Mapping[str, int]) -> Iterator[str]:
    for name, new, old in _differing(before, after):
        yield tr("{title} is limited to {new} of {name} instead of {old}", title=title, new=new, name=name, old=old)


def _differing(before: Mapping[str, int], after: Mapping[str, int]) -> Iterator[tuple[str, str, str]]:
    """Resources of which there is another amount, with the new one and the old one."""
    for name in dict.fromkeys((*before, *after)):
        old, new = before.get(name), after.get(name)
        if old != new:
            yield name, shown_amount(name, new), shown_amount(name, old)


def _by_name(pod: PodTemplate) -> dict[str, Container]:
    return {container.name: container for container in (*pod.containers, *pod.init_containers)}


def _is_passing(container: Container) -> bool:
    return isinstance(container, InitContainer) and not container.sidecar


def _total(pod: PodTemplate) -> str:
    amounts = pod_request(pod, Resources())
    return tr(
        "{cores:g} cores and {memory}",
        cores=amounts.get("cpu", 0) / 1000, memory=format_bytes(amounts.get("memory", 0)),
    )  # fmt: skip


def _amounts(amounts: Mapping[str, int]) -> str:
    parts = (tr("{amount} of {name}", amount=shown_amount(name, one), name=name) for name, one in amounts.items())
    return tr(" and ").join(parts) or tr("no request")


def shown_amount(name: str, amount: int | None) -> str:
    """An amount as manifests spell it."""
    if amount is None:
        return tr("nothing")
    if name == "cpu":
        return format_cpu(amount)
    return format_bytes(amount) if name in ("memory", EPHEMERAL_STORAGE) else str(amount)
