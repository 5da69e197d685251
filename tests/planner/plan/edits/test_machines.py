"""The machine catalogue that comes with the program."""

import pytest

from planner.api import run_plan
from planner.plan.checks.validate import check_plan
from planner.plan.derived.fits import pod_cpu_milli
from planner.plan.edits.machines import find_machine, machine_catalogue, with_machine
from planner.plan.hints.all_hints import find_hints
from planner.plan.model.node_groups import MACHINE_TYPE_LABEL, NodeGroup
from planner.plan.model.pricing import Market, Pricing
from tests.builders import a_node_group, a_plan, a_pod, a_workload

CATALOGUE = machine_catalogue()


def test_every_machine_makes_a_pool_that_can_be_run():
    catalogue = machine_catalogue()
    assert catalogue.date and "xample" in catalogue.note
    names = [machine.name for machine in catalogue.machines]
    assert len(set(names)) == len(names)
    for machine in catalogue.machines:
        pool = NodeGroup.model_validate(machine.fields("pool"))
        plan = a_plan(node_groups=(pool,), workloads=(a_workload(),))
        assert list(check_plan(plan)) == []
        assert pool.node_price == machine.price_per_hour > 0
        assert pool.cpu > pod_cpu_milli(plan.workloads[0].pod)
        assert not [hint for hint in find_hints(plan) if "price" in hint.where.lower()]


def test_choosing_a_machine_is_one_edit_that_leaves_the_rest_of_the_pool():
    plan = a_plan(node_groups=(a_node_group(max_size=7, labels={"a": "b"}), a_node_group("other")))
    changed = with_machine(plan, 0, find_machine(CATALOGUE, "m6i.large"), CATALOGUE)
    pool = changed.node_groups[0]
    assert (pool.machine_type, pool.cpu, pool.pods, pool.price_per_hour) == ("m6i.large", 2000, 29, 0.096)
    assert (pool.max_size, pool.labels) == (7, {"a": "b"})
    assert changed.node_groups[1] is plan.node_groups[1]


@pytest.mark.parametrize(("prices", "price_after"), [
    pytest.param({}, 0.096, id="without a price"),
    pytest.param({"machine_type": "m6i.xlarge", "price_per_hour": 0.192}, 0.096, id="the price of the machine before"),
    pytest.param({"machine_type": "m6i.xlarge", "price_per_hour": 0.2}, 0.2, id="a price that was typed"),
    pytest.param({"price_per_hour": 0.192}, 0.192, id="a price of no known machine"),
    pytest.param({"pricing": Pricing(spot_price_per_hour=0.05)}, 0.0, id="a spot price that was typed"),
])  # fmt: skip
def test_only_prices_that_were_not_typed_in_follow_the_machine(prices, price_after):
    plan = a_plan(node_groups=(a_node_group(**prices),))
    changed = with_machine(plan, 0, find_machine(CATALOGUE, "m6i.large"), CATALOGUE)
    assert changed.node_groups[0].price_per_hour == price_after


def test_a_pool_keeps_how_it_is_paid_for_when_its_machine_changes():
    spot = Pricing(market=Market.SPOT, reclaims_per_hour=2.0)
    plan = a_plan(node_groups=(a_node_group(pricing=spot),))
    pool = with_machine(plan, 0, find_machine(CATALOGUE, "m6i.large"), CATALOGUE).node_groups[0]
    assert (pool.pricing.market, pool.pricing.reclaims_per_hour) == (Market.SPOT, 2.0)
    assert pool.node_price == 0.039


def test_nodes_carry_their_machine_type_as_a_label_that_pods_may_ask_for():
    pools = (a_node_group("plain", initial_size=2), a_node_group("big", machine_type="m6i.xlarge"))
    pod = a_pod(node_selector={MACHINE_TYPE_LABEL: "m6i.xlarge"})
    result = run_plan(a_plan(node_groups=pools, workloads=(a_workload(pod=pod),)), until_us=1_000_000)
    assert {row["node"] for row in result.pods} == {"big-0001"}


@pytest.mark.parametrize(("settings", "where"), [
    pytest.param({"machine_type": "m6i large"}, "nodeGroups[0].machineType", id="no value of a label"),
    pytest.param(
        {"machine_type": "m6i.large", "labels": {MACHINE_TYPE_LABEL: "c6i.large"}},
        f'nodeGroups[0].labels["{MACHINE_TYPE_LABEL}"]',
        id="a label that says otherwise",
    ),
])  # fmt: skip
def test_a_machine_type_must_be_fit_for_a_label(settings, where):
    assert [problem.where for problem in check_plan(a_plan(node_groups=(a_node_group(**settings),)))] == [where]
