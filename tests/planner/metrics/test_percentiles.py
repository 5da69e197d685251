"""Percentiles are numpy's, to the last bit."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from planner.metrics.percentiles import percentile

numbers = st.lists(st.floats(-1e9, 1e9), min_size=1, max_size=40)


@given(numbers, st.one_of(st.sampled_from([0, 50, 95, 99, 100]), st.floats(0.0, 100.0)))
def test_percentiles_are_those_of_numpy(values, percent):
    assert percentile(np.array(values), percent) == float(np.percentile(values, percent))
