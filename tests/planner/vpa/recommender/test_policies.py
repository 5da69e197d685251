"""Which container policy of a VPA holds for a container."""

import pytest

from planner.vpa.recommender.policies import ContainerPolicy, policy_of

NAMED, OTHER = ContainerPolicy("app", requests_only=True), ContainerPolicy("app", is_off=True)
EVERY, LATER = ContainerPolicy("*", is_off=True), ContainerPolicy("*", requests_only=True)


@pytest.mark.parametrize(
    ("policies", "found"),
    [
        pytest.param([], ContainerPolicy("app"), id="none: the usual one"),
        pytest.param([EVERY, NAMED], NAMED, id="its own comes first"),
        pytest.param([NAMED, OTHER], NAMED, id="of two of its own the first"),
        pytest.param([EVERY, LATER], LATER, id="of two for all the last"),
    ],
)
def test_the_policy_of_a_container(policies, found):
    assert policy_of("app", policies) == found
