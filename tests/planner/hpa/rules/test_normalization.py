"""Windows, limits and rates, with the worked examples of the documentation."""

import pytest

from planner.hpa.rules.history import HpaMemory
from planner.hpa.rules.settings import HpaSettings
from planner.units import US_PER_S
from tests.planner.hpa.builders import a_behavior, policies, sizes

NO_WINDOW = 0


def test_unlimited_demand_doubles_without_behavior_and_jumps_by_four_with_it():
    assert sizes([40] * 5, start=1, max_replicas=40) == [4, 8, 16, 32, 40]
    assert sizes([40] * 4, start=1, behavior=a_behavior(), max_replicas=40) == [5, 10, 20, 40]


@pytest.mark.parametrize(
    ("down", "expected"),
    [
        pytest.param(
            policies(("Pods", 4, 60), ("Percent", 10, 60), window_s=NO_WINDOW),
            [72, 64, 57, 51, 45, 40, 36, 32, 28, 24, 20, 16, 12, 10],
            id="the faster of pods and percent",
        ),
        pytest.param(
            policies(("Percent", 10, 60), ("Pods", 5, 60), select="Min", window_s=NO_WINDOW),
            [75, 70, 65, 60, 55, 50, 45, 40, 36, 32, 28, 25, 22, 19, 17, 15, 13, 11, 10],
            id="the slower of percent and pods",
        ),
        pytest.param(
            policies(("Percent", 10, 60), window_s=NO_WINDOW),
            [72, 64, 57, 51, 45, 40, 36, 32, 28, 25, 22, 19, 17, 15, 13, 11, 10],
            id="percent alone",
        ),
    ],
)
def test_eighty_replicas_shrink_towards_ten(down, expected):
    assert sizes([10] * len(expected), start=80, behavior=a_behavior(down=down), step_s=60) == expected


def test_a_high_recommendation_holds_315_seconds_without_behavior_and_300_with_it():
    wants = [10, *[2] * 22]
    assert sizes(wants, start=10).index(2) * 15 == 315
    assert sizes(wants, start=10, behavior=a_behavior()).index(2) * 15 == 300


def test_a_spike_that_the_doubling_cut_keeps_pushing_after_it_is_gone():
    assert sizes([16, 1, 1, 1], start=2) == [4, 8, 16, 16]
    assert sizes([16, 1, 1, 1], start=2, behavior=a_behavior()) == [6, 6, 6, 6]


def test_pods_added_within_the_period_can_all_be_removed_again_on_top_of_the_allowed():
    down = policies(("Pods", 3, 120), window_s=NO_WINDOW)
    up = policies(("Pods", 100, 15), window_s=NO_WINDOW)
    assert sizes([10, 2], start=4, behavior=a_behavior(up, down), min_replicas=2) == [10, 2]


def test_a_disabled_direction_stays():
    down = policies(("Pods", 3, 15), select="Disabled", window_s=NO_WINDOW)
    assert sizes([1, 1, 9], start=5, behavior=a_behavior(down=down)) == [5, 5, 9]


@pytest.mark.parametrize(
    ("start", "expected"),
    [
        pytest.param(0, 0, id="zero is switched off"),
        pytest.param(50, 20, id="above the maximum at once"),
        pytest.param(1, 2, id="below the minimum at once"),
    ],
)
def test_sizes_outside_the_range_are_forced_without_metrics(start, expected):
    assert sizes([7], start=start, min_replicas=2, max_replicas=20) == [expected]


def test_the_window_is_the_controllers_setting():
    settings = HpaSettings(downscale_stabilization_us=0)
    assert sizes([10, 10, 2], start=10, settings=settings) == [10, 10, 2]


def test_an_old_entry_is_overwritten_instead_of_growing_the_memory():
    memory = HpaMemory().started(3, 0)
    for second in range(0, 3_600, 15):
        memory = memory.remembering(3, second * US_PER_S, (second - 300) * US_PER_S)
    assert len(memory.recommendations) <= 23
