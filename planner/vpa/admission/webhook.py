"""The requests and limits that a pod gets from a VPA.

Vertical Pod Autoscaler 1.8, admission-controller/resource/pod/recommendation/recommendation_provider.go and patch/.
"""

from collections.abc import Sequence

from planner.vpa.admission.capping import ContainerResources, Recommendation
from planner.vpa.admission.limit_ranges import NamespaceLimits
from planner.vpa.admission.proportions import proportional_limit
from planner.vpa.recommender.policies import RESOURCES, ContainerPolicy, policy_of


def settings_of(
    containers: Sequence[ContainerResources],
    recommendation: Recommendation,
    policies: Sequence[ContainerPolicy],
    limits: NamespaceLimits,
) -> list[ContainerResources]:
    """What is set of each container with a recommendation that is fitted to the pod; the rest stays as it is."""
    default = limits.container.default_limit if limits.container is not None else {}
    found = []
    for one in containers:
        known = recommendation.get(one.name)
        if known is None:
            continue
        new_limits = {}
        for resource in () if policy_of(one.name, policies).requests_only else RESOURCES:
            limit = proportional_limit(
                one.limits.get(resource, 0),
                one.requests.get(resource, 0),
                known.target.get(resource, 0),
                default.get(resource, 0),
            )
            if limit is not None:
                new_limits[resource] = limit
        found.append(ContainerResources(one.name, dict(known.target), new_limits))
    return found
