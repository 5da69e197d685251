import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.plan.model.scheduler import StrategyType
from planner.scheduler.feasibility.one_node_rules import balance_score_one, fits_one, least_allocated_one
from planner.scheduler.feasibility.resource_rules import (
    allocation_scores,
    balance_scores,
    normalised,
    round_half_away,
    shortages,
)
from planner.state.resources import PODS

# The bin-packing example of the documentation: resources foo, memory in units of 256Mi, cpu; weights 5, 1, 3.
WEIGHTS = np.array([5, 1, 3])
CAPACITY = np.array([[4, 4, 8], [8, 4, 8]])
USED = np.array([[1 + 2, 1 + 1, 1 + 2], [2 + 2, 2 + 1, 6 + 2]])


@pytest.mark.parametrize(
    ("strategy", "shape", "expected"),
    [
        pytest.param(StrategyType.REQUESTED_TO_CAPACITY_RATIO, ((0, 0), (100, 10)), [60, 69], id="packing"),
        pytest.param(StrategyType.MOST_ALLOCATED, (), [59, 69], id="most allocated truncates"),
        pytest.param(StrategyType.REQUESTED_TO_CAPACITY_RATIO, ((0, 10), (100, 0)), [40, 46], id="reversed shape"),
    ],
)
def test_the_documented_bin_packing_example(strategy, shape, expected):
    assert allocation_scores(strategy, USED, CAPACITY, WEIGHTS, shape).tolist() == expected


def test_an_overcommitted_node_refuses_only_who_asks_for_more_of_it():
    requested, allocatable = np.array([[5000, 0, 0, 1]]), np.array([[4000, 100, 0, 10]])
    counted = np.ones(4, dtype=bool)
    only_memory = shortages(requested, allocatable, np.array([0, 50, 0, 0]), counted)
    assert not only_memory.any()
    assert shortages(requested, allocatable, np.array([1, 0, 0, 0]), counted)[0].tolist() == [True, False, False, False]


def test_one_more_pod_must_fit_the_pod_limit():
    nothing, counted = np.zeros(4, dtype=int), np.ones(4, dtype=bool)
    short = shortages(np.array([[0, 0, 0, 3]]), np.array([[9, 9, 9, 3]]), nothing, counted)
    assert short[0, PODS]


@pytest.mark.parametrize(
    ("raw", "reverse", "expected"),
    [
        ([0, 0], False, [0, 0]),
        ([0, 0], True, [100, 100]),
        ([0, 1, 2, 3], True, [100, 67, 34, 0]),
        ([1, 50], False, [2, 100]),
    ],
)
def test_scores_are_normalised_to_the_largest(raw, reverse, expected):
    assert normalised(np.array(raw), reverse).tolist() == expected


def test_halves_are_rounded_away_from_zero():
    assert round_half_away(np.array([0.5, 1.5, 2.5, 0.49999999999999994])).tolist() == [1, 2, 3, 0]


amounts = st.integers(0, 1 << 40)


@given(st.lists(st.tuples(amounts, amounts, amounts, amounts, amounts, amounts), min_size=1, max_size=5))
def test_the_rules_for_one_node_are_twins_of_the_array_rules(rows):
    data = np.array(rows, dtype=np.int64)
    requested, allocatable, request = data[:, :2], data[:, 2:4], data[0, 4:]
    weights = np.array([1, 3])
    scores = allocation_scores(StrategyType.LEAST_ALLOCATED, requested + request, allocatable, weights, ())
    balances = balance_scores(requested, allocatable, request)
    for row in range(len(rows)):
        have, cap = requested[row].tolist(), allocatable[row].tolist()
        first, second = request.tolist()
        assert least_allocated_one(have, cap, [(0, first, 1), (1, second, 3)]) == scores[row]
        assert balance_score_one(have, cap, [(0, first), (1, second)]) == balances[row]


@given(st.lists(amounts, min_size=12, max_size=12))
def test_fitting_one_node_is_the_twin_of_shortages(values):
    requested, allocatable, request = (np.array([values[i : i + 4]]) for i in (0, 4, 8))
    request[0, PODS] = 0
    asked = [(c, int(v)) for c, v in enumerate(request[0]) if v > 0]
    short = shortages(requested, allocatable, request[0], np.ones(4, dtype=bool)).any()
    assert fits_one(requested[0].tolist(), allocatable[0].tolist(), asked) == (not short)
