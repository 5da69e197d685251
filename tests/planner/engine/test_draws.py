"""Draws belong to seed, purpose, thing and number; their distributions and their independence of each other."""

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.engine.draws import Draws, key_of, key_within

WHOLE = st.integers(0, 2**64 - 1)
MANY = 200_000


def things(count=MANY, name="web"):
    return key_within(key_of("default", name), np.arange(count, dtype=np.uint64))


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(lambda: Draws(4).of("boot").uniform(key_of("pool")), id="seed"),
        pytest.param(lambda: Draws(3).of("phase").uniform(key_of("pool")), id="purpose"),
        pytest.param(lambda: Draws(3).of("boot").uniform(key_of("pools")), id="thing"),
        pytest.param(lambda: Draws(3).of("boot").uniform(key_of("pool"), 1), id="number"),
    ],
)
def test_a_draw_differs_with(other):
    assert Draws(3).of("boot").uniform(key_of("pool")) == Draws(3).of("boot").uniform(key_of("pool")) != other()


def test_draws_come_in_any_order():
    draws = Draws(3).of("boot")
    forth = [draws.normal(5, number) for number in range(9)]
    assert [draws.normal(5, number) for number in reversed(range(9))] == forth[::-1]


def test_names_are_kept_apart():
    assert len({key_of("a", "bc"), key_of("ab", "c"), key_of("abc"), key_of("abc", ""), key_of("1:a")}) == 5


@given(st.lists(WHOLE, min_size=1, max_size=5), WHOLE, st.integers(0, 2**32))
def test_a_column_draws_what_its_elements_draw(keys, salt, number):
    column, draws = np.array(keys, np.uint64), Draws(salt).of("any")
    assert key_within(column, number).tolist() == [key_within(key, number) for key in keys]
    assert key_within(keys[0], column).tolist() == [key_within(keys[0], key) for key in keys]
    assert draws.uniform(column, number).tolist() == [draws.uniform(key, number) for key in keys]
    assert draws.normal(column, number) == pytest.approx([draws.normal(key, number) for key in keys], abs=1e-12)


def test_uniform_draws_fill_their_interval_evenly():
    drawn = Draws(1).of("any").uniform(things())
    counts = np.histogram(drawn, 100, (0.0, 1.0))[0]
    assert ((counts - MANY / 100) ** 2 / (MANY / 100)).sum() < 150  # 99 degrees of freedom
    assert drawn.min() >= 0.0 and drawn.max() < 1.0


def test_normal_draws_have_the_moments_of_the_normal_distribution():
    drawn = Draws(1).of("any").normal(things())
    moments = [float((drawn**power).mean()) for power in (1, 2, 3, 4)]
    assert moments == pytest.approx([0.0, 1.0, 0.0, 3.0], abs=0.05)


def test_exponential_draws_have_mean_and_deviation_one():
    draws = Draws(1).of("any")
    drawn = np.array([draws.exponential(key) for key in things(20_000).tolist()])
    assert [drawn.mean(), drawn.std()] == pytest.approx([1.0, 1.0], abs=0.03)


def test_draws_of_one_thing_of_neighbours_and_of_purposes_are_not_related():
    draws, keys = Draws(1), things()
    base = draws.of("one").uniform(keys)
    for other in (
        draws.of("one").uniform(keys, 1),
        draws.of("two").uniform(keys),
        Draws(2).of("one").uniform(keys),
        draws.of("one").uniform(things(name="shop")),
        np.roll(base, 1),
    ):
        assert abs(np.corrcoef(base, other)[0, 1]) < 0.01


@pytest.mark.parametrize("count", [2, 3, 7, 100])
def test_every_candidate_is_preferred_by_its_share_of_the_things(count):
    draws, nodes = Draws(1).of("ties"), things(count, "pool")
    won = np.bincount([draws.first(key, nodes) for key in things(20_000).tolist()], minlength=count)
    expected = 20_000 / count
    spread = np.sqrt(2 * (count - 1))
    assert abs(((won - expected) ** 2 / expected).sum() - (count - 1)) < 4 * spread


@given(st.lists(WHOLE, min_size=1, max_size=20, unique=True), WHOLE, WHOLE)
def test_a_candidate_more_takes_things_over_but_moves_no_other(candidates, more, thing):
    draws, before = Draws(1).of("ties"), np.array(candidates, np.uint64)
    after = np.append(before, np.uint64(more))
    chosen = int(after[draws.first(thing, after)])
    assert chosen in (more, int(before[draws.first(thing, before)]))


@given(st.lists(WHOLE, min_size=1, max_size=20, unique=True), st.integers(1, 25), WHOLE)
def test_some_are_those_that_would_be_first_one_after_the_other(candidates, count, thing):
    draws, keys = Draws(1).of("ties"), np.array(candidates, np.uint64)
    some = draws.some(count, thing, keys)
    assert some == sorted(some) and len(some) == min(count, len(keys))
    left, found = list(range(len(keys))), []
    for _ in some:
        found.append(left.pop(draws.first(thing, keys[left])))
    assert sorted(found) == some


def test_another_process_with_another_hash_seed_draws_the_same():
    code = "from planner.engine.draws import *; print(Draws(7).of('x').normal(key_of('a', 'b'), 2), key_of('a', 'b'))"
    answers = [
        subprocess.run(
            [sys.executable, "-c", code], env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        ).stdout
        for seed in ("1", "2")
    ]
    assert answers[0] == answers[1] and answers[0]
