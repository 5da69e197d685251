"""Details of decisions about the requests of containers."""

from typing import NamedTuple


class ContainerRecommendation(NamedTuple):
    """What is recommended for one resource of a container, milli-CPU or bytes, and what is known of its use."""

    container: str
    resource: str
    """cpu or memory."""
    target: int
    lower: int
    upper: int
    uncapped: int
    """The target before the policy's least and most."""
    samples: int
    """CPU samples that count."""
    history_s: int
    """From the first of them to the last."""
    share: float
    """The percentile of use that the target rests on, as a share: 0.9 unless a flag says otherwise,"""
    used_from: int
    used_to: int
    """and the bucket of the histogram in which it lies: its end counts."""
    confidence: float
    """How much is known: bounds are the wider the less it is."""


class RequestsRecommended(NamedTuple):
    """New targets of a VerticalPodAutoscaler."""

    vpa: str
    containers: tuple[ContainerRecommendation, ...]


class RequestChange(NamedTuple):
    """The request of one resource of a container before and after; None: it has none."""

    container: str
    resource: str
    before: int | None
    after: int


class PodUpdate(NamedTuple):
    """The updater found a pod's requests too far from what is recommended: it evicts the pod, or resizes it."""

    vpa: str
    changes: tuple[RequestChange, ...]
    outside: bool
    """Some request is out of bounds or missing; else the pod is old enough and the change large enough, or a container
    was killed for want of memory soon after its start."""
    difference: float
    """Sum over the resources of the change as a share of the requests."""
    in_place: bool = False
    """The pod is resized."""


class ResizePending(NamedTuple):
    """The node has no room for the resources that a pod should get in place."""

    reason: str
    """deferred: not now; infeasible: never."""
    resource: str
    wanted: int
    """Request of the whole pod, milli-CPU or bytes."""
    room: int
    """What the node has for the pod: now, or at all."""


class ResizeApplied(NamedTuple):
    """A running pod has other requests."""

    changes: tuple[RequestChange, ...]
    restarted: tuple[str, ...]
    """Containers that restart for it."""
    waited_s: float
    """Since the resize was asked for."""


RequestDetails = RequestsRecommended | PodUpdate | ResizePending | ResizeApplied
