"""Rows of a finished run become decisions when somebody reads them, not before."""

import pickle

import pytest

from planner.record.decision_log import DecisionLog
from planner.record.decisions import Actor, Decision, Verdict
from planner.record.recorder import Recorder
from planner.scheduler.placement_record import PlacementReader
from planner.simulation.run import run_plan
from planner.units import US_PER_MIN
from tests.builders import a_plan, a_workload

REFUSED = Decision(5, Actor.SCHEDULER, Verdict.UNSCHEDULABLE, "b")


def bound(time_us: int, pod: str) -> Decision:
    return Decision(time_us, Actor.SCHEDULER, Verdict.BOUND, pod, "node")


@pytest.fixture
def made():
    """The rows that became decisions."""
    return []


@pytest.fixture
def log(made):
    """A row, a decision found twice, and a row."""

    def make(row):
        made.append(row)
        return bound(*row)

    recorder = Recorder()
    recorder.keep_row((1, "a"), make)
    recorder.decide(REFUSED)
    recorder.decide(REFUSED)
    recorder.keep_row((9, "b"), make)
    return recorder.log()


def test_rows_stay_rows_until_a_decision_is_read(log, made):
    assert (len(log), [one.subject for one in log.but_rows], made) == (3, ["b"], [])
    assert log[0] == bound(1, "a")
    assert list(log) == [bound(1, "a"), REFUSED._replace(repeats=1), bound(9, "b")]
    assert log[1:] == (REFUSED._replace(repeats=1), bound(9, "b"))
    assert made == [(1, "a"), (9, "b")], "each once"


def test_logs_with_the_same_decisions_are_equal(log):
    assert log == DecisionLog(list(log)) and log == tuple(log)
    assert log != DecisionLog(list(log)[1:])


def test_a_copy_for_another_process_carries_decisions(log):
    assert pickle.loads(pickle.dumps(DecisionLog([bound(1, "a")]))) == (bound(1, "a"),)
    assert list(DecisionLog(list(log))) == list(log)


def test_no_figure_or_table_of_a_run_needs_its_placements(monkeypatch):
    plan, made, make = a_plan(workloads=(a_workload(replicas=3),)), [], PlacementReader.__call__

    def counted(reader, row):
        made.append(row)
        return make(reader, row)

    monkeypatch.setattr(PlacementReader, "__call__", counted)
    result = run_plan(plan, until_us=10 * US_PER_MIN)
    assert len(made) == 1, "the first pod of a template is placed step by step"
    assert sum(one.verdict is Verdict.BOUND for one in result.decisions) == len(made) == 3
