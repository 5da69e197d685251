"""What the scenarios of vertical, event-driven and scheduled scaling are about."""

import numpy as np
import pytest

from planner.plan.files.io import load_plan
from planner.record.decisions import Verdict
from planner.record.details.requests import PodUpdate, ResizeApplied, ResizePending
from planner.record.details.work import PlanEventEffect
from tests.scenarios.test_scenarios import PROJECT, result_of


def a_story(name):
    path = PROJECT / "scenarios" / name / "plan.headroom"
    return load_plan(path), result_of(path)


def test_requests_that_follow_use_and_replicas_that_follow_requests_spiral_within_their_bounds():
    plan, result = a_story("vpa-against-hpa")
    series = result.series
    [policy] = plan.vertical_pod_autoscalers[0].container_policies
    targets = series["vpa_target_cpu_cores[default/both/main]"]
    known = targets[~np.isnan(targets)]
    assert known.max() * 1000 <= policy.max_allowed.amounts["cpu"]
    assert known[-1] < known[0] < 0.5
    assert series["replicas_ready_count[both]"].max() >= 2 * series["replicas_ready_count[hpa-alone]"].max()


def test_a_budget_and_the_tolerance_bound_the_evictions_of_the_updater():
    plan, result = a_story("vpa-against-hpa")
    [budget] = plan.pod_disruption_budgets
    evicted = [
        one.time_us / 1e6
        for one in result.decisions
        if isinstance(one.details, PodUpdate) and one.verdict is Verdict.EVICTED
    ]
    assert len(evicted) >= 4 and budget.max_unavailable == 1
    assert result.figures["evictions_refused"].value > 0, "the budget held where the tolerance would not have"
    [policy] = plan.vertical_pod_autoscalers[0].container_policies
    for one in result.decisions:
        if isinstance(one.details, PodUpdate):
            assert one.details.outside or one.details.difference >= plan.vpa_updater.update_threshold
            for change in one.details.changes:
                assert change.resource == "cpu" and change.after <= policy.max_allowed.amounts["cpu"]
    assert np.diff(evicted).min() >= 15, "the next one only when a new pod has started in place of the last one"


def test_consumers_are_gone_at_night_and_no_message_is_lost():
    _, result = a_story("keda-overnight")
    series, minutes = result.series, 2
    ready, night = series["replicas_ready_count[mailer]"], slice(1, 7 * 60 // minutes)
    assert ready[night].max() == 0 == ready[(19 * 60 + 10) // minutes :].max()
    assert messages_left(result, "mailer") == pytest.approx(series["in_flight_count[mailer]"][-1], abs=1)
    assert 10_000 < np.nanmax(series["latency_p95_ms[mailer]"]) < 60_000


def test_every_start_of_the_calendar_happens_and_the_minimum_is_there_before_the_customers():
    plan, result = a_story("black-friday")
    happened = [one.time_us / 3.6e9 for one in result.decisions if isinstance(one.details, PlanEventEffect)]
    assert happened == pytest.approx([7 + 50 / 60, 18 + 50 / 60])
    series, minutes = result.series, 2
    for sale in (8, 19):
        assert series["replicas_ready_count[shop]"][sale * 60 // minutes] >= 60
    assert result.figures["slo_attainment_by_requests[shop]"].value > 0.999


def test_a_queue_drains_as_fast_as_its_partitions_allow():
    _, result = a_story("queue-drains")
    series = result.series
    for name in ("orders", "invoices"):
        assert messages_left(result, name) == pytest.approx(series[f"in_flight_count[{name}]"][-1], abs=1)
        assert series[f"queue_age_ms[{name}]"].max() == pytest.approx(3_600_000, rel=0.05)
    empty = {
        name: int(np.flatnonzero(series[f"queue_length_count[{name}]"] > 1)[-1]) for name in ("orders", "invoices")
    }
    assert empty["orders"] < empty["invoices"] - 30


def messages_left(result, name):
    """Arrivals less what was done: rates are means since the row before."""
    series, seconds = result.series, np.diff(result.time_us) / 1e6
    return float(((series[f"offered_rps[{name}]"] - series[f"served_rps[{name}]"])[1:] * seconds).sum())


def test_resizes_in_place_wait_for_room_or_end_in_an_eviction():
    plan, result = a_story("resize-waits")
    by_pod = {}
    for one in result.decisions:
        if isinstance(one.details, ResizePending | ResizeApplied) or one.verdict is Verdict.EVICTED:
            by_pod.setdefault(one.subject, []).append((one.time_us / 6e7, one.verdict))
    for name in ("patient-0001", "patient-0002"):
        *_, (since, waits), (at, done) = by_pod[name]
        assert (waits, done) == (Verdict.DEFERRED, Verdict.RESIZED) and since < 25 and 120 < at < 121
    for name in ("impatient-0001", "impatient-0002"):
        *_, (since, waits), (at, gone) = by_pod[name]
        assert (waits, gone) == (Verdict.DEFERRED, Verdict.EVICTED) and at > since + 5
    assert sum(verdict is Verdict.EVICTED for found in by_pod.values() for _, verdict in found) == 2
    assert result.figures["container_restarts"].value == 0
    assert result.figures["nodes_peak"].value == 4
    [policy] = plan.vertical_pod_autoscalers[0].container_policies
    targets = result.series["vpa_target_cpu_cores[default/patient/main]"]
    assert np.nanmin(targets) * 1000 >= policy.min_allowed.amounts["cpu"]
