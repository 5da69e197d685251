"""Moments of a loop: exact where it takes no time, and drifting by its run time otherwise."""

from itertools import accumulate

import pytest

from planner.engine.draws import Draws
from planner.simulation.beats.loop_clock import LoopClock

PERIOD_US = 15_000_000


def moments(seed=1, run_time_us=30_000, phase_us=None, count=200, name="hpa"):
    clock = LoopClock(name, PERIOD_US, run_time_us, Draws(seed))
    first = clock.first_us(phase_us)
    return list(accumulate(range(count - 1), lambda now_us, _: clock.next_us(now_us), initial=first))


def test_a_loop_that_takes_no_time_keeps_its_beat():
    assert moments(run_time_us=0, phase_us=PERIOD_US) == [PERIOD_US * step for step in range(1, 201)]


def test_every_period_is_longer_by_half_to_one_and_a_half_run_times():
    found = moments()
    more = [after - before - PERIOD_US for before, after in zip(found, found[1:], strict=False)]
    assert 15_000 <= min(more) < max(more) <= 45_000
    assert sum(more) / len(more) == pytest.approx(30_000, rel=0.1)


def test_the_first_moment_is_anywhere_within_the_first_period():
    first = [moments(seed, count=1)[0] for seed in range(400)]
    assert 0 < min(first) < PERIOD_US // 20 and 19 * PERIOD_US // 20 < max(first) <= PERIOD_US


def test_loops_draw_independently_and_the_same_in_every_run():
    assert moments(3) == moments(3) != moments(4)
    assert moments(3, name="scrapes") != moments(3)
