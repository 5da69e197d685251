"""Sums of a run that grow with it."""

import numpy as np
import pytest

from tests.ui.figures.conftest import NAMES, STEP_US, a_row, a_run, a_serving_plan, give
from ui.figures.known_readings import KnownReadings
from ui.figures.readings import Readings
from ui.figures.so_far import SoFar
from ui.runs.messages import RunStarted
from ui.runs.run_data import RunData, RunState

ROWS = (a_row(p95=float("nan"), offered=0), a_row(p95=900), a_row(p95=100), a_row(p95=300), a_row(p95=200, lost=0.5))


@pytest.mark.parametrize("ends", [
    pytest.param((1, 2, 3, 4, 5), id="row by row"),
    pytest.param((5, 5), id="all at once, and nothing new"),
    pytest.param((0, 3, 5), id="before the first row"),
    pytest.param((5, 2, 4), id="an earlier moment"),
])  # fmt: skip
def test_sums_that_grow_are_those_of_all_rows(qapp, ends):
    run = a_run(ROWS)
    growing = SoFar(run)
    for end in ends:
        anew = SoFar(run)
        assert growing.highest_latency(end).tolist() == anew.highest_latency(end).tolist()
        assert [part.tolist() for part in growing.missed(end)] == [part.tolist() for part in anew.missed(end)]
    latencies = [row[NAMES.index("latency_p95_ms[web]")] for row in ROWS[: ends[-1]]]
    assert growing.highest_latency(ends[-1]).tolist() == [np.nanmax(latencies)]
    assert growing.missed(ends[-1])[0].tolist() == [sum(row[-1] for row in ROWS[: ends[-1]])]


def test_readings_are_made_anew_only_when_the_run_has_more(qapp):
    run = a_run(ROWS[:2])
    known = KnownReadings(run)
    before = known.up_to(60.0)
    assert known.up_to(60.0) is before and known.at(60.0, 60.0) is before
    assert known.at(0.0, 60.0) is not before and known.up_to(60.0) is before
    assert before.latency_peak.value == 900.0
    give(run, [a_row(p95=1200)])
    assert known.up_to(2 * STEP_US / 1e6).latency_peak.value == 1200.0
    run.set_state(RunState.STOPPED)
    assert known.up_to(2 * STEP_US / 1e6).is_live is False


def test_series_that_arrive_late_are_read(qapp):
    run = RunData(1, "run 1", a_serving_plan(), 1)
    known = KnownReadings(run)
    assert known.up_to(0.0).latency_peak is None and known.up_to(0.0).attainment is None
    run.begin(RunStarted(NAMES, 60 * STEP_US))
    give(run, ROWS[:3])
    assert known.up_to(None).latency_peak == Readings(run, None).latency_peak
    assert known.up_to(None).latency_peak.value == 900.0
