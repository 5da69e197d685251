from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from planner.api import run_plan
from planner.engine.draws import Draws
from planner.plan.model.autoscalers.metric_series import MetricSeries
from planner.plan.model.traffic import LoadProfile, Noise, Traffic
from planner.units import US_PER_DAY, US_PER_S
from planner.workloads.load.noise import NoiseProcesses
from planner.workloads.load_profiles import ProfileTable, RateOverTime, rates
from tests.builders import a_plan, a_workload

PROFILE = TypeAdapter(LoadProfile)


def rate_at(profile, t_us):
    return RateOverTime(profile).at(t_us)


STEP = {"type": "step", "from": 10, "to": 40, "at": "60s"}
RAMP = {"type": "ramp", "from": 10, "to": 30, "start": "10s", "duration": "20s"}
SPIKE = {"type": "spike", "base": 10, "peak": 110, "start": "10s", "rise": "10s", "hold": "5s", "decay": "20s"}
DAILY = {"type": "diurnal", "mean": 100, "amplitude": 50, "phase": "14h", "weekendFactor": 0.5}
POINTS = {"type": "points", "points": [{"at": "10s", "rate": 5}, {"at": "20s", "rate": 15}]}
CONSTANT = {"type": "constant", "rate": 7}
SINE = {"type": "sine", "mean": 10, "amplitude": 4, "period": "40s", "phase": "5s"}
WEEK = {"type": "diurnal", "mean": 100, "amplitude": 50, "weekdayFactors": [1, 2, 3, 4, 5, 6, 7]}
TRACE: dict[str, Any] = {
    "type": "trace",
    "points": [{"at": "100s", "rate": 5}, {"at": "110s", "rate": 5}, {"at": "120s", "rate": 15}],
    "scale": 2,
}


@pytest.mark.parametrize(
    ("profile", "at_s", "expected"),
    [
        pytest.param(CONSTANT, 5, 7, id="constant"),
        pytest.param(STEP, 59.999999, 10, id="before the step"),
        pytest.param(STEP, 60, 40, id="the step counts from its moment on"),
        pytest.param(RAMP, 0, 10, id="before the ramp"),
        pytest.param(RAMP, 15, 15, id="on the ramp"),
        pytest.param(RAMP, 99, 30, id="after the ramp"),
        pytest.param({**RAMP, "duration": "0s"}, 10, 30, id="a ramp without length is a step"),
        pytest.param({**RAMP, "duration": "0s"}, 9, 10, id="a ramp without length holds its start before"),
        pytest.param(SPIKE, 9, 10, id="before the spike"),
        pytest.param(SPIKE, 15, 60, id="spike rises"),
        pytest.param(SPIKE, 22, 110, id="spike holds"),
        pytest.param(SPIKE, 35, 60, id="spike decays"),
        pytest.param(SPIKE, 99, 10, id="after the spike"),
        pytest.param(DAILY, 14 * 3600, 150, id="the wave peaks at its phase"),
        pytest.param(DAILY, 2 * 3600, 50, id="and is lowest half a day from it"),
        pytest.param(DAILY, (5 * 24 + 14) * 3600, 75, id="day six is weekend"),
        pytest.param({**DAILY, "amplitude": 200}, 2 * 3600, 0, id="never below zero"),
        pytest.param(POINTS, 0, 5, id="first point holds before"),
        pytest.param(POINTS, 15, 10, id="straight between points"),
        pytest.param(POINTS, 30, 15, id="last point holds after"),
        pytest.param({**POINTS, "interpolation": "step"}, 19, 5, id="stairs"),
        pytest.param(SINE, 15, 14, id="a sine peaks a quarter of its period after its phase"),
        pytest.param({**WEEK, "amplitude": 0}, 2 * 86400, 300, id="each weekday has its factor"),
        pytest.param({**WEEK, "amplitude": 0}, 9 * 86400, 300, id="and so in the next week"),
        pytest.param(TRACE, 15, 20, id="a trace is scaled"),
        pytest.param(TRACE, 99, 30, id="and holds its last rate"),
        pytest.param({**TRACE, "atEnd": "repeat"}, 25, 30, id="or, repeated, for one more step"),
        pytest.param({**TRACE, "atEnd": "repeat"}, 45, 20, id="and then starts again"),
        pytest.param({**TRACE, "skip": "10s"}, 5, 20, id="skips its beginning"),
        pytest.param({**TRACE, "shift": "10s"}, 5, 10, id="starts later"),
        pytest.param({**TRACE, "shift": "10s"}, 25, 20, id="and then is the same"),
        pytest.param({"type": "sum", "profiles": [STEP, CONSTANT]}, 0, 17, id="sum"),
        pytest.param({"type": "scale", "profile": STEP, "factor": 1.5}, 0, 15, id="scale"),
        pytest.param({"type": "clip", "profile": STEP, "max": 25}, 70, 25, id="clip"),
    ],
)
def test_rate_of_a_profile(profile, at_s, expected):
    assert rate_at(PROFILE.validate_python(profile), round(at_s * US_PER_S)) == pytest.approx(expected)


