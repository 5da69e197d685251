"""Claims with equally many pods come in the order of Go's sort: what holds of it beside the recorded rounds."""

import random

import pytest

from planner.karpenter.provisioning.pattern_sort import sort_as_go


def _sorted(keys: list[int]) -> list[tuple[int, int]]:
    elements = list(zip(keys, range(len(keys)), strict=True))
    sort_as_go(elements, lambda element: element[0])
    return elements


@pytest.mark.parametrize("length", [0, 1, 12, 13, 49, 50, 51, 200, 700])
def test_no_element_is_lost_and_none_comes_before_a_smaller_one(length: int) -> None:
    chance = random.Random(length)
    for most in (1, 3, 1000):
        shapes = [chance.randint(0, most) for _ in range(length)]
        rising = sorted(shapes)
        organ_pipe = rising[::2] + rising[1::2][::-1]
        for keys in (shapes, rising, rising[::-1], organ_pipe, [*rising[1:], *rising[:1]]):
            found = _sorted(keys)
            assert [key for key, _ in found] == sorted(keys)
            assert sorted(at for _, at in found) == list(range(length))


def test_up_to_twelve_equal_elements_keep_their_order() -> None:
    keys = [2, 1] * 6
    assert _sorted(keys) == sorted(zip(keys, range(12), strict=True), key=lambda element: element[0])


def test_from_thirteen_on_equal_elements_may_change_places() -> None:
    keys = [2, *[1] * 12]
    assert _sorted(keys) != sorted(zip(keys, range(13), strict=True), key=lambda element: element[0])
