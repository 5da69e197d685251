"""Hints on calendars whose times a change of clocks skips or doubles."""

import pytest

from planner.plan.hints.schedules import schedule_hints
from planner.plan.model.events.on_workloads import SetReplicas
from planner.plan.model.plan import SimulationSettings
from planner.plan.model.workloads import CronSettings, JobSettings
from tests.builders import a_plan, a_workload


@pytest.mark.parametrize(("day", "line", "words"), [
    ("2026-03-28T12:00:00Z", "30 2 * * *", ["does not happen"]),
    ("2026-10-24T12:00:00Z", "30 2 * * *", ["happens twice"]),
    ("2026-10-24T12:00:00Z", "30 4 * * *", []),
    ("2026-05-24T12:00:00Z", "30 2 * * *", []),
])  # fmt: skip
def test_days_in_the_run_are_named(day, line, words):
    cron = CronSettings(schedule=line, time_zone="Europe/Berlin")
    event = SetReplicas(type="setReplicas", workload="web", replicas=1, schedule=line, time_zone="Europe/Berlin")
    plan = a_plan(
        workloads=(a_workload("report", kind="Job", job=JobSettings(cron=cron)),),
        events=(event,),
        simulation=SimulationSettings(duration="24h", starts_at=day),
    )
    found = list(schedule_hints(plan))
    assert [hint.where for hint in found] == ["workloads[0].job.cron.schedule", "events[0].schedule"] * bool(words)
    assert all(words[0] in hint.text for hint in found)