def test_many_times_give_the_same_as_one_by_one():
    profile = PROFILE.validate_python({"type": "sum", "profiles": [DAILY, SPIKE, RAMP]})
    times = np.arange(0, US_PER_DAY, 997 * US_PER_S)
    assert rates(profile, times).tolist() == [rate_at(profile, int(t)) for t in times]


def test_profiles_of_all_kinds_side_by_side_are_the_same_as_each_alone():
    kinds = [CONSTANT, STEP, RAMP, SPIKE, DAILY, WEEK, SINE, POINTS, TRACE, {**TRACE, "atEnd": "repeat"}]
    nested = {"type": "scale", "factor": 2, "profile": {"type": "sum", "profiles": [SPIKE, DAILY]}}
    clipped = {"type": "clip", "profile": nested, "min": 50, "max": 300}
    profiles = [PROFILE.validate_python(one) for one in (*kinds, nested, clipped, SPIKE)]
    table = ProfileTable([*profiles, None])
    for at_us in range(0, 200 * US_PER_S, 1_713_000):
        assert table.rates(at_us).tolist() == [*(rate_at(profile, at_us) for profile in profiles), 0.0]


@given(st.lists(st.sampled_from([0, 9, 10, 11, 15, 19, 20, 21, 30, 45, 60]), min_size=1, max_size=8))
def test_what_was_looked_at_before_changes_no_rate(moments_s):
    stairs = {**POINTS, "interpolation": "step"}
    profiles = [PROFILE.validate_python(one) for one in (POINTS, stairs, TRACE, {**TRACE, "atEnd": "repeat"})]
    table = ProfileTable(profiles)
    for at_us in (at_s * US_PER_S for at_s in moments_s):
        assert table.rates(at_us).tolist() == [rate_at(profile, at_us) for profile in profiles]


@given(st.lists(st.sampled_from([0, 3, 8, 9, 10, 11, 15, 19, 20, 21, 30, 45, 59, 60]), min_size=1, max_size=8))
def test_rates_that_are_kept_between_steps_are_those_of_the_moment(moments_s):
    stairs, steps = {**POINTS, "interpolation": "step"}, {**TRACE, "interpolation": "step"}
    both = {"type": "sum", "profiles": [stairs, {"type": "scale", "factor": 2, "profile": STEP}]}
    kinds = (CONSTANT, STEP, stairs, steps, {**steps, "skip": "11s"}, {**steps, "shift": "9s"}, both)
    profiles = [PROFILE.validate_python(one) for one in kinds]
    table = ProfileTable([*profiles, None])
    for at_us in (at_s * US_PER_S for at_s in moments_s):
        expected = [float(rates(profile, np.array([at_us]))[0]) for profile in profiles]
        assert table.rates(at_us).tolist() == [*expected, 0.0]


def test_profiles_are_made_ready_once_for_a_run(monkeypatch):
    made = []
    ready = ProfileTable.__init__
    monkeypatch.setattr(ProfileTable, "__init__", lambda self, known: (made.append(1), ready(self, known))[1])
    series = MetricSeries(name="queue", source={"type": "profile", "profile": TRACE})
    traced = a_workload("web", use={"memory": TRACE, "cpu": TRACE}, traffic={"profile": TRACE})
    run_plan(a_plan(workloads=(traced,), metric_series=(series,)), until_us=20 * US_PER_S)
    few = len(made)
    run_plan(a_plan(workloads=(traced,), metric_series=(series,)), until_us=200 * US_PER_S)
    assert len(made) == 2 * few


