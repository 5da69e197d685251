"""CronJobs: which Job they start, and what becomes of every moment of their calendar."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planner.plan.checks.validate import check_plan
from planner.plan.model.plan import SimulationSettings
from planner.plan.model.workloads import ConcurrencyPolicy, CronSettings, JobSettings
from planner.plan.values.cron import parse_cron
from planner.plan.values.job_calendar import parse_job_calendar
from planner.plan.values.zoned_cron import due_between, zone_named
from planner.record.decisions import Verdict
from planner.record.details.work import CronJobLook, JobEnded
from planner.reports.cluster_objects import cluster_objects
from planner.simulation.run import run_plan
from planner.workloads.controllers.jobs.cron_job_rule import CronRules, cron_pass
from tests.builders import a_plan, a_workload

MIN = 60_000_000
START_MIN = SimulationSettings().starts_at // MIN
TEN = CronRules(parse_job_calendar("*/10 * * * *", "UTC"))
"""Every ten minutes."""


@pytest.mark.parametrize(("rules", "handled", "now", "active", "expected"), [
    pytest.param({}, 0, 9, 0, (None, False, False, 0), id="not due"),
    pytest.param({}, 0, 10, 0, (10, True, False, 0), id="due"),
    pytest.param({}, 0, 35, 0, (30, True, False, 2), id="only the latest of several"),
    pytest.param({}, 0, 10, 1, (10, True, False, 0), id="another one beside those that go on"),
    pytest.param({"concurrency": ConcurrencyPolicy.FORBID}, 0, 10, 1, (10, False, False, 0), id="waits"),
    pytest.param({"concurrency": ConcurrencyPolicy.FORBID}, 0, 15, 0, (10, True, False, 0), id="late, after the wait"),
    pytest.param({"concurrency": ConcurrencyPolicy.REPLACE}, 0, 10, 1, (10, True, True, 0), id="in its place"),
    pytest.param({"deadline_us": 3 * MIN}, 0, 14, 0, (None, False, False, 1), id="too late"),
    pytest.param({"deadline_us": 5 * MIN}, 0, 14, 0, (10, True, False, 0), id="late, but not too late"),
    pytest.param({"suspend": True}, 0, 35, 0, (None, False, False, 0), id="suspended"),
])  # fmt: skip
def test_what_a_look_leads_to(rules, handled, now, active, expected):
    given = CronRules(**{"calendar": TEN.calendar} | rules)
    found = cron_pass(given, handled * MIN, now * MIN, active)
    due = None if found.due_us is None else found.due_us // MIN
    assert (due, found.starts, found.replaces, found.missed) == expected


@pytest.mark.parametrize(("deadline", "handled", "now", "expected"), [
    pytest.param(None, 7, 96, (None, 0, 97), id="not due"),
    pytest.param(None, 7, 97, (97, 0, 187), id="so long after the last one, not at times of the clock"),
    pytest.param(None, 7, 290, (277, 2, 367), id="only the latest of several"),
    pytest.param(100, 7, 97, (97, 0, 187), id="a deadline that is longer than the interval"),
    pytest.param(30, 7, 97, (None, 1, 187), id="a shorter one lets nothing ever be due"),
])  # fmt: skip
def test_an_interval_counts_from_the_last_start(deadline, handled, now, expected):
    second = 1_000_000
    rules = CronRules(
        parse_job_calendar("@every 1m30.9s", "UTC"), deadline_us=None if deadline is None else deadline * second
    )
    found = cron_pass(rules, handled * second, now * second, 0)
    due = None if found.due_us is None else found.due_us // second
    assert (due, found.missed, (found.next_us - 100_000) // second) == expected


def cron_run(run_time="1m", duration="61m", replicas=1, start="0s", **cron):
    calendar = CronSettings(**{"schedule": "*/10 * * * *"} | cron)
    job = a_workload(
        "report", kind="Job", replicas=replicas,
        job=JobSettings(run_time=run_time, completions=replicas, start=start, cron=calendar),
    )  # fmt: skip
    run = SimulationSettings(duration=duration, record_interval="1m")
    return run_plan(a_plan(workloads=(job,), simulation=run))


def looks(result):
    """Minute, verdict and missed starts of each; equal ones that follow each other are one decision."""
    return [
        (round(one.time_us / MIN, 2), one.verdict, one.details.missed)
        for one in result.decisions
        if isinstance(one.details, CronJobLook)
        for _ in range(one.repeats + 1)
    ]


def test_jobs_of_an_interval_start_from_the_creation_on():
    result = cron_run(schedule="@every 20m", start="7m30s")
    assert [(minute, verdict) for minute, verdict, _ in looks(result)] == [
        (27.5, Verdict.LAUNCHED), (47.5, Verdict.LAUNCHED),
    ]  # fmt: skip


def test_an_interval_of_less_than_a_minute_makes_one_job_a_minute_because_names_tell_minutes():
    result = cron_run(schedule="@every 20s", run_time="5s", duration="4m")
    assert [int(minute) for minute, _, _ in looks(result)] == [0, 1, 2, 3]


@pytest.mark.parametrize(("text", "seconds"), [
    ("@every 1h30m", 5400), ("@every 2m0.7s", 120), ("@every .5m", 30), ("@every 1m1m", 120), ("@every 500ms", 1),
    ("@every +5m", 300), ("@every -5s", 1), ("@every 0", 1),
])  # fmt: skip
def test_an_interval_is_read_as_go_reads_durations(text, seconds):
    assert parse_job_calendar(text, "UTC").next_due_us(0) == seconds * 1_000_000


@pytest.mark.parametrize(
    "text", ["@every", "@every 1d", "@every soon", "@every 90", "@every 1h 2m", "@every ", " @daily", "@reboot"]
)
def test_what_is_no_interval_is_a_problem(text):
    with pytest.raises(ValueError):
        CronSettings(schedule=text)


def test_jobs_start_a_tenth_of_a_second_after_their_moments_and_end():
    result = cron_run()
    assert [(minute, verdict) for minute, verdict, _ in looks(result)] == [
        (10 * n, Verdict.LAUNCHED) for n in range(1, 7)
    ]
    ended = [one.details for one in result.decisions if isinstance(one.details, JobEnded)]
    assert len(ended) == 5 or len(ended) == 6
    assert all(one.succeeded == 1 and one.failed == 0 for one in ended)
    assert max(result.series["replicas_active_count[report]"]) == 1


@pytest.mark.parametrize(("policy", "most", "first"), [
    ("Allow", 3, [(10, Verdict.LAUNCHED), (20, Verdict.LAUNCHED), (30, Verdict.LAUNCHED)]),
    ("Forbid", 1, [(10, Verdict.LAUNCHED), (20, Verdict.REFUSED), (30, Verdict.REFUSED)]),
    ("Replace", 2, [(10, Verdict.LAUNCHED), (20, Verdict.LAUNCHED), (30, Verdict.LAUNCHED)]),
])  # fmt: skip
def test_jobs_that_take_longer_than_the_interval(policy, most, first):
    result = cron_run(run_time="25m", concurrency_policy=policy)
    assert [(minute, verdict) for minute, verdict, _ in looks(result)][:3] == first
    assert max(result.series["replicas_active_count[report]"]) <= most


def test_a_start_that_waited_comes_when_the_earlier_job_ends():
    found = looks(cron_run(run_time="25m", concurrency_policy="Forbid"))
    starts = [(minute, missed) for minute, verdict, missed in found if verdict is Verdict.LAUNCHED]
    assert starts[0] == (10, 0) and 35 < starts[1][0] < 37, "the moment of 30 is made up for"
    assert sum(missed for _, _, missed in found) >= 1, "that of 20 is not"


def test_a_suspended_one_makes_no_jobs():
    assert looks(cron_run(suspend=True)) == []


@settings(max_examples=8, deadline=None)
@given(
    minutes=st.integers(2, 13), run_time=st.integers(1, 25), policy=st.sampled_from(["Allow", "Forbid", "Replace"]),
    deadline=st.sampled_from([None, "10s", "4m"]), start=st.integers(0, 15),
)  # fmt: skip
def test_every_moment_of_the_calendar_is_accounted_for(minutes, run_time, policy, deadline, start):
    line = f"*/{minutes} * * * *"
    result = cron_run(
        f"{run_time}m", "40m", start=f"{start}m", schedule=line, concurrency_policy=policy, starting_deadline=deadline
    )
    begin_us = SimulationSettings().starts_at
    moments = len(
        list(due_between(parse_cron(line), zone_named("UTC"), begin_us + start * MIN, begin_us + 40 * MIN - 1))
    )
    found = looks(result)
    started = sum(verdict is Verdict.LAUNCHED for _, verdict, _ in found)
    missed = sum(missed for _, _, missed in found)
    waits = found and found[-1][1] is Verdict.REFUSED
    assert started + missed + bool(waits) == moments
    ended = sum(isinstance(one.details, JobEnded) for one in result.decisions)
    assert ended <= started


@pytest.mark.parametrize(("kind", "cron", "place"), [
    ("Job", {"schedule": "0 0 30 2 *"}, "workloads[0].job.cron.schedule"),
    ("Deployment", {"schedule": "0 0 * * *"}, "workloads[0].job.cron"),
])  # fmt: skip
def test_a_calendar_that_makes_nothing_is_refused(kind, cron, place):
    item = a_workload("report", kind=kind, job=JobSettings(cron=CronSettings(**cron)))
    assert place in {problem.where for problem in check_plan(a_plan(workloads=(item,)))}


def listed(result, minute):
    """Names of the Jobs that are there, by the moments that made them, and how they ended."""
    history = result.history
    rows = cluster_objects("jobs", a_plan(), history, int(minute * MIN)).rows
    return [(int(one.cells[1].removeprefix("report-")) - START_MIN, one.cells[2]) for one in rows]


@pytest.mark.parametrize(("limits", "kept"), [
    ({}, [30, 40, 50]),
    ({"successful_jobs_history_limit": 1}, [50]),
    ({"successful_jobs_history_limit": 0, "failed_jobs_history_limit": 9}, []),
    ({"successful_jobs_history_limit": 9, "failed_jobs_history_limit": 0}, [10, 20, 30, 40, 50]),
])  # fmt: skip
def test_as_many_jobs_that_completed_stay_listed_as_the_calendar_keeps(limits, kept):
    result = cron_run(**limits)
    assert listed(result, 58) == [(minute, "Complete") for minute in kept]
    assert listed(result, 60.5)[-1] == (60, "Running"), "one that goes on is listed beside them"


def test_jobs_that_failed_are_counted_by_themselves():
    job = a_workload(
        "report", kind="Job", replicas=1,
        job=JobSettings(
            run_time="1m", failure_ratio=1.0, backoff_limit=0,
            cron=CronSettings(schedule="*/10 * * * *", successful_jobs_history_limit=0, failed_jobs_history_limit=2),
        ),
    )  # fmt: skip
    result = run_plan(a_plan(workloads=(job,), simulation=SimulationSettings(duration="61m")))
    assert listed(result, 58) == [(40, "Failed"), (50, "Failed")]


def test_a_job_in_whose_place_another_comes_is_no_longer_listed():
    assert listed(cron_run(run_time="25m", concurrency_policy="Replace"), 35) == [(30, "Running")]


@pytest.mark.parametrize(
    ("begins", "line", "expected"),
    [
        pytest.param("2026-03-28T23:00:00Z", "30 2 * * *", [], id="a time that clocks skip has no start"),
        pytest.param("2026-03-28T23:00:00Z", "0 1-4 * * *", [60, 120, 180], id="hours go on beside the one skipped"),
        pytest.param("2026-10-24T22:00:00Z", "30 2 * * *", [150, 210], id="a time that comes twice has two starts"),
        pytest.param("2026-10-24T22:00:00Z", "0 1-4 * * *", [60, 120, 180, 240, 300], id="an hour more"),
    ],
)
def test_starts_on_days_on_which_clocks_change(begins, line, expected):
    calendar = CronSettings(schedule=line, time_zone="Europe/Berlin")
    job = a_workload("report", kind="Job", job=JobSettings(run_time="1m", cron=calendar))
    run = SimulationSettings(duration="301m", record_interval="1m", starts_at=begins)
    found = looks(run_plan(a_plan(workloads=(job,), simulation=run)))
    assert [(round(minute), verdict, missed) for minute, verdict, missed in found] == [
        (minute, Verdict.LAUNCHED, 0) for minute in expected
    ]
