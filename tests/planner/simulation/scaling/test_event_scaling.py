"""KEDA in whole runs: to zero and back, calendars, fallbacks, jobs for a queue."""

from itertools import pairwise
from typing import Any

import pytest
from pydantic import ValidationError

from planner.keda.controller.event_scaling import EventScaler
from planner.plan.checks.validate import check_plan
from planner.plan.model.autoscalers.metric_series import MetricSeries, ProfileValue
from planner.plan.model.autoscalers.scaled_object import ScaledJob, ScaledObject
from planner.plan.model.events.on_control_plane import MetricsOutage
from planner.plan.model.events.plan_change import PlanChangeEvent
from planner.plan.model.plan import Plan, SimulationSettings
from planner.plan.model.traffic import LoadPoint, PointsLoad
from planner.plan.model.workloads import JobSettings
from planner.record.decisions import Actor
from planner.record.details.replicas import EventScaling, JobsMade
from planner.record.result import RunResult
from planner.reports.cluster_objects import cluster_objects
from planner.simulation.run import run_plan
from tests.builders import EXACT_SYNCS, a_plan, a_workload

MIN = 60_000_000
QUEUE = {"type": "series", "series": "queue", "target": "10"}


def a_queue(*lengths: tuple[str, float], name: str = "queue") -> MetricSeries:
    """Length by time, constant in between."""
    points, before = [], 0.0
    for at, length in lengths:
        if points:
            points.append(LoadPoint(at=LoadPoint(at=at, rate=0).at - 1, rate=before))
        points.append(LoadPoint(at=at, rate=length))
        before = length
    profile = PointsLoad(type="points", points=tuple(points))
    return MetricSeries(name=name, source=ProfileValue(type="profile", profile=profile), interval="5s")


def event_plan(scaled: dict[str, Any], series: MetricSeries | None = None, **settings: Any) -> Plan:
    """A workload of two pods at the start under a ScaledObject, for half an hour from a Monday's midnight on."""
    given = ScaledObject(**{"name": "web", "scale_target": "web", "triggers": (QUEUE,)} | scaled)
    parts: dict[str, Any] = {
        "workloads": (a_workload(replicas=2),),
        "scaled_objects": (given,),
        "metric_series": (series or a_queue(("0s", 0), ("10m", 35), ("15m", 0)),),
        "hpa_controller": EXACT_SYNCS,
        "simulation": SimulationSettings(duration="30m"),
    }
    return a_plan(**parts | settings)


def sizes(result: RunResult) -> list[tuple[float, int, int]]:
    """Changes of size: minute, before and after, whoever made them."""
    found = []
    for one in result.decisions:
        details = one.details
        if one.actor in (Actor.KEDA, Actor.HPA) and hasattr(details, "desired") and details.current != details.desired:
            found.append((one.time_us / MIN, details.current, details.desired))
    return found


def test_a_workload_without_work_goes_to_zero_comes_up_with_it_and_goes_again():
    changes = sizes(run_plan(event_plan({})))
    assert changes[0] == (0.0, 2, 0), "never active before, so that the initial cool-down of 0 s applies"
    assert changes[1] == (10.0, 0, 1), "the loop goes to the minimum or 1 only"
    assert changes[2] == (10.0, 1, 4), "the autoscaler, whose evaluation comes next, to 35 / 10"
    assert (changes[-1][0], changes[-1][2]) == (20.0, 0), "active at 14:30 for the last time"


def test_the_step_to_zero_comes_with_the_first_poll_strictly_after_the_cooldown():
    plan = event_plan({"cooldown_period": "5m"}, a_queue(("0s", 5), ("10m", 0)))
    last = sizes(run_plan(plan))[-1]
    assert (last[0], last[2]) == (15.0, 0), "active at 9:30 for the last time, 14:30 is not after the cool-down"


def test_activation_is_not_the_target():
    plan = event_plan({"triggers": (QUEUE | {"activation": "50"},)})
    assert sizes(run_plan(plan)) == [(0.0, 2, 0)]


def test_idle_replicas_are_kept_without_work():
    changes = sizes(run_plan(event_plan({"min_replicas": 3, "idle_replicas": 0})))
    assert changes[:2] == [(0.0, 2, 0), (10.0, 0, 3)]


def test_a_minimum_is_kept_from_the_first_poll_on():
    assert sizes(run_plan(event_plan({"min_replicas": 3})))[0] == (0.0, 2, 3)


