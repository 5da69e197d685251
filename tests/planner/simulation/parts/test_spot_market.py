"""Spot pools lose nodes at the rate that the plan gives, with notice, and cost what spot nodes cost."""

import pytest

from planner.plan.model.plan import SimulationSettings
from planner.plan.model.pricing import Pricing
from planner.record.details.work import PlanEventEffect
from planner.simulation.run import run_plan
from planner.units import US_PER_S
from tests.builders import a_node_group, a_plan, a_workload


def run_of(**pricing):
    pool = a_node_group(
        "spot", initial_size=20, min_size=20, max_size=20, price_per_hour=1.0, provisioning_delay="60s",
        provisioning_spread="0s", pricing=Pricing(**pricing),
    )  # fmt: skip
    return run_plan(
        a_plan(node_groups=(pool,), workloads=(a_workload(),), simulation=SimulationSettings(duration="10h"))
    )


def test_nodes_go_as_often_as_the_plan_says_and_others_come():
    """20 nodes and 0.5 an hour each: 100 in ten hours, give or take three standard deviations."""
    result = run_of(market="spot", spot_price_per_hour=0.3, reclaims_per_hour=0.5)
    taken = [row for row in result.nodes if row["removed_s"] is not None]
    assert 70 <= len(taken) <= 130
    assert result.series["nodes_ready_count"].mean() > 18
    notices = [
        decision
        for decision in result.decisions
        if isinstance(decision.details, PlanEventEffect) and decision.details.what == "spotReclaim"
    ]
    first = notices[0]
    gone = next(row["removed_s"] for row in result.nodes if row["node"] == first.details.on[0])
    assert gone - first.time_us / US_PER_S == pytest.approx(120.0, abs=60.0)
    hours = result.figures["node_hours"].value
    assert result.figures["cost"].value == pytest.approx(0.3 * hours, rel=1e-3)


def test_nodes_on_demand_stay():
    result = run_of(reclaims_per_hour=0.5)
    assert not [row for row in result.nodes if row["removed_s"] is not None]
    assert result.figures["cost"].value == pytest.approx(200.0)
