"""What a pod template requests in all, by resource name: milli-CPU, bytes, units.

Source: Kubernetes 1.36, component-helpers/resource/helpers.go, PodRequests.
"""

from collections.abc import Iterable, Mapping

from planner.matching.taints import TaintEffect, TolerationOperator
from planner.plan.model.pods import Container, PodTemplate, Resources, Toleration

NONZERO_DEFAULTS: Mapping[str, int] = {"cpu": 100, "memory": 200 * 1024 * 1024}
"""What scoring counts for a container that names no request."""
EPHEMERAL_STORAGE = "ephemeral-storage"
HUGE_PAGES = "hugepages-"
"""Beginning of the names of huge pages; the rest is their size."""
Amounts = dict[str, int]


def is_extended_resource(name: str) -> bool:
    """Whether the scheduler counts a resource besides CPU, memory and ephemeral storage: kube-scheduler 1.36,
    util/utils.go, IsScalarResourceName.
    """
    return "/" in name or name.startswith(HUGE_PAGES)


def amounts_of(resources: Resources) -> Amounts:
    """The amounts that are given."""
    amounts = {} if resources.cpu is None else {"cpu": resources.cpu}
    if resources.memory is not None:
        amounts["memory"] = resources.memory
    if resources.ephemeral_storage is not None:
        amounts[EPHEMERAL_STORAGE] = resources.ephemeral_storage
    if resources.extended:
        amounts.update(resources.extended)
    return amounts


def container_request(container: Container) -> Amounts:
    """Requests of a container; a missing one is copied from the limit, as the API server does."""
    return {**amounts_of(container.limits), **amounts_of(container.requests)}


def pod_request(pod: PodTemplate, overhead: Resources) -> Amounts:
    """What filters count: containers, init containers, pod-level requests and the overhead of the runtime class."""
    return _plus(_containers(pod, {}) | _pod_level(pod), amounts_of(overhead))


def container_sums(pod: PodTemplate) -> Amounts:
    """What the containers ask for together, whatever the pod asks for as a whole."""
    return _containers(pod, {})


def pod_score_request(pod: PodTemplate, overhead: Resources) -> Amounts:
    """What the allocation score counts for a pod to be placed: defaults filled in, pod-level requests ignored."""
    return _plus(_containers(pod, NONZERO_DEFAULTS), amounts_of(overhead))


def pod_nonzero(pod: PodTemplate, overhead: Resources) -> tuple[int, int]:
    """CPU and memory a placed pod counts with in scores; defaults only where nobody names the resource."""
    level, defaults = _pod_level(pod), dict(NONZERO_DEFAULTS)
    if level:
        named = level.keys() | {name for c in every_container(pod) for name in container_request(c)}
        defaults = {name: value for name, value in defaults.items() if name not in named}
    total = _plus(_containers(pod, defaults) | level, amounts_of(overhead))
    return total.get("cpu", 0), total.get("memory", 0)


def every_container(pod: PodTemplate) -> Iterable[Container]:
    """Init containers, then main ones."""
    return (*pod.init_containers, *pod.containers)


def running_containers(pod: PodTemplate) -> tuple[Container, ...]:
    """Containers that run as long as the pod: the main ones and the sidecars."""
    return (*pod.containers, *(container for container in pod.init_containers if container.sidecar))


def pressure_tolerations(pod: PodTemplate) -> tuple[Toleration, ...]:
    """What admission adds where pods with requests may stay beside memory pressure: none for BestEffort pods."""
    named = any(amounts_of(c.requests) or amounts_of(c.limits) for c in every_container(pod)) or _pod_level(pod)
    if not named:
        return ()
    key = "node.kubernetes.io/memory-pressure"
    return (Toleration(key=key, operator=TolerationOperator.EXISTS, effect=TaintEffect.NO_SCHEDULE),)


def resource_tolerations(pod: PodTemplate) -> tuple[Toleration, ...]:
    """What the admission plugin ExtendedResourceToleration adds: one for each extended resource asked for."""
    names = {name: None for container in every_container(pod) for name in container_request(container) if "/" in name}
    return tuple(Toleration(key=name, operator=TolerationOperator.EXISTS) for name in sorted(names))


def is_pod_level(name: str) -> bool:
    """Whether a resource can be requested for the pod as a whole."""
    return name in ("cpu", "memory") or name.startswith(HUGE_PAGES)


def _pod_level(pod: PodTemplate) -> Amounts:
    """Pod-level requests replace those of the containers, also where they are smaller."""
    return {name: value for name, value in amounts_of(pod.resources).items() if is_pod_level(name)}


def _containers(pod: PodTemplate, defaults: Mapping[str, int]) -> Amounts:
    """The larger of what runs together and of what any init container needs beside the sidecars before it."""
    total: Amounts = {}
    for container in running_containers(pod):
        total = _plus(total, {**defaults, **container_request(container)})
    side: Amounts = {}
    for init in pod.init_containers:
        needed = _plus(side, {**defaults, **container_request(init)})
        if init.sidecar:
            side = needed
        total = {name: max(total.get(name, 0), needed.get(name, 0)) for name in (*total, *needed)}
    return total


def _plus(one: Mapping[str, int], other: Mapping[str, int]) -> Amounts:
    return {name: one.get(name, 0) + other.get(name, 0) for name in dict.fromkeys((*one, *other))}
