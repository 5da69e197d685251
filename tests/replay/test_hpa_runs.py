"""Replays of logged runs of a real HPA against what it did, and against the obvious rule."""

import pytest

from tests.replay.comparison import distance, table
from tests.replay.hpa_runs import logged_runs, runs_file

HERE = pytest.mark.skipif(not runs_file().is_file(), reason="the logged runs are not part of the project")
SHORT = ("poisson-15s-33min-rate20-service1.0", "poisson-60s-63min-rate10-service0.25")


@HERE
def test_steady_loads_are_followed_as_the_real_autoscaler_followed_them():
    found = [distance(run, range(2)) for run in logged_runs(runs_file()) if run.name in SHORT]
    assert len(found) == len(SHORT)
    for one in found:
        assert one.error < 1.0 < 2.5 * one.naive_error
        assert abs(one.pod_hours / one.real_pod_hours - 1) < 0.05


@HERE
@pytest.mark.soak
def test_no_family_of_runs_is_followed_worse_than_by_the_obvious_rule():
    rows = table(distance(run, range(8)) for run in logged_runs(runs_file()))
    for name, _, error, rule, _, _ in rows:
        assert error < rule, name
    assert rows[-1][2] < 1.0
