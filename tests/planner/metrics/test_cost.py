from dataclasses import replace

import numpy as np
import pytest

from planner.metrics.cost import (
    Billing,
    cost_per_thousand,
    nodes_cost,
    reserved_us,
    resources_price,
    split_node_cost,
)
from planner.metrics.run_costs import RunCosts
from planner.metrics.waste import waste_of
from planner.plan.model.pricing import CostSettings, Pricing
from planner.units import GIB, US_PER_H, US_PER_S
from tests.planner.metrics.small_run import small_run


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
    assert nodes_cost(np.array([3.6]), np.array([7]), np.array([7 + lifetime_us]), billing) == pytest.approx(
        [billed_s / 1000]
    )


def test_default_billing_is_by_second_with_a_minute_at_least():
    cost = nodes_cost(np.array([60.0, 60.0]), np.array([0, 0]), np.array([1, 90 * US_PER_S + 1]), Billing())
    assert cost.tolist() == pytest.approx([1.0, 91 / 60])


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


def test_prices():
    assert cost_per_thousand(5.0, 10_000) == 0.5
    assert cost_per_thousand(5.0, 0) == 0.0
    assert resources_price(2.0, 4.0 * GIB, 0.033174, 0.004446) == pytest.approx(0.084132)


@pytest.mark.parametrize(
    ("lives", "reserved", "covered"),
    [
        pytest.param([(0, 10), (0, 10)], 0, [0, 0], id="nothing reserved"),
        pytest.param([(0, 10), (0, 10)], 1, [10, 0], id="the first takes it"),
        pytest.param([(0, 4), (0, 10)], 1, [4, 6], id="and hands it on when it goes"),
        pytest.param([(5, 9), (0, 10)], 1, [0, 10], id="the older one comes first"),
        pytest.param([(0, 10), (2, 8), (3, 9)], 5, [10, 6, 6], id="enough for all"),
    ],
)
def test_reservations_cover_nodes(lives, reserved, covered):
    begin, end = (np.array(column) for column in zip(*lives, strict=True))
    assert reserved_us(begin, end, reserved).tolist() == covered


def test_reserved_time_is_not_billed_again():
    cost = nodes_cost(np.array([3.6, 3.6]), np.array([0, 0]), np.array([US_PER_H, US_PER_H]), Billing(),
                      np.array([US_PER_H, US_PER_H // 4]))  # fmt: skip
    assert cost.tolist() == pytest.approx([0.0, 2.7])


def priced(**settings):
    inputs = small_run()
    return RunCosts(inputs.cluster, inputs.until_us, [Pricing(**settings), Pricing()])


def test_a_node_billed_from_ready_boots_for_nothing():
    plain, late = small_run().costs, replace(priced(), pricing=[Pricing(), Pricing(billed_from="ready")])
    assert plain.by_group[1] - late.by_group[1] == pytest.approx(0.4 * 210 / 3600)


def test_reservations_are_paid_for_used_or_not():
    costs = priced(reserved_nodes=3, reserved_price_per_hour=0.1)
    assert costs.by_node[0] == pytest.approx(0.1)
    assert costs.unused_reservations.tolist() == pytest.approx([0.2, 0.0])
    assert costs.by_group[0] == pytest.approx(0.3)
    assert costs.total == pytest.approx(float(costs.by_group.sum()))


def test_hours_that_have_begun_are_paid_in_full():
    assert priced(granularity="1h").by_node[0] == pytest.approx(0.2)
    assert replace(priced(), pricing=[Pricing(), Pricing(granularity="1h")]).by_node[1] == pytest.approx(0.4)


def test_namespaces_share_what_workloads_cost():
    costs = small_run().costs
    assert sum(costs.by_namespace.values()) == pytest.approx(float(costs.by_workload.sum()))


def test_waste_by_kind():
    series = {
        "cpu_allocatable_cores": np.array([8.0, 8.0]),
        "cpu_requested_cores": np.array([6.0, 4.0]),
        "cpu_used_cores": np.array([2.0, 1.0]),
        "memory_allocatable_bytes": np.array([4.0, 4.0]) * GIB,
        "memory_requested_bytes": np.array([4.0, 2.0]) * GIB,
        "replicas_ready_count[pause]": np.array([1.0, 0.0]),
    }
    slack, over, reserve = waste_of(series, {"pause": (1.0, 2.0 * GIB)})
    assert (slack.cores, slack.memory_bytes) == (3.0, GIB)
    assert over.cores == 3.0
    assert (reserve.cores, reserve.memory_bytes) == (0.5, GIB)
    assert slack.money(2.0, CostSettings(core_price_per_hour=0.1, gib_price_per_hour=0.01)) == pytest.approx(0.62)


def test_memory_is_over_requested_only_where_its_use_is_known():
    series = {
        "cpu_allocatable_cores": np.array([8.0, 8.0]),
        "cpu_requested_cores": np.array([6.0, 4.0]),
        "cpu_used_cores": np.array([2.0, 1.0]),
        "memory_allocatable_bytes": np.array([4.0, 4.0]) * GIB,
        "memory_requested_bytes": np.array([4.0, 2.0]) * GIB,
        "memory_used_bytes": np.array([1.0, 1.0]) * GIB,
    }
    assert [waste.memory_bytes for waste in waste_of(series, {})] == [GIB, 2.0 * GIB]
    unknown = series | {"memory_used_bytes": np.full(2, np.nan)}
    assert [waste.memory_bytes for waste in waste_of(unknown, {})] == [GIB, 0.0]
