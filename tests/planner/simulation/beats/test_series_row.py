"""A row of the series is written in place: what has not changed since the row before is left as it is."""

import numpy as np
import pytest

from planner.simulation.beats.series_row import SeriesRow
from planner.simulation.run import run_plan
from planner.units import US_PER_MIN
from tests.properties.random_plans import random_plan

_values = SeriesRow.values


def _checked(row, sample):
    written = _values(row, sample).copy()
    fresh = SeriesRow(sample.cluster, row._rows["traffic"], row._rows["queue"])
    np.testing.assert_array_equal(written, _values(fresh, sample))
    return written


@pytest.mark.parametrize("number", range(3))
def test_a_row_is_what_it_would_be_if_it_were_the_first(number, monkeypatch):
    monkeypatch.setattr(SeriesRow, "values", _checked)
    assert run_plan(random_plan(number), until_us=10 * US_PER_MIN).series.rows
