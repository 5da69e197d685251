"""Loads on the holidays of a plan."""

import numpy as np
import pytest

from planner.plan.checks.validate import check_plan
from planner.plan.derived.holidays import dated, holiday_days
from planner.plan.derived.load_extremes import lowest_and_highest
from planner.plan.model.plan import SimulationSettings
from planner.plan.model.traffic import ConstantLoad, DiurnalLoad, ScaleLoad, SumLoad, Traffic
from planner.simulation.run import run_plan
from planner.units import US_PER_DAY
from planner.workloads.load_profiles import rates
from tests.builders import a_plan, a_workload

DAYS = np.arange(-1, 10, dtype=np.int64) * US_PER_DAY
"""Midnights of a Sunday, two weeks, and a Monday behind them."""
SIMULATION = SimulationSettings(starts_at="2026-12-21T00:00:00Z", holidays=("2026-12-25", "2026-12-26"))
"""A Monday; the holidays are days 4 and 5 of the run."""


def a_wave(**settings) -> DiurnalLoad:
    return DiurnalLoad(type="diurnal", mean=10, amplitude=0, **settings)


@pytest.mark.parametrize(("wave", "expected"), [
    pytest.param({"holiday_factor": 0.1}, [10, 10, 10, 10, 10, 1, 1, 10, 10, 10, 10], id="any day else is as usual"),
    pytest.param({"holiday_factor": 3, "weekend_factor": 0.5}, [5, 10, 10, 10, 10, 30, 30, 5, 10, 10, 10],
                 id="it replaces the factor of a Saturday"),
    pytest.param({"weekend_factor": 0.5}, [5, 10, 10, 10, 10, 10, 5, 5, 10, 10, 10], id="none without a factor"),
])  # fmt: skip
def test_a_daily_wave_heeds_holidays(wave, expected):
    assert rates(dated(a_wave(**wave), SIMULATION), DAYS).tolist() == pytest.approx(expected)


def test_waves_within_other_profiles_heed_them():
    base = ConstantLoad(type="constant", rate=5)
    scaled = ScaleLoad(type="scale", factor=2, profile=a_wave(holiday_factor=0))
    found = rates(dated(SumLoad(type="sum", profiles=(base, scaled)), SIMULATION), DAYS)
    assert found.tolist() == [25] * 5 + [5] * 2 + [25] * 4


def test_a_load_that_heeds_none_stays_the_same_object():
    assert dated(wave := a_wave(), SIMULATION) is wave
    assert dated(wave := a_wave(holiday_factor=0), SimulationSettings()) is wave


def test_days_count_from_the_date_of_the_start():
    settings = SimulationSettings(starts_at="2026-12-31T22:00:00Z", holidays=("2026-12-25", "2027-01-01"))
    assert holiday_days(settings) == (-6, 1)


def test_the_highest_load_may_be_on_a_holiday():
    assert lowest_and_highest(a_wave(holiday_factor=4)) == (10, 40)


def test_a_run_has_the_load_of_its_holidays():
    web = a_workload(traffic=Traffic(profile=a_wave(holiday_factor=0)))
    settings = SimulationSettings(
        starts_at="2026-12-24T00:00:00Z", holidays=("2026-12-25",), duration="26h", record_interval="1h", load_step="1m"
    )
    offered = run_plan(a_plan(workloads=(web,), simulation=settings)).series["offered_rps[web]"]
    assert offered[1:24].min() > 8 and offered[26] == 0


def test_a_factor_without_holidays_is_refused():
    web = a_workload(traffic=Traffic(profile=a_wave(holiday_factor=0)))
    assert [one.where for one in check_plan(a_plan(workloads=(web,)))] == ["workloads[0].traffic.profile"]
