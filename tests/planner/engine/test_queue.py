"""The total order of events."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.engine.phases import Phase
from planner.engine.queue import EventQueue


def test_events_come_by_time_then_phase_then_insertion() -> None:
    queue = EventQueue()
    queue.push(5, Phase.HPA, "hpa")
    queue.push(5, Phase.POD_ENDS, "end 1")
    queue.push(1, Phase.RECORD, "early")
    queue.push(5, Phase.POD_ENDS, "end 2")
    assert [queue.pop() for _ in range(4)] == ["early", "end 1", "end 2", "hpa"]
    assert queue.now_us == 5


def test_an_event_before_now_is_refused() -> None:
    queue = EventQueue()
    queue.push(10, Phase.LOAD, "first")
    queue.pop()
    with pytest.raises(ValueError, match="before now"):
        queue.push(9, Phase.LOAD, "late")


def test_delays_count_from_the_whole_millisecond() -> None:
    queue = EventQueue()
    queue.advance(7_000_500)
    assert queue.moment_us == 7_000_000


def test_the_clock_does_not_go_back() -> None:
    queue = EventQueue()
    queue.advance(7)
    with pytest.raises(ValueError, match="cannot go back"):
        queue.advance(6)


@given(st.lists(st.tuples(st.integers(0, 2**55), st.sampled_from(list(Phase))), max_size=60))
def test_the_order_is_that_of_a_stable_sort(keys: list[tuple[int, Phase]]) -> None:
    queue = EventQueue()
    for serial, (at_us, phase) in enumerate(keys):
        queue.push(at_us, phase, serial)
    expected = sorted(range(len(keys)), key=lambda i: keys[i])
    assert [queue.pop() for _ in keys] == expected


@given(st.lists(st.tuples(st.integers(0, 9), st.sampled_from(Phase)), max_size=8), st.integers(0, 8))
def test_events_pushed_together_come_as_if_pushed_one_after_the_other(due, before):
    found = []
    for together in (True, False):
        queue = EventQueue()
        for number in range(before):
            queue.push(number, Phase.LOAD, f"before {number}")
        entries = [(at_us, phase, number) for number, (at_us, phase) in enumerate(due)]
        if together:
            queue.push_all(entries)
        else:
            for entry in entries:
                queue.push(*entry)
        queue.push(5, Phase.LOAD, "after")
        found.append([queue.pop() for _ in range(len(queue))])
    assert found[0] == found[1]
