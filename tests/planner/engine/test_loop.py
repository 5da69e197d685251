"""The event loop: settling, bounds, cancelling."""

from dataclasses import dataclass

import pytest

from planner.engine.loop import Bounds, EventLoop
from planner.engine.phases import Phase
from planner.engine.queue import EventQueue
from planner.errors import RunStopped


@dataclass(frozen=True)
class Note:
    text: str


def test_everything_settles_after_each_phase_of_an_instant() -> None:
    queue, seen = EventQueue(), []
    for at_us, phase, text in ((0, Phase.CLOUD, "a"), (0, Phase.CLOUD, "b"), (0, Phase.HPA, "c"), (1, Phase.LOAD, "d")):
        queue.push(at_us, phase, Note(text))
    loop = EventLoop(queue, {Note: lambda note: seen.append(note.text)}, lambda: seen.append("|"))
    loop.run_until(5)
    assert "".join(seen) == "ab|c|d|"
    assert queue.now_us == 5


def test_an_event_pushed_in_its_own_phase_is_handled_before_settling() -> None:
    queue, seen = EventQueue(), []

    def handle(note: Note) -> None:
        seen.append(note.text)
        if note.text == "first":
            queue.push(queue.now_us, Phase.CLOUD, Note("second"))

    queue.push(0, Phase.CLOUD, Note("first"))
    EventLoop(queue, {Note: handle}, lambda: seen.append("|")).run_until(0)
    assert seen == ["first", "second", "|"]


def test_events_that_feed_each_other_in_one_instant_end_the_run_with_a_message() -> None:
    queue = EventQueue()
    queue.push(0, Phase.CLOUD, Note("x"))
    loop = EventLoop(
        queue, {Note: lambda note: queue.push(0, Phase.CLOUD, note)}, lambda: None, Bounds(per_instant=100)
    )
    with pytest.raises(RunStopped, match="More than 100 events in one instant"):
        loop.run_until(10)


def test_a_bound_on_the_whole_run_holds() -> None:
    queue = EventQueue()
    queue.push(0, Phase.CLOUD, Note("x"))
    loop = EventLoop(
        queue, {Note: lambda note: queue.push(queue.now_us + 1, Phase.CLOUD, note)}, lambda: None, Bounds(per_run=50)
    )
    with pytest.raises(RunStopped, match="More than 50 events in one run"):
        loop.run_until(1_000)


def test_a_cancelled_run_stops_and_says_so() -> None:
    queue = EventQueue()
    queue.push(0, Phase.CLOUD, Note("x"))
    loop = EventLoop(queue, {Note: lambda note: queue.push(queue.now_us + 1, Phase.CLOUD, note)}, lambda: None)
    with pytest.raises(RunStopped) as stopped:
        loop.run_until(10**9, cancelled=lambda: True)
    assert stopped.value.cancelled


def test_an_observer_is_called_before_every_phase() -> None:
    queue = EventQueue()
    seen: list[object] = []
    for at_us, phase, text in ((3, Phase.HPA, "c"), (0, Phase.CLOUD, "a"), (0, Phase.HPA, "b")):
        queue.push(at_us, phase, Note(text))
    loop = EventLoop(queue, {Note: lambda note: seen.append(note.text)}, lambda: None)
    loop.run_until(9, before=lambda at_us, phase: seen.append((at_us, phase)))
    assert seen == [(0, Phase.CLOUD), "a", (0, Phase.HPA), "b", (3, Phase.HPA), "c"]


def test_a_run_that_is_cancelled_while_it_is_held_up_does_nothing_more() -> None:
    queue = EventQueue()
    seen: list[object] = []
    queue.push(5, Phase.CLOUD, Note("x"))
    loop = EventLoop(queue, {Note: lambda note: seen.append(note.text)}, lambda: None)
    held: list[int] = []
    with pytest.raises(RunStopped) as stopped:
        loop.run_until(9, cancelled=lambda: bool(held), before=lambda at_us, phase: held.append(at_us))
    assert stopped.value.cancelled and not seen and loop.event_count == 0
