"""Which runs are kept, which is looked at, which is compared with."""

from tests.builders import a_plan
from ui.runs.run_data import RunData, RunState
from ui.runs.session import MAX_RUNS
from ui.runs.time_cursor import TimeCursor


def a_run(session, state=RunState.FINISHED):
    number = session.next_number()
    run = RunData(number, f"run {number}", a_plan(), 1)
    run.state = state
    session.add(run)
    return run


def test_the_newest_run_is_current_and_the_one_before_its_baseline(session):
    first = a_run(session)
    assert session.current is first and session.baseline is None
    second = a_run(session)
    assert session.current is second and session.baseline is first


def test_a_failed_run_is_not_used_as_a_baseline(session):
    first = a_run(session)
    a_run(session, RunState.FAILED)
    a_run(session)
    assert session.baseline is first


def test_a_chosen_baseline_stays(session):
    first = a_run(session)
    a_run(session)
    session.choose_baseline(first)
    a_run(session)
    assert session.baseline is first and not session.compares_with_previous
    session.compare_with_previous()
    assert session.baseline is session.runs[1]


def test_the_baseline_can_be_turned_off(session):
    a_run(session)
    a_run(session)
    session.choose_baseline(None)
    a_run(session)
    assert session.baseline is None


def test_the_oldest_run_is_dropped_when_there_are_too_many(session, qtbot):
    gone = []
    session.dropped.connect(gone.append)
    runs = [a_run(session) for _ in range(MAX_RUNS)]
    session.choose_baseline(runs[0])
    with qtbot.waitSignal(session.runs_changed):
        newest = a_run(session)
    assert gone == [runs[1]]  # the baseline stays
    assert len(session.runs) == MAX_RUNS and session.current is newest
    assert [run.number for run in session.runs] == [1, *range(3, MAX_RUNS + 2)]


def test_large_runs_are_dropped_sooner(session, monkeypatch):
    runs = [a_run(session) for _ in range(4)]
    monkeypatch.setattr("ui.runs.session.MAX_BYTES", 100)
    monkeypatch.setattr(RunData, "weight_bytes", property(lambda run: 60))
    newest = a_run(session)
    assert session.runs == (runs[3], newest)  # the baseline and the current one, too heavy as they are


def test_the_cursor_signals_only_real_moves(qapp):
    cursor, moves = TimeCursor(), []
    cursor.moved.connect(lambda: moves.append(cursor.time_s))
    for time_s in (5.0, 5.0, None, None):
        cursor.move(time_s)
    assert moves == [5.0, None]
