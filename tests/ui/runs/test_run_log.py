"""What the log says of runs."""

import logging

import pytest

from planner.units import US_PER_H
from tests.builders import a_plan
from ui.runs.run_data import RunData, RunState
from ui.runs.run_log import RunLog
from ui.runs.session import RunSession


@pytest.fixture
def session(qapp, caplog):
    caplog.set_level(logging.INFO, "headroom")
    session = RunSession()
    RunLog(session, session)
    return session


def a_run(number: int) -> RunData:
    return RunData(number, f"Run {number}", a_plan(), seed=7)


def test_a_run_is_logged_when_it_starts_pauses_and_ends(session, caplog):
    run = a_run(1)
    session.add(run)
    assert caplog.messages == ["run 1 started: seed 7, 3600 s"]
    run.set_state(RunState.RUNNING)
    run.set_state(RunState.PAUSED)
    run.set_state(RunState.RUNNING)
    run.done_us = US_PER_H
    run.set_state(RunState.FINISHED)
    assert caplog.messages[1:] == [
        "run 1 paused: 0 s simulated, 0 events, 0 decisions",
        "run 1 finished: 3600 s simulated, 0 events, 0 decisions",
    ]


def test_every_run_is_logged_once(session, caplog):
    session.add(a_run(1))
    session.add(a_run(2))
    assert [text.split(":")[0] for text in caplog.messages] == ["run 1 started", "run 2 started"]