def test_a_calendar_holds_replicas_from_start_to_end():
    cron = {"type": "cron", "timezone": "Europe/Berlin", "start": "5 1 * * 1-5", "end": "15 1 * * 1-5",
            "desired_replicas": 6}  # fmt: skip
    changes = sizes(run_plan(event_plan({"triggers": (cron,), "cooldown_period": "1m"})))
    assert changes[1][:2] == (5.0, 0), "01:05 in Berlin is five past midnight UTC"
    assert max(after for _, _, after in changes) == 6
    assert changes[-1][2] == 0 and changes[-1][0] > 15


def test_a_failing_trigger_without_fallback_freezes_the_size():
    outage = MetricsOutage(type="metricsOutage", at="12m", duration="18m", api="external")
    changes = sizes(run_plan(event_plan({}, a_queue(("0s", 35)), events=(outage,))))
    assert changes[-1][2] == 4, "the step to zero is not made while the trigger fails"


def test_a_fallback_stands_in_for_a_failing_trigger():
    outage = MetricsOutage(type="metricsOutage", at="12m", duration="18m", api="external")
    fallback = {"failure_threshold": 3, "replicas": 7}
    changes = sizes(run_plan(event_plan({"fallback": fallback}, a_queue(("0s", 35)), events=(outage,))))
    assert changes[-1][2] == 7
    assert changes[-1][0] == pytest.approx(12.75, abs=0.3), "with the fourth failing query of the autoscaler"


@pytest.mark.parametrize(
    ("settings", "size"),
    [({"paused": True}, None), ({"paused_replicas": 5}, 5), ({"force_activation": True, "min_replicas": 3}, 3)],
)
def test_a_paused_or_forced_object_keeps_its_size(settings, size):
    changes = sizes(run_plan(event_plan(settings, a_queue(("0s", 0)))))
    assert [after for _, _, after in changes] == ([] if size is None else [size])


LASTING = ("0s", 35)
"""Work for four pods, all the time."""


def paused_for_a_while(change, scaled=None, **settings):
    """A run in which a change holds from minute 10 to minute 20."""
    event = PlanChangeEvent(type="change", changes=(f"scaledObjects[web].{change}",), at="10m", duration="10m")
    return run_plan(event_plan(scaled or {}, **{"series": a_queue(LASTING), "events": (event,)} | settings))


def minutes_of(method, plan):
    """When KEDA does something in a run."""
    found, does = [], getattr(EventScaler, method)

    def noted(self, what, now_us):
        found.append(now_us / MIN)
        return does(self, what, now_us)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(EventScaler, method, noted)
        run_plan(plan)
    return found


def test_a_workload_keeps_its_size_while_its_object_is_paused_and_follows_again_afterwards():
    work_ends = a_queue(LASTING, ("12m", 0))
    changes = sizes(paused_for_a_while("paused = true", series=work_ends))
    assert changes[-2][2] == 4 and changes[-2][0] < 10
    assert changes[-1] == (20.0, 4, 0), "polled at once as it goes on, long after the cool-down"


def test_nothing_reads_the_triggers_while_an_object_is_paused():
    pause = PlanChangeEvent(type="change", changes=("scaledObjects[web].paused = true",), at="10m", duration="10m")
    found = minutes_of("_values", event_plan({}, a_queue(LASTING), events=(pause,)))
    assert not [minute for minute in found if 10 < minute < 20]
    assert len([minute for minute in found if minute < 10]) > 20 < len([minute for minute in found if minute >= 20])


def test_a_pause_at_a_size_is_left_with_a_new_autoscaler():
    changes = sizes(paused_for_a_while("pausedReplicas = 7"))
    assert (10.0, 4, 7) in changes
    assert [one for one in changes if 10 < one[0] < 20] == []
    assert changes[-1][2] == 4 and changes[-1][0] >= 20, "from 7 to what the queue needs"


def test_an_object_that_is_paused_at_the_start_may_go_on_for_a_while():
    changes = sizes(paused_for_a_while("paused = false", {"paused": True}))
    assert changes[0] == (10.0, 2, 4), "the autoscaler is created and looks at once"
    assert len(changes) == 1, "paused again it keeps the size"


def test_a_pause_that_ends_before_the_next_poll_leaves_one_loop():
    pause = PlanChangeEvent(type="change", changes=("scaledObjects[web].paused = true",), at="610s", duration="5s")
    found = minutes_of("poll", event_plan({}, a_queue(LASTING), events=(pause,)))
    after = [minute for minute in found if minute > 615 / 60 - 1e-9]
    assert after[0] == pytest.approx(615 / 60), "at once as it goes on"
    assert [later - earlier for earlier, later in pairwise(after)] == pytest.approx([0.5] * (len(after) - 1))


def test_a_formula_replaces_the_values_of_the_triggers():
    named = QUEUE | {"name": "orders"}
    modifiers = {"formula": "orders > 30 ? 60 : 0", "target": "10"}
    changes = sizes(run_plan(event_plan({"triggers": (named,), "scaling_modifiers": modifiers})))
    assert max(after for _, _, after in changes) == 6


