"""What a resource quota admits, and when controllers come back."""

import pytest

from planner.plan.model.pods.containers import Resources
from planner.plan.model.pods.pod_template import PodTemplate
from planner.workloads.quota.admission import PodClaim, admitted, pod_claim
from planner.workloads.quota.gate import retry_delay_us

NONE = Resources()


def claim(**amounts):
    return PodClaim({name.replace("_", "."): amount for name, amount in amounts.items()}, frozenset())


@pytest.mark.parametrize(("hard", "used", "count", "fits", "exceeded"), [
    ({"pods": 5}, {"pods": 3}, 4, 2, (("pods", 1, 5, 5),)),
    ({"pods": 5}, {"pods": 3}, 2, 2, None),
    ({"pods": 5}, {"pods": 9}, 1, 0, (("pods", 1, 9, 5),)),
    ({"requests.cpu": 1000}, {}, 5, 2, (("requests.cpu", 400, 800, 1000),)),
    ({"requests.cpu": 1000, "pods": 2}, {}, 5, 2, (("requests.cpu", 400, 800, 1000), ("pods", 1, 2, 2))),
    ({"limits.cpu": 10}, {}, 5, 5, None),
])  # fmt: skip
def test_as_many_pods_as_fit_are_admitted(hard, used, count, fits, exceeded):
    found, refusal = admitted([("q", hard)], used, claim(pods=1, requests_cpu=400), count)
    assert found == fits
    assert (None if refusal is None else refusal.exceeded) == exceeded


def test_every_quota_of_a_namespace_counts():
    found, refusal = admitted([("a", {"pods": 4}), ("b", {"pods": 2})], {}, claim(pods=1), 9)
    assert (found, refusal.quota) == (2, "b")


def test_a_pod_must_name_what_a_quota_bounds():
    pod = PodTemplate.model_validate({"containers": [{"requests": {"cpu": "1"}}]})
    found, refusal = admitted([("q", {"requests.cpu": 9000, "limits.memory": 9})], {}, pod_claim(pod, NONE), 1)
    assert (found, refusal.unnamed) == (0, ("limits.memory",))


def test_a_pod_counts_with_its_requests_limits_and_overhead():
    container = {"requests": {"cpu": "1"}, "limits": {"cpu": "2", "memory": "1Gi"}}
    amounts = pod_claim(PodTemplate.model_validate({"containers": [container]}), Resources(cpu=100)).amounts
    assert amounts["requests.cpu"] == 1100
    assert amounts["limits.cpu"] == 2100
    assert amounts["requests.memory"] == amounts["limits.memory"] == 1 << 30
    assert amounts["pods"] == 1


def test_retries_wait_twice_as_long_each_time_up_to_1000_seconds():
    assert [retry_delay_us(number) for number in (1, 2, 3)] == [5_000, 10_000, 20_000]
    assert retry_delay_us(18) == 655_360_000
    assert retry_delay_us(19) == retry_delay_us(500) == 1_000_000_000