@pytest.mark.parametrize(
    "profile",
    [
        pytest.param({"rate": 1}, id="without type"),
        pytest.param({"type": "constant", "rate": -1}, id="negative rate"),
        pytest.param({"type": "constant", "rate": float("inf")}, id="endless rate"),
        pytest.param({"type": "constant", "rate": 1, "peak": 3}, id="a field of another profile"),
        pytest.param({"type": "clip", "profile": CONSTANT, "min": 3, "max": 2}, id="clip bounds crossed"),
        pytest.param({"type": "points", "points": []}, id="no points"),
        pytest.param({"type": "points", "points": [{"at": "5s", "rate": 1}] * 2}, id="points out of order"),
        pytest.param({"type": "sum", "profiles": []}, id="empty sum"),
        pytest.param({**DAILY, "weekdayFactors": [1, 1]}, id="half a week"),
        pytest.param({**WEEK, "weekendFactor": 2}, id="weekend and weekdays"),
        pytest.param({**TRACE, "points": TRACE["points"][:1], "atEnd": "repeat"}, id="one point repeated"),
        pytest.param({**TRACE, "skip": "1s", "shift": "1s"}, id="skipped and shifted"),
    ],
)
def test_wrong_profiles_are_refused(profile):
    with pytest.raises(ValidationError):
        PROFILE.validate_python(profile)


def test_profiles_survive_the_file():
    traffic = Traffic.model_validate({"profile": {"type": "scale", "profile": STEP, "factor": 2}})
    text = traffic.model_dump_json(by_alias=True)
    assert Traffic.model_validate_json(text) == traffic
    assert '"from":10' in text


def test_deep_nesting_is_refused():
    profile = CONSTANT
    for _ in range(9):
        profile = {"type": "scale", "profile": profile, "factor": 1}
    with pytest.raises(ValidationError, match="nested"):
        Traffic.model_validate({"profile": profile})


def test_without_variation_the_factor_is_one():
    noise = NoiseProcesses([Noise()], [1], Draws(1))
    noise.advance(US_PER_S)
    assert noise.factors.tolist() == [1.0]


def test_noise_has_mean_one_its_variation_and_its_memory():
    noises = [Noise(), Noise(cv=0.3, correlation_time=10 * US_PER_S)]
    noise = NoiseProcesses(noises, [1, 2], Draws(7))
    rows = []
    for _ in range(40_000):
        noise.advance(5 * US_PER_S)
        rows.append(noise.factors)
    still, factors = np.array(rows).T
    logs = np.log(factors)
    assert (still == 1.0).all()
    assert factors.mean() == pytest.approx(1.0, abs=0.02)
    assert factors.std() == pytest.approx(0.3, abs=0.02)
    assert np.corrcoef(logs[1:], logs[:-1])[0, 1] == pytest.approx(np.exp(-0.5), abs=0.02)


def test_the_noise_of_a_workload_does_not_depend_on_the_others():
    noisy = Noise(cv=0.5)
    alone = NoiseProcesses([noisy], [1], Draws(7))
    beside = NoiseProcesses([noisy, noisy], [1, 2], Draws(7))
    for dt_us in (US_PER_S, 5 * US_PER_S, 7):
        alone.advance(dt_us)
        beside.advance(dt_us)
        assert beside.factors[0] == alone.factors[0] != beside.factors[1]


def test_rates_at_a_beat_are_those_at_each_moment():
    table = ProfileTable([PROFILE.validate_python(DAILY), PROFILE.validate_python(SINE), None])
    beat = [US_PER_S * (7 + 15 * number) for number in range(200)]
    for moment in sorted([*beat, *range(0, 3000 * US_PER_S, 131 * US_PER_S)]):
        assert table.rates(moment).tolist() == table.table(np.array([moment]))[:, 0].tolist()
    assert len(table._of_beat) > 1