def test_a_poll_says_what_the_triggers_read():
    details = [one.details for one in run_plan(event_plan({})).decisions if isinstance(one.details, EventScaling)]
    active = next(one for one in details if one.is_active)
    assert [(one.trigger, one.value) for one in active.readings] == [("queue", 35.0)]


def test_jobs_are_made_for_a_queue_and_each_ends_by_itself():
    job = a_workload("work", kind="Job", replicas=1, job=JobSettings(run_time="2m"))
    scaled = ScaledJob(name="work", job_target="work", max_replicas=5, triggers=(QUEUE | {"target": "1"},))
    queue = a_queue(("0s", 0), ("5m", 8), ("6m", 0), ("20m", 3), ("21m", 0))
    plan = event_plan({}, queue, workloads=(job,), scaled_objects=())
    result = run_plan(plan.model_copy(update={"scaled_jobs": (scaled,)}))
    made = [one.details for one in result.decisions if isinstance(one.details, JobsMade) and one.details.created]
    assert [one.created for one in made] == [5, 3], "no more than the maximum while they run; then they have ended"


def test_no_jobs_are_made_while_their_object_is_paused_and_those_that_run_go_on():
    job = a_workload("work", kind="Job", replicas=1, job=JobSettings(run_time="2m"))
    scaled = ScaledJob(name="work", job_target="work", max_replicas=5, triggers=(QUEUE | {"target": "1"},))
    pause = PlanChangeEvent(type="change", changes=("scaledJobs[work].paused = true",), at="61s", duration="10m")
    plan = event_plan({}, a_queue(("0s", 2)), workloads=(job,), scaled_objects=(), events=(pause,))
    plan = plan.model_copy(update={"scaled_jobs": (scaled,)})
    result = run_plan(plan)
    made = [(one.time_us / 1e6, one.details.created) for one in result.decisions if isinstance(one.details, JobsMade)]
    assert made[:2] == [(0.0, 2), (661.0, 2)], "polled at once as it goes on"
    jobs = cluster_objects("jobs", plan, result.history, 5 * MIN).rows
    assert [row.cells[2] for row in jobs] == ["Complete", "Complete"]


@pytest.mark.parametrize(("kept", "listed"), [(100, ["Complete"] * 5), (2, ["Complete"] * 2), (0, [])])
def test_completed_jobs_stay_listed_until_more_than_are_kept_have_completed(kept, listed):
    job = a_workload("work", kind="Job", replicas=1, job=JobSettings(run_time="2m"))
    scaled = ScaledJob(
        name="work", job_target="work", triggers=(QUEUE | {"target": "1"},), max_replicas=5,
        successful_jobs_history_limit=kept,
    )  # fmt: skip
    plan = event_plan({}, a_queue(("0s", 5), ("20s", 0)), workloads=(job,), scaled_objects=())
    plan = plan.model_copy(update={"scaled_jobs": (scaled,)})
    history = run_plan(plan).history

    def statuses(minute):
        return [row.cells[2] for row in cluster_objects("jobs", plan, history, int(minute * MIN)).rows]

    assert statuses(1) == ["Running"] * 5
    assert statuses(10) == listed


@pytest.mark.parametrize(
    ("scaled", "place"),
    [
        pytest.param({"scale_target": "shop"}, "scaledObjects[0].scaleTarget", id="no such workload"),
        pytest.param({"triggers": (QUEUE | {"series": "mails"},)}, "scaledObjects[0].triggers[0].series", id="series"),
        pytest.param(
            {"triggers": ({"type": "cron", "start": "0 0 30 2 *", "end": "0 1 * * *", "desired_replicas": 2},)},
            "scaledObjects[0].triggers[0].start", id="a line that is never due",
        ),
    ],
)  # fmt: skip
def test_a_wrong_object_is_a_problem_of_the_plan(scaled, place):
    assert place in [problem.where for problem in check_plan(event_plan(scaled))]


@pytest.mark.parametrize(
    "wrong",
    [
        pytest.param({"start": "0 8 * *"}, id="four fields"),
        pytest.param({"start": "61 8 * * *"}, id="no such minute"),
        pytest.param({"timezone": "Mars/Base"}, id="no such zone"),
    ],
)
def test_a_wrong_calendar_is_refused(wrong):
    cron = {"type": "cron", "start": "0 8 * * *", "end": "0 9 * * *", "desired_replicas": 2} | wrong
    with pytest.raises(ValidationError):
        ScaledObject(name="web", scale_target="web", triggers=(cron,))
