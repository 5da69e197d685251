"""Small rules of the plots: ticks, numbers, the time in view, legends."""

import pytest

from tests.ui.plots.made_runs import column_names
from ui.plots.catalogue import PLOTS
from ui.plots.curves.curves import CurveChoice, Subjects, curves_of
from ui.plots.panel.legend import legend_entries
from ui.plots.timeline.axes import log_ticks, nice_top, time_ticks, value_ticks
from ui.plots.timeline.time_ruler import TimeRuler
from ui.plots.timeline.time_window import TimeWindow
from ui.wording.numbers import Unit, clock_text, tick_text, value_text

NAN = float("nan")


@pytest.mark.parametrize(
    ("value", "unit", "expected"),
    [
        (1204.4, Unit.RATE, "1,204"),
        (18.23, Unit.CORES, "18.2"),
        (0.354, Unit.CORES, "0.354"),
        (2.0, Unit.CORES, "2"),
        (3 * 2**30, Unit.BYTES, "3 GiB"),
        (0, Unit.BYTES, "0 B"),
        (182.3, Unit.MILLISECONDS, "182 ms"),
        (1240.0, Unit.MILLISECONDS, "1.24 s"),
        (90_000.0, Unit.MILLISECONDS, "1.5 min"),
        (5.936, Unit.MONEY, "5.94"),
        (0.0123, Unit.RATIO, "1.2 %"),
        (17.0, Unit.COUNT, "17"),
        (NAN, Unit.RATE, "–"),
        (float("inf"), Unit.MILLISECONDS, "no answer"),
    ],
)
def test_values_have_sensible_digits(value, unit, expected):
    assert value_text(value, unit) == expected


def test_zero_has_no_unit_on_a_tick():
    assert tick_text(0.0, Unit.MILLISECONDS) == "0"


@pytest.mark.parametrize(
    ("seconds", "expected"), [(0, "00:00:00"), (59.6, "00:01:00"), (3661, "01:01:01"), (90_000, "25:00:00")]
)
def test_times_are_hours_minutes_and_seconds(seconds, expected):
    assert clock_text(seconds) == expected


@pytest.mark.parametrize(
    ("start", "end", "pixels", "expected"),
    [
        (0, 3600, 900, [0, 600, 1200, 1800, 2400, 3000, 3600]),
        (601, 1199, 900, [660, 720, 780, 840, 900, 960, 1020, 1080, 1140]),
        (0, 7 * 86400, 900, [86400 * day for day in range(8)]),
        (0, 366 * 86400, 300, [weeks * 7 * 86400 for weeks in (0, 15, 30, 45)]),
        (10, 12, 500, [10, 11, 12]),
    ],
)
def test_time_ticks_are_round_and_not_too_many(start, end, pixels, expected):
    assert time_ticks(start, end, pixels) == expected


@pytest.mark.parametrize(
    ("low", "high", "pixels", "unit", "expected"),
    [
        (0, 100, 110, Unit.RATE, [0, 20, 40, 60, 80, 100]),
        (0, 3, 200, Unit.COUNT, [0, 1, 2, 3]),
        (0, 4 * 2**30, 66, Unit.BYTES, [0, 2 * 2**30, 4 * 2**30]),
        (0, 0, 100, Unit.RATE, [0]),
    ],
)
def test_value_ticks_are_round(low, high, pixels, unit, expected):
    assert value_ticks(low, high, pixels, unit) == pytest.approx(expected)


def test_log_ticks_are_powers_of_ten_with_steps_between_where_there_is_room():
    assert log_ticks(1.0, 4.0, 100) == [1, 2, 3, 4]
    assert [round(10**tick) for tick in log_ticks(1.0, 2.0, 300)] == [10, 20, 50, 100]


@pytest.mark.parametrize(("value", "expected"), [(0, 1), (0.9, 1.0), (97, 120), (1000, 1200), (5.9, 8)])
def test_the_top_of_a_plot_is_a_round_value_with_headroom(value, expected):
    assert nice_top(value) == pytest.approx(expected)


# -- time in view ---------------------------------------------------------------------------------


@pytest.fixture
def window(qapp):
    made = TimeWindow()
    made.set_extent(3600.0, 1200.0)
    return made


def test_a_zoom_never_leaves_the_run(window):
    window.zoom(3000, 5000)
    assert (window.start_s, window.end_s) == (1600, 3600)
    window.pan(-9999)
    assert (window.start_s, window.end_s) == (0, 2000)
    window.zoom(100, 100.1)
    assert window.end_s - window.start_s == 1.0


def test_zooming_out_past_the_run_shows_the_whole(window):
    window.zoom(1000, 2000)
    window.zoom_by(10.0, 1500)
    assert window.is_whole


def test_zooming_keeps_the_time_under_the_pointer(window):
    window.zoom_by(0.5, 900)
    assert (900 - window.start_s) / (window.end_s - window.start_s) == pytest.approx(900 / 3600)


def test_panning_by_hand_stops_following(window):
    window.follow(True)
    assert window.end_s >= 1200
    window.pan(-60)
    assert not window.follows


def test_a_shorter_run_is_shown_whole_if_it_ends_before_the_part_in_view(window):
    window.zoom(3000, 3300)
    window.set_extent(600.0, 0.0)
    assert window.is_whole and window.end_s == 600


# -- legends --------------------------------------------------------------------------------------


def labels(plot_name, choice):
    plot = next(plot for plot in PLOTS if plot.name == plot_name)
    entries = legend_entries(curves_of(plot.views[0], Subjects(column_names()), choice))
    return [(entry.label, entry.read is not None) for entry in entries]


def test_one_workload_has_a_legend_entry_with_a_value_per_line():
    assert labels("load", CurveChoice(frozenset({"shop"}))) == [("offered", True), ("served", True), ("lost", True)]


def test_several_workloads_share_a_stroke_key_and_have_one_value_each():
    assert labels("load", CurveChoice()) == [
        ("offered", False), ("served", False), ("lost", True), ("shop", True), ("search", True),
    ]  # fmt: skip


def test_pools_are_listed_from_the_bottom_of_the_stack_and_the_total_comes_last():
    assert [label for label, _ in labels("capacity", CurveChoice())] == [
        "requested",
        "used",
        "red",
        "blue",
        "allocatable",
    ]


def test_the_time_of_the_cursor_covers_no_other_time(theme, qtbot):
    window = TimeWindow()
    window.set_extent(3600.0, 3600.0)
    ruler = TimeRuler(window, theme.current, 72, 8)
    qtbot.addWidget(ruler)
    ruler.resize(800, 24)
    everything = ruler.labelled_times()
    ruler.move_cursor(17 * 60.0)
    assert [time_s for time_s in everything if time_s not in ruler.labelled_times()] == [20 * 60.0]
    ruler.move_cursor(None)
    assert ruler.labelled_times() == everything
