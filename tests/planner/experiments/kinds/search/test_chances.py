"""The stated probability that a search is right; `tests/soak/test_search.py` compares it over more searches."""

from tests.planner.experiments.kinds.search.made_up_problems import stated_and_right


def test_searches_are_right_as_often_as_they_state():
    stated, right = stated_and_right(range(40), plans=(10, 30), seeds=(12, 24))
    assert abs(stated.mean() - right.mean()) < 0.06
    sure = stated >= 0.9
    assert 0.5 < sure.mean() < 0.95 and right[sure].mean() > max(0.95, right[~sure].mean())
