"""Plots as SVG: within their frame, readable ticks, no peak lost."""

import math
import re
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.reports.content.report import AxisKind, ReportLine, ReportPlot
from planner.reports.formats.axis import time_text, time_ticks, value_scale
from planner.reports.formats.svg import HEIGHT, WIDTH, svg, thinned

SVG = "{http://www.w3.org/2000/svg}"
values = st.lists(st.one_of(st.floats(0, 1e12), st.just(math.nan), st.just(math.inf)), min_size=2, max_size=40)


def points_of(element):
    """All points of the paths that are absolute, as pairs."""
    texts = [path.get("d") for path in element.iter(f"{SVG}path")]
    return [tuple(map(float, pair)) for text in texts for pair in re.findall(r"[ML]([-\d.]+) ([-\d.]+)", text)]


@given(values, st.sampled_from(AxisKind), st.booleans())
def test_everything_drawn_is_within_the_picture(series, axis, stacked):
    plot = ReportPlot(
        "A plot",
        "$",
        (ReportLine("one", np.array(series), 0), ReportLine("two", np.array(series) * 2, 1)),
        axis,
        stacked,
    )
    element = ElementTree.fromstring(svg(plot, np.arange(len(series)) * 15.0))
    for x, y in points_of(element):
        assert 0 <= x <= WIDTH and 0 <= y <= HEIGHT


def test_a_plot_has_a_title_units_a_legend_and_its_target():
    plot = ReportPlot(
        "Latency of <shop>", "ms", (ReportLine("p95 & more", np.array([10.0, 20.0]), 0),), level=("SLO", 15.0)
    )
    element = ElementTree.fromstring(svg(plot, np.array([0.0, 3600.0])))
    text = " ".join(element.itertext())
    for part in ("Latency of <shop>", "ms", "p95 & more", "SLO 15", "simulated time (h:mm)", "0:30"):
        assert part in text


def test_long_series_are_thinned_and_keep_every_extreme():
    series = np.zeros(20_000)
    series[[777, 13_131]] = 50.0, -3.0
    at, seen = thinned(np.arange(20_000.0), series)
    assert len(at) <= 602 and (np.diff(at) > 0).all()
    assert seen.max() == 50.0 and seen.min() == -3.0 and at[-1] == 19_999


@given(st.floats(1e-6, 1e15))
def test_an_axis_begins_at_zero_and_has_a_few_round_ticks_up_to_its_highest_value(most):
    scale = value_scale(np.array([most / 3, most]), AxisKind.PLAIN)
    assert scale.ticks[0] == 0.0 and scale.high >= most * (1 - 1e-9) and 3 <= len(scale.ticks) <= 7


def test_what_has_no_answer_is_drawn_above_every_value_and_target():
    scale = value_scale(np.array([20.0, math.inf, 500.0]), AxisKind.MILLISECONDS)
    assert scale.shares(np.array([math.inf]))[0] == 1.0 > scale.shares(np.array([500.0]))[0]


def test_whole_things_have_no_ticks_between_them():
    assert all(tick == int(tick) for tick in value_scale(np.array([3.0]), AxisKind.COUNT).ticks)


def test_latencies_of_several_decades_are_on_a_logarithmic_axis():
    assert value_scale(np.array([5.0, 10_000.0]), AxisKind.MILLISECONDS).is_log
    assert not value_scale(np.array([5.0, 90.0]), AxisKind.MILLISECONDS).is_log


@pytest.mark.parametrize(
    ("span", "texts"),
    [(300, ["0:00", "1:00"]), (3_600, ["0:00", "0:10"]), (86_400, ["0:00", "4:00"]), (604_800, ["day 0", "day 1"])],
)
def test_time_ticks_are_round_and_not_too_many(span, texts):
    ticks = time_ticks(0.0, span)
    assert len(ticks) <= 10 and [time_text(tick, span) for tick in ticks[:2]] == texts
