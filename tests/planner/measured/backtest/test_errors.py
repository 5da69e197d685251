"""How far a simulated course is from the measured one."""

import numpy as np
import pytest

from planner.measured.backtest.errors import course_errors, matched_actions
from planner.measured.backtest.naive import naive_replicas
from tests.builders import a_plan, a_pod, a_workload, an_hpa

NAN = np.nan
WAVE = 10 + 5 * np.sin(np.arange(240) / 20)


def course(*values):
    return np.array(values, dtype=float)


@pytest.mark.parametrize(
    ("measured", "simulated", "figures"),
    [
        pytest.param(course(2, 4), course(2, 4), {"mae": 0, "mape": 0, "bias": 0}, id="equal"),
        pytest.param(course(2, 4), course(3, 4), {"mae": 0.5, "mape": 0.25, "bias": 1 / 6}, id="one too many"),
        pytest.param(course(0, 4), course(1, 2), {"mae": 1.5, "mape": 0.5, "bias": -0.25}, id="nothing to relate to"),
        pytest.param(course(NAN, 4, 5), course(9, 4, NAN), {"steps": 1, "mae": 0}, id="gaps on either side"),
        pytest.param(course(2, 2), course(2, 4), {"measured_hours": 4 / 60, "simulated_hours": 6 / 60}, id="hours"),
    ],
)
def test_errors_of_a_course(measured, simulated, figures):
    found = course_errors(measured, [simulated], 60)._asdict()
    assert {name: found[name] for name in figures} == pytest.approx(figures)


def test_without_a_common_step_there_are_no_errors():
    assert course_errors(course(1, NAN), [course(NAN, 1)], 60) is None


@pytest.mark.parametrize("lag", [-7, 0, 3])
def test_a_course_that_comes_later_has_a_lag(lag):
    assert course_errors(WAVE, [np.roll(WAVE, lag)], 60).lag_s == 60 * lag


def test_the_band_over_seeds_covers_what_lies_within():
    runs = [WAVE + offset for offset in (-1.0, 0.0, 1.0)]
    assert course_errors(WAVE, runs, 60).coverage == 1.0
    assert course_errors(WAVE + 2, runs, 60).coverage == 0.0
    assert np.isnan(course_errors(WAVE, runs[:1], 60).coverage)


@pytest.mark.parametrize(
    ("measured", "simulated", "expected"),
    [
        pytest.param(course(2, 2, 4, 4), course(2, 4, 4, 4), (1, 1, 1), id="one step apart"),
        pytest.param(course(2, 2, 2, 2, 4), course(2, 4, 4, 4, 4), (1, 1, 0), id="too far apart"),
        pytest.param(course(2, 4, 4), course(4, 2, 2), (1, 1, 0), id="in the other direction"),
        pytest.param(course(1, 2, 3, 3), course(1, 3, 3, 3), (2, 1, 1), id="each is used once"),
        pytest.param(course(2, NAN, 2), course(2, 2, 2), (0, 0, 0), id="a gap is no change"),
    ],
)
def test_scalings_are_matched(measured, simulated, expected):
    assert tuple(matched_actions(measured, simulated, 1)) == expected


@pytest.mark.parametrize(
    ("metrics", "expected"),
    [
        pytest.param(({"average_utilization": 50},), [2, 4, 8], id="at the target, within the bounds"),
        pytest.param((), [2, 3, 8], id="80 % by default"),
        pytest.param(({"resource": "memory", "average_utilization": 50},), None, id="no CPU"),
    ],
)
def test_the_simple_rule_needs_load_times_cost_over_target(metrics, expected):
    web = a_workload("web", pod=a_pod("1"), demand={"cpu_seconds_per_request": 0.1})
    plan = a_plan(
        workloads=(web,), horizontal_pod_autoscalers=(an_hpa(min_replicas=2, max_replicas=8, metrics=metrics),)
    )
    found = naive_replicas(plan, web, course(1, 20, 1000))
    assert (None if found is None else list(found)) == expected
