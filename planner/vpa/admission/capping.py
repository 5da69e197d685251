"""Fits the recommendation of a VPA to one pod.

Vertical Pod Autoscaler 1.8, utils/vpa/capping.go.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from planner.vpa.admission.limit_ranges import LimitBounds, NamespaceLimits
from planner.vpa.admission.proportions import boundary_request, proportional_limit
from planner.vpa.recommender.policies import CPU, RESOURCES, ContainerPolicy, policy_of

Amounts = Mapping[str, int]


@dataclass(frozen=True)
class ContainerResources:
    """Requests and limits of a container of a pod: milli-CPU and bytes; what is missing is none."""

    name: str
    requests: Amounts = field(default_factory=dict)
    limits: Amounts = field(default_factory=dict)


@dataclass(frozen=True)
class Recommended:
    """The recommendation for a container."""

    target: Amounts = field(default_factory=dict)
    lower: Amounts = field(default_factory=dict)
    upper: Amounts = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    """Why the target is not what the VPA recommends."""


Recommendation = Mapping[str, Recommended]
"""By name of the container."""


def capped(
    containers: Sequence[ContainerResources],
    recommendation: Recommendation,
    policies: Sequence[ContainerPolicy],
    limits: NamespaceLimits,
) -> dict[str, Recommended]:
    """The recommendation within the LimitRanges of the namespace, the policies, and the limits that stay."""
    known = dict(recommendation)
    if limits.pod is not None:
        missing = {one.name: Recommended(one.requests) for one in containers if one.name not in known and one.requests}
        known = _within_pod_limits(containers, {**known, **missing}, limits.pod)
    names = {one.name: one for one in containers}
    return {
        name: _within_container_limits(names[name], one, policy_of(name, policies), limits.container)
        for name, one in known.items()
        if name in names
    }


def _within_pod_limits(
    containers: Sequence[ContainerResources], known: Recommendation, bounds: LimitBounds
) -> dict[str, Recommended]:
    fitted = dict(known)
    for kind in ("upper", "target", "lower"):
        for resource in RESOURCES:
            amounts = {name: getattr(one, kind).get(resource) for name, one in fitted.items()}
            for name, amount in _shares_of_pod(containers, amounts, resource, bounds).items():
                changed: dict[str, Any] = {kind: {**getattr(fitted[name], kind), resource: amount}}
                fitted[name] = replace(fitted[name], **changed)
    return fitted


def _shares_of_pod(
    containers: Sequence[ContainerResources], amounts: Mapping[str, int | None], resource: str, bounds: LimitBounds
) -> dict[str, int]:
    """Recommendations that change so that limits and requests of the pod are within bounds."""
    least, most = bounds.least.get(resource, 0), bounds.most.get(resource, 0)
    limits = requests = 0
    for one in containers:
        request = one.requests.get(resource, 0)
        wanted = (amounts[one.name] or 0) if one.name in amounts else request
        own, default = one.limits.get(resource, 0), bounds.default_limit.get(resource, 0)
        limits += proportional_limit(own, request, wanted, default) or 0
        requests += wanted
    if not limits or (least <= limits and least <= requests and (not most or most >= limits)):
        return {}
    known = {one.name: amounts[one.name] or 0 for one in containers if one.name in amounts}
    if least > requests:
        up = requests - 1 if resource == CPU else 0
        return {name: (amount * least + up) // requests for name, amount in known.items()} if requests else {}
    total = most if most and most < limits else least
    return {name: amount * total // limits for name, amount in known.items()}


def _within_container_limits(
    container: ContainerResources, known: Recommended, policy: ContainerPolicy, bounds: LimitBounds | None
) -> Recommended:
    notes: list[str] = []

    def fitted(amounts: Amounts, noted: bool) -> dict[str, int]:
        found = {}
        for resource, amount in amounts.items():
            for least, most, reason in _steps(container, resource, policy, bounds):
                if least and amount < least:
                    amount = least
                    notes.extend([f"{resource} capped to {reason.format('Min', 'min')}"] if noted else [])
                if most and amount > most:
                    amount = most
                    notes.extend([f"{resource} capped to {reason.format('Max', 'max')}"] if noted else [])
            found[resource] = amount
        return found

    target = fitted(known.target, True)
    return Recommended(target, fitted(known.lower, False), fitted(known.upper, False), tuple(notes))


def _steps(
    container: ContainerResources, resource: str, policy: ContainerPolicy, bounds: LimitBounds | None
) -> Iterator[tuple[int, int, str]]:
    """Least and most of each rule in turn, 0 where it has none, and how it is called."""
    own = container.limits.get(resource, 0)
    if bounds is not None:
        least, most = (
            boundary_request(container.requests.get(resource, 0), own, one.get(resource, 0), default)
            for one, default in (
                (known, bounds.default_limit.get(resource, 0)) for known in (bounds.least, bounds.most)
            )
        )
        yield max(least, bounds.least.get(resource, 0)), most, "fit {0} in container LimitRange"
    yield policy.min_allowed.get(resource, 0), policy.max_allowed.get(resource, 0), "{1}Allowed"
    if policy.requests_only:
        yield 0, own, "container limit"
