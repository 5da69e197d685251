"""The garbage collector of Python during runs."""

import gc

import pytest

from planner import api
from planner.engine.collection import MOST_NEW, seldom_collected
from tests.builders import a_plan


@pytest.fixture
def collections():
    """Generations in which garbage was looked for; the collector is as before at the end."""
    found, before, was_on = [], gc.get_threshold(), gc.isenabled()
    gc.enable()
    callback = lambda phase, info: found.append(info["generation"]) if phase == "start" else None  # noqa: E731
    gc.callbacks.append(callback)
    yield found
    gc.callbacks.remove(callback)
    if not was_on:
        gc.disable()
    assert (gc.get_threshold(), gc.get_freeze_count()) == (before, 0)


def test_a_run_looks_for_garbage_neither_in_its_world_nor_in_what_it_records(collections):
    frozen, seen = [], []

    def look(done_us, until_us):
        if not frozen:
            frozen.append(gc.get_freeze_count())  # takes too long to be asked every time
        seen.append(len(collections))

    api.run_plan(a_plan(), on_progress=look)
    assert frozen[0] > 1_000
    assert seen[-1] == seen[0]


def test_cycles_are_found_before_they_fill_the_memory(collections):
    with seldom_collected():
        collections.clear()
        for _ in range(2 * MOST_NEW):
            cycle = []
            cycle.append(cycle)
        assert collections


def test_runs_that_overlap_leave_the_collector_as_it_was(collections):
    first, second = seldom_collected(), seldom_collected()
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert gc.get_threshold()[0] == MOST_NEW
    second.__exit__(None, None, None)
