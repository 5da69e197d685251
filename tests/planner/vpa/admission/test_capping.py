"""Recommendations fitted to pods, and the limits that go with them."""

import pytest

from planner.vpa.admission.capping import ContainerResources, Recommended, capped
from planner.vpa.admission.limit_ranges import LimitBounds, NamespaceLimits, together
from planner.vpa.admission.webhook import settings_of
from planner.vpa.recommender.policies import ContainerPolicy

FREE = NamespaceLimits()


def settings(container: ContainerResources, target: int, policy: ContainerPolicy, limits: NamespaceLimits = FREE):
    """Request and limit of CPU that a container gets."""
    fitted = capped((container,), {container.name: Recommended({"cpu": target})}, (policy,), limits)
    (found,) = settings_of((container,), fitted, (policy,), limits)
    return found.requests.get("cpu"), found.limits.get("cpu")


def a_container(request: int = 100, limit: int = 0) -> ContainerResources:
    return ContainerResources("app", {"cpu": request}, {"cpu": limit} if limit else {})


@pytest.mark.parametrize(
    ("container", "policy", "expected"),
    [
        pytest.param(a_container(), ContainerPolicy(), (300, None), id="without limit none is set"),
        pytest.param(a_container(limit=200), ContainerPolicy(), (300, 600), id="a limit keeps its proportion"),
        pytest.param(a_container(limit=100), ContainerPolicy(), (300, 300), id="a limit as large as the request"),
        pytest.param(a_container(limit=200), ContainerPolicy(max_allowed={"cpu": 250}), (250, 500), id="most allowed"),
        pytest.param(a_container(), ContainerPolicy(min_allowed={"cpu": 400}), (400, None), id="least allowed"),
        pytest.param(
            a_container(), ContainerPolicy(min_allowed={"cpu": 400}, max_allowed={"cpu": 350}), (350, None),
            id="the most wins over the least",
        ),
        pytest.param(a_container(limit=200), ContainerPolicy(requests_only=True), (200, None), id="limits that stay"),
    ],
)  # fmt: skip
def test_a_pod_gets_the_recommended_request(container, policy, expected):
    assert settings(container, 300, policy) == expected


def test_a_limit_range_bounds_the_proportional_limit():
    limits = NamespaceLimits(container=LimitBounds(most={"cpu": 400}))
    assert settings(a_container(limit=200), 300, ContainerPolicy(), limits) == (200, 400)


def test_a_limit_range_for_pods_shares_what_it_allows():
    limits = NamespaceLimits(pod=LimitBounds(most={"cpu": 300}))
    assert settings(a_container(limit=200), 300, ContainerPolicy(), limits) == (150, 300)


def test_of_several_limit_ranges_the_narrowest_bounds_count():
    ranges = (LimitBounds({"cpu": 1}, {"cpu": 9}, {"cpu": 3}), LimitBounds({"cpu": 2}, {"cpu": 8}, {"cpu": 4}))
    assert together(ranges) == LimitBounds({"cpu": 2}, {"cpu": 8}, {"cpu": 4})
