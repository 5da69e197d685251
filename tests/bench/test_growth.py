"""Work grows no faster than what it is about: executed lines of the core are counted, nothing is timed."""

import sys

import pytest

from tests.bench.growth import DIMENSIONS, MOST, STEPS, exponent, slope


def lines_of(work):
    """Lines of the core that the work executes."""
    count = 0

    def in_frame(frame, event, _):
        nonlocal count
        count += event == "line"
        return in_frame

    def on_call(frame, event, _):
        return in_frame if "/planner/" in frame.f_code.co_filename else None

    before = sys.gettrace()
    sys.settrace(on_call)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


@pytest.mark.parametrize("name", DIMENSIONS)
def test_work_grows_in_proportion(name):
    assert exponent(*(lines_of(DIMENSIONS[name](times)) for times in STEPS)) <= MOST


@pytest.mark.parametrize(
    ("work", "expected"), [((10, 40, 160), 1.0), ((110, 140, 260), 1.0), ((1, 16, 256), 2.0), ((5, 5, 5), 0.0)]
)
def test_the_exponent_is_that_of_what_grows(work, expected):
    assert exponent(*work) == pytest.approx(expected)


def test_the_slope_is_that_of_all_the_work():
    assert slope(2, 8, 32) == pytest.approx(1.0)
    assert slope(1, 16, 256) == pytest.approx(2.0)
