"""In words: how the containers and requests of a pod differ from the template of its controller."""

from collections.abc import Iterator, Mapping

from planner.plan.derived.pod_requests import EPHEMERAL_STORAGE, amounts_of, container_request, pod_request
from planner.plan.model.pods import Container, InitContainer, PodTemplate, Resources
from planner.units import format_bytes, format_cpu


def pod_difference(template: PodTemplate, living: PodTemplate, subject: str = "living pods request") -> str | None:
    """One sentence about the pods; None where both need the same."""
    parts = [*_containers(template, living), *_levels(template, living)]
    if not parts:
        return None
    return f"{subject} {_total(living)}, the template {_total(template)}: {', '.join(parts)}"


def _containers(template: PodTemplate, living: PodTemplate) -> Iterator[str]:
    before, after = _by_name(template), _by_name(living)
    for name, container in after.items():
        if name not in before:
            word = "init container" if _is_passing(container) else "container"
            yield f"{word} {name} added ({_amounts(container_request(container))})"
        else:
            yield from _changes(f"container {name}", before[name], container)
    for name in before:
        if name not in after:
            yield f"container {name} missing"


def _changes(title: str, before: Container, after: Container) -> Iterator[str]:
    yield from _differing(f"{title} requests", container_request(before), container_request(after))
    yield from _differing(f"{title} is limited to", amounts_of(before.limits), amounts_of(after.limits))


def _levels(template: PodTemplate, living: PodTemplate) -> Iterator[str]:
    yield from _differing("the pod as a whole requests", amounts_of(template.resources), amounts_of(living.resources))
    yield from _differing("the pod as a whole is limited to", amounts_of(template.limits), amounts_of(living.limits))


def _differing(title: str, before: Mapping[str, int], after: Mapping[str, int]) -> Iterator[str]:
    for name in dict.fromkeys((*before, *after)):
        old, new = before.get(name), after.get(name)
        if old != new:
            yield f"{title} {shown_amount(name, new)} of {name} instead of {shown_amount(name, old)}"


def _by_name(pod: PodTemplate) -> dict[str, Container]:
    return {container.name: container for container in (*pod.containers, *pod.init_containers)}


def _is_passing(container: Container) -> bool:
    return isinstance(container, InitContainer) and not container.sidecar


def _total(pod: PodTemplate) -> str:
    amounts = pod_request(pod, Resources())
    cores = f"{amounts.get('cpu', 0) / 1000:g} cores"
    return f"{cores} and {format_bytes(amounts.get('memory', 0))}"


def _amounts(amounts: Mapping[str, int]) -> str:
    return " and ".join(f"{shown_amount(name, amount)} of {name}" for name, amount in amounts.items()) or "no request"


def shown_amount(name: str, amount: int | None) -> str:
    """An amount as manifests spell it."""
    if amount is None:
        return "nothing"
    if name == "cpu":
        return format_cpu(amount)
    return format_bytes(amount) if name in ("memory", EPHEMERAL_STORAGE) else str(amount)
