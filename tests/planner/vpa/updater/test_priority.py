"""Which pods an update is worth, and how many may be disturbed at once."""

import pytest

from planner.vpa.admission.capping import ContainerResources, Recommended
from planner.vpa.updater.groups import GroupRules, group_of
from planner.vpa.updater.priority import Direction, PodFacts, PriorityRules, Requirement, is_admitted, is_worth_it
from planner.vpa.updater.priority import priority_of as of

HOUR_US = 3_600_000_000


def a_pod(cpu: int | None = 100, **facts) -> PodFacts:
    requests = {"memory": 1000} | ({} if cpu is None else {"cpu": cpu})
    return PodFacts((ContainerResources("app", requests),), **facts)


def recommended(target: int, lower: int = 0, upper: int = 10**6) -> dict[str, Recommended]:
    return {"app": Recommended({"cpu": target}, {"cpu": lower}, {"cpu": upper})}


@pytest.mark.parametrize(
    ("pod", "recommendation", "worth"),
    [
        pytest.param(a_pod(), recommended(200, lower=150), True, id="below the lower bound"),
        pytest.param(a_pod(), recommended(50, upper=99), True, id="above the upper bound"),
        pytest.param(a_pod(None), recommended(200), True, id="without request"),
        pytest.param(a_pod(started_us=13 * HOUR_US), recommended(200), False, id="within bounds and young"),
        pytest.param(a_pod(started_us=12 * HOUR_US), recommended(200), True, id="within bounds, 12 h old"),
        pytest.param(a_pod(started_us=0), recommended(109), False, id="old, but too small a change"),
        pytest.param(a_pod(started_us=0), recommended(110), True, id="old, just enough of a change"),
        pytest.param(a_pod(oom_after_us=(("app", HOUR_US // 10),)), recommended(101), True, id="killed within 10 min"),
        pytest.param(a_pod(oom_after_us=(("app", HOUR_US),)), recommended(101), False, id="killed later"),
        pytest.param(a_pod(oom_after_us=(("app", 1),)), recommended(100), False, id="killed, but nothing would change"),
        pytest.param(a_pod(None, observed=frozenset()), recommended(200), False, id="admission did not see it"),
    ],
)
def test_an_update_is_worth_it(pod, recommendation, worth):
    assert is_worth_it(pod, of(pod, recommendation), (), PriorityRules(), 24 * HOUR_US) is worth


@pytest.mark.parametrize(("target", "admitted"), [(200, True), (50, False)])
def test_a_required_direction_must_be_that_of_the_change(target, admitted):
    requirement = Requirement(("cpu", "memory"), Direction.HIGHER)
    assert is_admitted(a_pod(), recommended(target), (requirement,)) is admitted


@pytest.mark.parametrize(
    ("name", "requirements", "admitted"),
    [
        pytest.param("app", (), True, id="nothing is demanded"),
        pytest.param("other", (), False, id="nothing is demanded, but no container has a recommendation"),
        pytest.param("other", None, True, id="there is no update policy"),
    ],
)
def test_without_requirements_a_container_must_have_a_recommendation(name, requirements, admitted):
    """Source: Vertical Pod Autoscaler 1.8.0, updater/priority/scaling_direction_pod_eviction_admission.go: a pod is
    looked up by its VPA's update policy, not by whether that demands something.
    """
    assert is_admitted(a_pod(), {name: Recommended({"cpu": 200})}, requirements) is admitted


@pytest.mark.parametrize(
    ("replicas", "at_once"), [(1, 0), (2, 1), (3, 1), (4, 2), (10, 5)], ids=lambda known: str(known)
)
def test_half_of_the_replicas_may_be_missing_and_small_groups_are_left_alone(replicas, at_once):
    group = group_of(replicas, 0, replicas, GroupRules(), None, resizes=False)
    evicted = 0
    while group is not None and group.is_disruptable():
        group.evicted += 1
        evicted += 1
    assert evicted == at_once


def test_a_single_replica_is_evicted_if_the_vpa_allows_it():
    group = group_of(1, 0, 1, GroupRules(), 1, resizes=False)
    assert group is not None and group.is_disruptable()
