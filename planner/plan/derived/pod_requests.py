"""Total requests of a pod template by resource name: milli-CPU, bytes, units.

Sources: Kubernetes 1.36, component-helpers/resource/helpers.go (PodRequests, PodLimits); for what the API server fills
in, pkg/apis/core/v1/defaults.go.
"""

from collections.abc import Callable, Iterable, Mapping

from planner.matching.taints import TaintEffect, TolerationOperator
from planner.plan.model.pods.containers import Container, Resources
from planner.plan.model.pods.placement import Toleration
from planner.plan.model.pods.pod_template import PodTemplate

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
    """Requests of a container; the API server copies a missing one from the limit."""
    return {**amounts_of(container.limits), **amounts_of(container.requests)}


def pod_request(pod: PodTemplate, overhead: Resources) -> Amounts:
    """What filters count: containers, init containers, pod-level requests and the overhead of the runtime class."""
    return _plus(container_sums(pod) | pod_level_requests(pod), amounts_of(overhead))


def container_sums(pod: PodTemplate) -> Amounts:
    """What the containers request together, whatever the pod requests as a whole."""
    return _together(pod, container_request)


def limit_sums(pod: PodTemplate) -> Amounts:
    """Limits of the containers together; a container without limit adds nothing."""
    return _together(pod, lambda container: amounts_of(container.limits))


def pod_level_requests(pod: PodTemplate) -> Amounts:
    """CPU and memory requested for the pod as a whole; they replace the sums of the containers.

    Where the pod as a whole has limits, the API server fills in what is missing from the containers' sums, or else from
    these limits.
    """
    given, limits = _pod_level(pod.resources), _pod_level(pod.limits)
    if not limits:
        return given
    sums = {name: amount for name, amount in container_sums(pod).items() if is_pod_level(name)}
    return limits | sums | given


def kubelet_request(pod: PodTemplate, overhead: Resources) -> Amounts:
    """What the kubelet compares the use of a pod with when it ranks pods for eviction.

    Pod-level requests count alone where there are any, and overhead only on top of another request (Kubernetes 1.36,
    pkg/api/v1/resource/helpers.go, GetResourceRequest).
    """
    requested = pod_level_requests(pod) or container_sums(pod)
    extra = amounts_of(overhead)
    return {name: amount + extra.get(name, 0) for name, amount in requested.items() if amount}


def pod_score_request(pod: PodTemplate, overhead: Resources) -> Amounts:
    """What the allocation score counts for a pod to be placed: defaults filled in, pod-level requests ignored."""
    return _plus(_with_defaults(pod, NONZERO_DEFAULTS), amounts_of(overhead))


def pod_nonzero(pod: PodTemplate, overhead: Resources) -> tuple[int, int]:
    """CPU and memory a placed pod counts with in scores; defaults only where neither pod nor container names it."""
    level, defaults = pod_level_requests(pod), dict(NONZERO_DEFAULTS)
    if level:
        named = level.keys() | {name for c in every_container(pod) for name in container_request(c)}
        defaults = {name: value for name, value in defaults.items() if name not in named}
    total = _plus(_with_defaults(pod, defaults) | level, amounts_of(overhead))
    return total.get("cpu", 0), total.get("memory", 0)


def every_container(pod: PodTemplate) -> Iterable[Container]:
    """Init containers, then main ones."""
    return (*pod.init_containers, *pod.containers)


def running_containers(pod: PodTemplate) -> tuple[Container, ...]:
    """Containers that run as long as the pod: the main ones and the sidecars."""
    return (*pod.containers, *(container for container in pod.init_containers if container.sidecar))


def pressure_tolerations(pod: PodTemplate) -> tuple[Toleration, ...]:
    """Tolerations of memory pressure that admission adds: none for BestEffort pods."""
    named = any(amounts_of(c.requests) or amounts_of(c.limits) for c in every_container(pod)) or pod_level_requests(pod)
    if not named:
        return ()
    key = "node.kubernetes.io/memory-pressure"
    return (Toleration(key=key, operator=TolerationOperator.EXISTS, effect=TaintEffect.NO_SCHEDULE),)


def resource_tolerations(pod: PodTemplate) -> tuple[Toleration, ...]:
    """What the admission plugin ExtendedResourceToleration adds: one for each extended resource requested."""
    names = {name: None for container in every_container(pod) for name in container_request(container) if "/" in name}
    return tuple(Toleration(key=name, operator=TolerationOperator.EXISTS) for name in sorted(names))


def is_pod_level(name: str) -> bool:
    """Whether a resource can be requested or limited for the pod as a whole."""
    return name in ("cpu", "memory") or name.startswith(HUGE_PAGES)


def _pod_level(resources: Resources) -> Amounts:
    return {name: amount for name, amount in amounts_of(resources).items() if is_pod_level(name)}


def _with_defaults(pod: PodTemplate, defaults: Mapping[str, int]) -> Amounts:
    return _together(pod, lambda container: {**defaults, **container_request(container)})


def _together(pod: PodTemplate, amounts: Callable[[Container], Amounts]) -> Amounts:
    """The larger of what runs together and of what any init container needs with the sidecars before it."""
    total: Amounts = {}
    for container in running_containers(pod):
        total = _plus(total, amounts(container))
    side: Amounts = {}
    for init in pod.init_containers:
        needed = _plus(side, amounts(init))
        if init.sidecar:
            side = needed
        total = {name: max(total.get(name, 0), needed.get(name, 0)) for name in (*total, *needed)}
    return total


def _plus(one: Mapping[str, int], other: Mapping[str, int]) -> Amounts:
    return {name: one.get(name, 0) + other.get(name, 0) for name in dict.fromkeys((*one, *other))}
