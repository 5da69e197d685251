"""What the scenarios of Karpenter are about."""

import numpy as np
import pytest

from planner.plan.files.io import load_plan
from planner.record.decisions import Actor, Verdict
from planner.units import US_PER_MIN, US_PER_S
from tests.scenarios.test_scenarios import PROJECT, result_of


def a_story(name):
    path = PROJECT / "scenarios" / f"karpenter-{name}" / "plan.headroom"
    return load_plan(path), result_of(path)


def decided(result, verdict):
    return [one for one in result.decisions if (one.actor, one.verdict) == (Actor.KARPENTER, verdict)]


def test_a_pool_that_consolidates_at_once_is_cheaper_and_lets_pods_wait_for_every_peak():
    _, result = a_story("churn")
    launches = [one.subject.split("-")[0] for one in decided(result, Verdict.LAUNCHED)]
    assert launches.count("eager") == 7 and launches.count("patient") == 2
    waited = {pool: result.figures[f"pending_pod_time[web-{pool}]"].value for pool in ("eager", "patient")}
    cost = {pool: result.figures[f"cost[{pool}]"].value for pool in ("eager", "patient")}
    assert waited["eager"] > 3 * waited["patient"] and cost["eager"] < 0.85 * cost["patient"]


def test_by_day_nothing_is_removed_and_by_night_one_node_at_a_time():
    _, result = a_story("night-budget")
    night_us = 3 * 60 * US_PER_MIN
    removed = [one.time_us for one in decided(result, Verdict.REMOVING)]
    assert len(removed) == 6 and night_us <= min(removed) <= night_us + US_PER_MIN
    ready = result.series["nodes_ready_count"]
    assert set(ready[result.time_us < night_us]) == {8.0} and ready[-1] == 3.0
    gone = sorted(row["removed_s"] for row in result.nodes if row["removed_s"] is not None)
    for begun_us, before_s in zip(sorted(removed)[1:], gone, strict=False):
        assert begun_us / US_PER_S >= before_s - 31, "the machine of the one before is being deleted"


def test_only_spot_nodes_are_taken_and_other_machines_take_their_place():
    plan, result = a_story("spot-reclaim")
    [event] = plan.events
    taken = [one.subject for one in decided(result, Verdict.HAPPENED)]
    assert taken == [f"cheap-{number:04d}" for number in range(2, 6)], "the first was bought on demand"
    left = {row["node"] for row in result.nodes if row["removed_s"] is None}
    assert {"cheap-0001", "base-0001"} <= left and not left & set(taken)
    assert {one.details.machine for one in decided(result, Verdict.LAUNCHED)} & {"m7.xlarge"} == set()
    assert result.series["replicas_ready_count[base]"].min() == 6
    flexible = result.series["replicas_ready_count[flexible]"]
    back = (result.time_us > event.at + 5 * US_PER_MIN) | (result.time_us < event.at)
    assert flexible.min() >= 12 and set(flexible[back]) == {18.0}


def test_all_drifted_nodes_are_replaced_within_the_budgets_of_pool_and_pods():
    plan, result = a_story("drift")
    [event] = plan.events
    replaced = decided(result, Verdict.REMOVING)
    assert {one.subject for one in replaced} == {f"web-{number:04d}" for number in range(1, 11)}
    assert result.series["nodes_ready_count"].max() <= 12
    assert result.series["replicas_ready_count[site]"].min() >= 36
    gone = [row["removed_s"] for row in result.nodes if row["removed_s"] is not None]
    assert len(gone) == 10 and event.at / US_PER_S < min(gone) <= max(gone) < 25 * 60


def test_nodes_of_one_age_expire_together_whatever_the_budget_of_the_pool():
    plan, result = a_story("expiry")
    [budget] = plan.karpenter.node_pools[0].disruption.budgets
    expired = decided(result, Verdict.HAPPENED)
    assert len({one.time_us for one in expired}) == 1 and len(expired) == 6 > budget.nodes
    ready = result.series["replicas_ready_count[site]"]
    assert 18 <= ready.min() < 24 == ready[-1]


def test_pods_wait_where_no_pool_may_grow_and_no_pool_exceeds_its_limit():
    plan, result = a_story("limits")
    for pool in plan.karpenter.node_pools:
        cores = result.series[f"group_cpu_allocatable_cores[{pool.name}]"]
        assert 0 < cores.max() * 1000 <= pool.limits.cpu
    pending = result.series["pods_pending_count"]
    minutes = result.time_us / US_PER_MIN
    assert set(pending[(minutes > 15) & (minutes < 40)]) == {8.0} and np.all(pending[minutes > 41] == 0)
    refused = decided(result, Verdict.NOT_TRIGGERED)
    assert len(refused) == 8 and all("limits" in one.details.reasons[0] for one in refused)


def test_each_of_two_autoscalers_resizes_what_is_its_own_for_the_pods_that_only_it_can_help():
    result = result_of(PROJECT / "scenarios" / "both-autoscalers" / "plan.headroom")
    homes = {row["workload"]: set() for row in result.pods}
    for row in result.pods:
        homes[row["workload"]] |= {row["node"].rsplit("-", 1)[0]} if row["node"] else set()
    assert homes == {"node-agent": {"data", "general"}, "shop": {"general"}, "crunch": {"data"}}
    launched = {one.subject.rsplit("-", 1)[0] for one in decided(result, Verdict.LAUNCHED)}
    assert launched == {"general"}
    enlarged = [one.subject for one in result.decisions if one.verdict is Verdict.TRIGGERED]
    assert enlarged and set(enlarged) == {"data"}
    removed = {
        (one.actor, one.subject.rsplit("-", 1)[0]) for one in result.decisions if one.verdict is Verdict.REMOVING
    }
    assert removed == {(Actor.KARPENTER, "general"), (Actor.SCALE_DOWN, "data")}
    cost = result.figures["cost"].value
    assert cost == pytest.approx(sum(result.figures[f"cost[{name}]"].value for name in ("data", "general")))
