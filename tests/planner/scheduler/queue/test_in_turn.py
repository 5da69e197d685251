"""Entries are taken smallest first, in whatever order they come."""

from hypothesis import given
from hypothesis import strategies as st

from planner.scheduler.queue.in_turn import InTurn


@given(st.lists(st.one_of(st.integers(0, 9), st.none()), max_size=60))
def test_the_smallest_entry_is_the_first(script):
    """`script`: numbers to add, None to take one."""
    queue, waiting = InTurn(), []
    for serial, number in enumerate(script):
        if number is not None:
            queue.push((number, serial))
            waiting.append((number, serial))
        elif waiting:
            least = min(waiting)
            assert (queue.first(), queue.pop()) == (least, least)
            waiting.remove(least)
        else:
            assert queue.pop() is None
        assert bool(queue) == bool(waiting)
