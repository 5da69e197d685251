"""Views are told where the cursor is: at once, and beside a run that goes on not at every move."""

from planner.plan.model.plan import Plan
from ui.runs.run_data import RunData, RunState
from ui.runs.time_cursor import TimeCursor


def _cursor_with_a_run(session):
    run = RunData(session.next_number(), "", Plan(), 0)
    session.add(run)
    cursor, seen = TimeCursor(), []
    cursor.give_way_to(session)
    cursor.moved.connect(lambda: seen.append(cursor.time_s))
    return cursor, run, seen


def _move_through(cursor, times_s):
    for time_s in times_s:
        cursor.move(time_s)


def test_beside_a_run_views_are_told_of_the_first_move_and_later_of_the_last(session, qtbot):
    cursor, run, seen = _cursor_with_a_run(session)
    run.set_state(RunState.RUNNING)
    _move_through(cursor, (1.0, 2.0, 3.0))
    assert seen == [1.0] and cursor.time_s == 3.0
    qtbot.waitUntil(lambda: len(seen) == 2)
    assert seen == [1.0, 3.0]


def test_without_a_run_that_goes_on_views_are_told_of_every_move(session):
    cursor, run, seen = _cursor_with_a_run(session)
    for state in (RunState.PAUSED, RunState.FINISHED):
        run.set_state(state)
        _move_through(cursor, (1.0, 2.0, 3.0))
    assert seen == [1.0, 2.0, 3.0] * 2
    run.set_state(RunState.RUNNING)
    session.choose_current(None)
    _move_through(cursor, (4.0, 5.0))
    assert seen[-2:] == [4.0, 5.0]
