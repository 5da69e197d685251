"""Events by a calendar, and numbers of the plan that change during a run."""

import pytest
from pydantic import ValidationError

from planner.plan.checks.validate import check_plan
from planner.plan.model.autoscalers.metric_series import MetricSeries, ProfileValue
from planner.plan.model.autoscalers.scaled_object import ScaledObject, SeriesTrigger
from planner.plan.model.events.on_pools import ResizePool
from planner.plan.model.events.on_workloads import SetReplicas
from planner.plan.model.events.plan_change import PlanChangeEvent
from planner.plan.model.plan import SimulationSettings
from planner.plan.model.traffic import ConstantLoad, Traffic
from planner.simulation.plan_events.moments import moments_of_plan
from planner.simulation.run import run_plan
from tests.builders import a_node_group, a_plan, a_workload, an_hpa

DAY = SimulationSettings(duration="24h", record_interval="10m", load_step="1m")
"""A Monday."""
MINIMUM = "horizontalPodAutoscalers[web].minReplicas = 4"


def a_change(*changes, **settings):
    return PlanChangeEvent(type="change", changes=changes, **settings)


def sizes(plan, column="replicas_desired_count[web]"):
    """Hours at which a size changes, and the size from then on."""
    result = run_plan(plan)
    hours, before = {}, None
    for row, value in enumerate(result.series[column].tolist()):
        if value != before:
            hours[row / 6], before = value, value
    return hours


def test_an_event_happens_whenever_its_schedule_is_due_in_its_zone():
    events = (
        SetReplicas(type="setReplicas", workload="web", replicas=3, schedule="0 8 * * 1-5", time_zone="Europe/Berlin"),
        SetReplicas(type="setReplicas", workload="web", replicas=1, schedule="0 18 * * *", time_zone="Europe/Berlin"),
    )
    friday = SimulationSettings(starts_at="2026-01-09T00:00:00Z", duration="48h", record_interval="10m", load_step="1m")
    found = sizes(a_plan(events=events, simulation=friday))
    assert {round(hour - 1 / 6): size for hour, size in found.items() if hour} == {7: 3, 17: 1}, "on Saturday nothing"


def test_a_minimum_of_an_autoscaler_holds_for_its_duration():
    event = a_change(MINIMUM, schedule="0 8 * * *", duration="10h")
    load = Traffic(profile=ConstantLoad(type="constant", rate=1))
    plan = a_plan(
        workloads=(a_workload(replicas=1, traffic=load),), horizontal_pod_autoscalers=(an_hpa(),), events=(event,),
        simulation=DAY,
    )  # fmt: skip
    found = sizes(plan)
    assert list(found.values()) == [1, 4, 1]
    assert list(found) == pytest.approx([0, 8, 18], abs=0.34)


def test_changes_of_several_events_apply_in_order_and_end_by_themselves():
    events = (
        a_change("workloads[web].replicas = 5", at="2h", duration="6h"),
        a_change("workloads[web].replicas = 3", at="4h", duration="2h"),
    )
    found = sizes(a_plan(events=events, simulation=DAY))
    assert list(found.values()) == [2, 5, 3, 5, 2]
    assert list(found) == pytest.approx([0, 2, 4, 6, 8], abs=0.17)


def test_the_size_of_a_pool_follows_a_schedule():
    event = a_change("nodeGroups[pool].minSize = 3", schedule="0 6 * * *", duration="4h")
    plan = a_plan(
        node_groups=(a_node_group(min_size=1, max_size=5, initial_size=1, provisioning_delay="1m"),),
        events=(event,),
        cluster_autoscaler={"enforceNodeGroupMinSize": True},
        simulation=DAY,
    )
    found = sizes(plan, "group_nodes_ready_count[pool]")
    assert max(found.values()) == 3 and 6 <= min(hour for hour, size in found.items() if size == 3) < 6.5


