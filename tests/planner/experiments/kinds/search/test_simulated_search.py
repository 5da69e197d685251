"""The search against all runs of a space of simulated plans; `tests/soak/test_search.py` has twenty larger ones."""

import pytest

from tests.planner.experiments.kinds.search.simulated_spaces import SMALL, searched_and_exact


@pytest.mark.parametrize("number", [2, 6])
def test_the_best_of_a_space_of_simulated_plans_is_that_of_all_its_runs(number):
    best, exact, share = searched_and_exact(number, SMALL, seeds=10)
    assert best in exact
    assert share < 0.7
