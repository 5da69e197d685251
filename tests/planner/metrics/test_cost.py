import numpy as np
import pytest

from planner.metrics.cost import (
    Billing,
    billed_us,
    cost_per_thousand,
    hourly_price,
    node_cost,
    nodes_cost,
    resources_price,
    split_node_cost,
    waste,
)
from planner.units import GIB, US_PER_H, US_PER_S


@pytest.mark.parametrize(
    ("lifetime_s", "granularity_s", "minimum_s", "billed_s"),
    [
        pytest.param(3600, 1, 60, 3600, id="whole seconds"),
        pytest.param(100.2, 1, 60, 101, id="rounded up to the granularity"),
        pytest.param(5, 1, 60, 60, id="at least the minimum"),
        pytest.param(61 * 60, 3600, 0, 7200, id="by the hour"),
    ],
)
def test_billed_time(lifetime_s, granularity_s, minimum_s, billed_s):
    billing = Billing(granularity_s * US_PER_S, minimum_s * US_PER_S)
    lifetime_us = round(lifetime_s * US_PER_S)
    assert billed_us(lifetime_us, billing) == billed_s * US_PER_S
    assert node_cost(3.6, lifetime_us, billing) == pytest.approx(billed_s / 1000)
    assert nodes_cost(np.array([3.6]), np.array([7]), np.array([7 + lifetime_us]), billing) == pytest.approx(
        [billed_s / 1000]
    )


def test_default_billing_is_by_second_with_a_minute_at_least():
    assert billed_us(1, Billing()) == 60 * US_PER_S
    assert node_cost(2.0, US_PER_H, Billing()) == 2.0


@pytest.mark.parametrize(
    ("cpu_milli", "memory_gib", "by_pod", "idle"),
    [
        pytest.param([1000, 1000], [1, 4], [2.5, 5.0], 2.5, id="the larger share counts and the rest is idle"),
        pytest.param([4000, 0], [0, 8], [5.0, 5.0], 0.0, id="claims above the node are scaled down"),
        pytest.param([], [], [], 10.0, id="an empty node is idle"),
    ],
)
def test_node_cost_is_divided_by_the_larger_share(cpu_milli, memory_gib, by_pod, idle):
    cpu, memory = np.array(cpu_milli, np.int64), np.array(memory_gib, np.int64) * GIB
    split = split_node_cost(10.0, cpu, memory, 4000, 8 * GIB)
    assert split.by_pod.tolist() == pytest.approx(by_pod)
    assert split.idle == pytest.approx(idle)
    assert split.by_pod.sum() + split.idle == pytest.approx(10.0)


def test_prices_and_waste():
    assert hourly_price(1.0, 0.6, 2, 5) == pytest.approx(4.2)
    assert hourly_price(1.0, 0.6, 2, 1) == pytest.approx(1.2)
    assert cost_per_thousand(5.0, 10_000) == 0.5
    assert cost_per_thousand(5.0, 0) == 0.0
    assert resources_price(2000, 4 * GIB, 0.033174, 0.004446) == pytest.approx(0.084132)
    assert (waste(100, 80, 50).slack, waste(100, 80, 50).over_request) == (20, 30)
    assert waste(100, 80, 90).over_request == 0
