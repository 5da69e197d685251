"""Two thousand random plans are simulated under the laws; `random_plan(number)` shows one that breaks them."""

import os
from concurrent.futures import ProcessPoolExecutor

import pytest

from tests.properties.laws import broken_laws
from tests.properties.random_plans import random_plan
from tests.properties.watched_run import watched

FIRST, PLANS = 24, 2_076


def _broken(number: int) -> list[str]:
    plan = random_plan(number)
    with watched(plan) as (sim, result):
        stopped = [] if result.stopped is None else [f"the run stopped: {result.stopped}"]
        return [f"random_plan({number}): {one}" for one in [*broken_laws(plan, sim, result), *stopped]]


@pytest.mark.soak
def test_nothing_appears_or_vanishes_and_no_figure_is_negative_in_two_thousand_random_plans() -> None:
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        found = list(pool.map(_broken, range(FIRST, FIRST + PLANS), chunksize=10))
    assert [one for broken in found for one in broken] == []