def test_a_scaled_object_and_its_autoscaler_get_the_new_minimum():
    queue = MetricSeries(name="q", source=ProfileValue(type="profile", profile=ConstantLoad(type="constant", rate=1)))
    trigger = SeriesTrigger(type="series", series="q", target="10")
    scaled = ScaledObject(name="web", scale_target="web", triggers=(trigger,))
    event = a_change("scaledObjects[web].minReplicas = 3", at="8h", duration="2h")
    found = sizes(a_plan(scaled_objects=(scaled,), metric_series=(queue,), events=(event,), simulation=DAY))
    assert list(found.values())[-2:] == [3, 1]


@pytest.mark.parametrize(("change", "words"), [
    ("horizontalPodAutoscalers[web].minReplicas = 0.5", "minReplicas"),
    ("horizontalPodAutoscalers[shop].minReplicas = 4", "shop"),
    ("simulation.duration = 5h", "does not change during a run"),
    ("workloads[web].kind = Job", "does not change during a run"),
    ("workloads[web]", "change"),
])  # fmt: skip
def test_a_change_that_a_run_cannot_make_is_refused(change, words):
    plan = a_plan(horizontal_pod_autoscalers=(an_hpa(),), events=(a_change(change),))
    [problem] = list(check_plan(plan))
    assert problem.where == "events[0].changes[0]" and words in problem.problem


@pytest.mark.parametrize(("settings", "place"), [
    ({"schedule": "0 8 31 2 *"}, "events[0].schedule"),
    ({"schedule": "0 8 6 1 *"}, "events[0].schedule"),
])  # fmt: skip
def test_a_schedule_that_is_not_due_in_the_run_is_refused(settings, place):
    event = ResizePool(type="resizePool", node_group="pool", min_size=1, max_size=2, **settings)
    assert place in {problem.where for problem in check_plan(a_plan(events=(event,)))}


@pytest.mark.parametrize("settings", [
    {"schedule": "8 o'clock"}, {"schedule": "0 8 * * *", "time_zone": "Europe/Bonn"},
    {"schedule": "0 8 * * *", "per_hour": 1},
])  # fmt: skip
def test_a_wrong_schedule_is_refused_at_once(settings):
    with pytest.raises(ValidationError):
        SetReplicas(type="setReplicas", workload="web", replicas=1, **settings)


HOLIDAYS = SimulationSettings(
    duration="72h", record_interval="10m", load_step="1m", holidays=("2026-01-06",)
)  # from a Monday on
EIGHT = {"type": "setReplicas", "workload": "web", "schedule": "0 8 * * *"}


@pytest.mark.parametrize(("rule", "hours"), [("asUsual", [8, 32, 56]), ("skip", [8, 56]), ("only", [32])])
def test_holidays_are_left_out_or_are_the_only_days(rule, hours):
    event = SetReplicas(**EIGHT, replicas=3, on_holidays=rule)
    due = [one.at_us / 3.6e9 for one in moments_of_plan(a_plan(events=(event,), simulation=HOLIDAYS), 1)]
    assert due == hours


def test_a_holiday_is_a_day_in_the_zone_of_the_schedule():
    """In Auckland the 6th begins at 11:00 of the 5th in UTC."""
    event = SetReplicas(**EIGHT, replicas=3, on_holidays="only", time_zone="Pacific/Auckland")
    due = [one.at_us / 3.6e9 for one in moments_of_plan(a_plan(events=(event,), simulation=HOLIDAYS), 1)]
    assert due == [19]


def test_rules_for_holidays_need_holidays_and_dates_that_exist():
    event = SetReplicas(**EIGHT, replicas=3, on_holidays="skip")
    [problem] = check_plan(a_plan(events=(event,), simulation=DAY))
    assert problem.where == "events[0].onHolidays" and "simulation.holidays" in problem.remedy
    with pytest.raises(ValidationError, match="2026-02-30"):
        SimulationSettings(holidays=("2026-02-30",))
    with pytest.raises(ValidationError, match="schedule only"):
        SetReplicas(type="setReplicas", workload="web", replicas=3, on_holidays="only")
