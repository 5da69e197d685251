"""What runs that were not made would have shown."""

import numpy as np
import pytest

from planner.experiments.statistics.correct_selection import chance_of_none, chances_to_be_lower, chances_to_keep

ALL_OR_NOTHING = [(0, 8)] * 40 + [(8, 8)] * 40


def keeping(kept, counts, share=0.9, total=20):
    return chances_to_keep(np.array(kept), np.array(counts), share, total)


def test_a_plan_with_all_its_runs_keeps_a_constraint_or_not():
    assert keeping([20, 18, 17, 0], [20] * 4) == pytest.approx([1.0, 1.0, 0.0, 0.0])


def test_a_plan_that_has_missed_too_often_already_cannot_keep_a_constraint():
    assert keeping([1, 4], [4, 4])[0] == 0.0


def test_what_two_runs_say_depends_on_the_runs_of_all_other_plans():
    clear, [even, *_] = keeping(*zip(*ALL_OR_NOTHING, (2, 2), strict=True))[-1], keeping([2, *[4] * 80], [2, *[8] * 80])
    assert clear > 0.9 and even < 0.1


def test_of_plans_that_have_kept_it_so_far_as_many_keep_it_in_the_end_as_the_chances_say():
    rng = np.random.default_rng(3)
    shares = rng.beta(2.0, 0.5, 4000)
    first, rest = rng.binomial(4, shares), rng.binomial(16, shares)
    chances = keeping(first, np.full(4000, 4))
    for hits in range(5):
        chosen = first == hits
        assert chances[chosen][0] == pytest.approx((first + rest >= 18)[chosen].mean(), abs=0.05)


def test_a_plan_whose_runs_are_all_made_is_lower_or_not():
    pairs = [np.array([-1.0, -2.0]), np.array([1.0, 2.0]), np.array([-1.0, 1.0])]
    assert chances_to_be_lower(pairs, 2, 0.0).tolist() == [1.0, 0.0, 0.0]
    assert chances_to_be_lower(pairs, 2, 1.6).tolist() == [0.0, 0.0, 0.0]


def test_the_chance_to_be_lower_is_the_share_of_plans_that_are_in_the_end():
    rng = np.random.default_rng(5)
    runs = rng.normal(0.0, 0.5, (4000, 1)) + rng.normal(0.0, 1.0, (4000, 12))
    chances = chances_to_be_lower(list(runs[:, :3]), 12, 0.1)
    lower = runs.mean(axis=1) < -0.1
    assert chances.mean() == pytest.approx(lower.mean(), abs=0.03)
    sure = chances > 0.9
    assert lower[sure].mean() == pytest.approx(chances[sure].mean(), abs=0.08)


def test_pairs_that_never_vary_leave_no_doubt():
    assert chances_to_be_lower([np.full(3, 2.0), np.full(3, -2.0)], 9, 0.0).tolist() == [0.0, 1.0]


def test_a_plan_that_was_equal_in_all_runs_is_the_less_likely_to_be_lower_the_more_such_plans_there_are():
    equal, others = np.zeros(2), [np.array([4.0, -5.0]), np.array([-3.0, 6.0])]
    alone = chances_to_be_lower([equal, *10 * others], 24, 0.5)
    common = chances_to_be_lower([equal] * 40 + others, 24, 0.5)
    assert common[0] < 0.05 < 0.2 < alone[0]
    assert common[-2] > 0.4 and chances_to_be_lower([np.zeros(24), *others], 24, 0.0)[0] == 0.0


@pytest.mark.parametrize("chances", [[0.2], [0.1, 0.2, 0.3], [0.01] * 100, [0.0, 1.0]])
def test_the_chance_of_none_lies_between_that_of_independent_luck_and_that_of_the_same_luck(chances):
    found = chance_of_none(np.array(chances))
    assert np.prod(1.0 - np.array(chances)) - 1e-6 <= found <= 1.0 - max(chances) + 1e-6
