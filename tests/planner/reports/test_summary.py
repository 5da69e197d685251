"""The summary for a terminal."""

import numpy as np

from planner.record.result import Figure, RunResult
from planner.record.series import SeriesStore
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


def test_figures_stand_one_below_the_other():
    lines = summary_text(a_result(cost=(1.25, "currency"), nodes=(12.0, "count"))).splitlines()
    assert lines == ["Shop: 1s simulated, seed 7", "  cost   1.25 currency", "  nodes    12 count"]


def test_the_reaction_of_the_autoscaler_is_shown_next_to_the_expected_one():
    with_scale_up = summary_text(a_result(scale_up_to_node_requested_p99=(11.0, "s")))
    assert "within 30 s in clusters below 100 nodes" in with_scale_up
    assert "Expected" not in summary_text(a_result(cost=(1.0, "currency")))


def test_an_infinite_latency_is_called_so_and_explained():
    text = summary_text(a_result(**{"latency_p95_worst[shop]": (float("inf"), "ms"), "cost": (float("nan"), "EUR")}))
    assert "latency_p95_worst[shop]  infinite ms" in text and "cost                            - EUR" in text
    assert text.endswith("A latency is infinite where so many requests are lost that its percentile is one of them.")
    assert "infinite" not in summary_text(a_result(cost=(1.0, "EUR")))
