"""Garbage is searched for in the window's thread only."""

import gc
import sys
import threading
import weakref

import pytest

from ui.app import make_window
from ui.process.garbage import GarbageSearch, resident_mib

CYCLES = 30_000


class Knot:
    """Refers to itself, so only the collector takes it away."""

    def __init__(self):
        self.me = self


@pytest.fixture
def collector():
    """On, as in a program that has just started."""
    gc.enable()
    yield
    gc.disable()


def make_garbage(taken_in):
    knot = Knot()
    weakref.finalize(knot, lambda: taken_in.append(threading.get_ident()))
    del knot
    for _ in range(CYCLES):
        Knot()


def test_what_a_thread_leaves_is_taken_away_in_the_window_s_thread(collector, qtbot):
    taken_in = []
    search = GarbageSearch()
    thread = threading.Thread(target=make_garbage, args=(taken_in,))
    thread.start()
    thread.join()
    assert not taken_in
    qtbot.waitUntil(lambda: bool(taken_in))
    assert taken_in == [threading.get_ident()]
    search.deleteLater()


def test_the_program_searches_in_its_window_s_thread(collector, qapp, qtbot):
    window = make_window(qapp)
    qtbot.addWidget(window, before_close_func=lambda window: window.end())
    assert not gc.isenabled() and window.findChild(GarbageSearch) is not None


def test_older_generations_are_searched_when_they_are_due(collector, qapp):
    search, found = GarbageSearch(), []
    callback = lambda phase, info: found.append(info["generation"]) if phase == "start" else None  # noqa: E731
    gc.collect()
    gc.callbacks.append(callback)
    for _ in range(400):
        for _ in range(1_000):
            Knot()
        search.look()
    gc.callbacks.remove(callback)
    assert found.count(0) > found.count(1) > found.count(2) >= 1


@pytest.mark.skipif(sys.platform != "linux", reason="other C libraries give free memory back by themselves")
def test_memory_between_parts_that_stay_goes_back_to_the_system_when_the_process_has_grown(collector, qapp):
    search = GarbageSearch()
    parts = [bytearray(b"x") * 60_000 for _ in range(4_000)]  # too small for pages of their own, which free themselves
    stay, full = parts[::8], resident_mib()
    del parts
    search.look()
    assert full - resident_mib() > 120.0
    assert len(stay) == 500
