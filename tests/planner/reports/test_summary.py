"""The summary for a terminal."""

import numpy as np
import pytest

from planner.record.result import Figure, RunResult
from planner.record.series import SeriesStore
from planner.record.text.latency_bounds import LatencyBounds
from planner.reports.summary import summary_text


def a_result(**figures):
    """A run of a second with these figures."""
    return RunResult(
        plan_name="Shop",
        seed=7,
        until_us=1_000_000,
        time_us=np.zeros(0, dtype=np.int64),
        series=SeriesStore(),
        decisions=(),
        figures={name: Figure(*figure) for name, figure in figures.items()},
    )


def text_of(**figures):
    """The summary of such a run; requests of the shop are given up after ten seconds."""
    return summary_text(a_result(**figures), LatencyBounds({"shop": 10_000.0}, until_us=3_600_000_000))


def test_figures_stand_one_below_the_other():
    lines = text_of(cost=(1.25, "USD"), nodes=(12.0, "count")).splitlines()
    assert lines == ["Shop: 1s simulated, seed 7", "  cost   $1.25", "  nodes  12"]


@pytest.mark.parametrize(
    ("name", "value", "unit", "shown"),
    [
        pytest.param("memory_requested_peak", 44_426_067_968.0, "bytes", "41.4 GiB", id="sizes by their power"),
        pytest.param("latency_p95_worst[shop]", 182.4, "ms", "182 ms", id="a latency"),
        pytest.param("latency_p95_worst[shop]", 10_089.0, "ms", "≥ 10 s (time-out)", id="nobody waits longer"),
        pytest.param("latency_p95_worst[api]", float("inf"), "ms", "≥ 60 min (whole run)", id="nobody was served"),
        pytest.param("latency_p95_worst_at[shop]", 815.0, "s", "00:13:35", id="a moment"),
        pytest.param("pending_pod_time", 10_181.0, "s", "2h 49m", id="a span"),
        pytest.param("slo_attainment[shop]", 0.9236, "ratio", "92.4 %", id="a share"),
        pytest.param("cost", float("nan"), "EUR", "–", id="no value"),
    ],
)
def test_values_are_those_that_people_read(name, value, unit, shown):
    assert text_of(**{name: (value, unit)}).splitlines()[1].split(maxsplit=1) == [name, shown]


def test_the_reaction_of_the_autoscaler_is_shown_next_to_the_expected_one():
    with_scale_up = text_of(scale_up_to_node_requested_p99=(11.0, "s"))
    assert "within 30 s in clusters below 100 nodes" in with_scale_up
    assert "Goal" not in text_of(cost=(1.0, "USD"))
