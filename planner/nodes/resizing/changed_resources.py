"""What a resize changes of the containers of a pod, and which of them restart for it.

Source: Kubernetes 1.36, pkg/kubelet/kuberuntime/kuberuntime_manager.go, computePodResizeAction.
"""

from collections.abc import Iterator

from planner.plan.derived.pod_requests import amounts_of, container_request
from planner.plan.model.pods.containers import Container, ResizeRestart
from planner.plan.model.pods.pod_template import PodTemplate
from planner.record.details.requests import RequestChange

_RESOURCES = ("cpu", "memory")


def changes_between(before: PodTemplate, after: PodTemplate) -> Iterator[RequestChange]:
    """Requests of main containers that differ."""
    for old, new in zip(before.containers, after.containers, strict=True):
        one, other = container_request(old), container_request(new)
        for resource in _RESOURCES:
            if resource in other and one.get(resource) != other[resource]:
                yield RequestChange(new.name, resource, one.get(resource), other[resource])


def restarting(before: PodTemplate, after: PodTemplate) -> tuple[int, ...]:
    """Places of the main containers that restart: a resource whose policy says so changes."""
    pairs = enumerate(zip(before.containers, after.containers, strict=True))
    return tuple(place for place, (old, new) in pairs if any(_restarts(old, new, one) for one in _RESOURCES))


def restarts_for_any(pod: PodTemplate) -> bool:
    """Whether some container has such a policy."""
    return any(_policy(one, resource) for one in pod.containers for resource in _RESOURCES)


def _restarts(old: Container, new: Container, resource: str) -> bool:
    parts = (container_request, lambda one: amounts_of(one.limits))
    return _policy(new, resource) and any(of(old).get(resource) != of(new).get(resource) for of in parts)


def _policy(one: Container, resource: str) -> bool:
    policy = one.resize_policy.cpu if resource == "cpu" else one.resize_policy.memory
    return policy is ResizeRestart.RESTART_CONTAINER
