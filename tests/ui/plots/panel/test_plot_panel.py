"""The panel as its user sees it."""

import csv

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QMenu

from planner.units import US_PER_S
from tests.ui.plots.made_runs import (
    HOUR_S,
    USUAL,
    a_run,
    begun_run,
    column_names,
    feed,
    grown,
    made_plan,
    rescaled,
    value_of,
)
from ui.plots.catalogue import PLOTS
from ui.plots.curves.curves import CurveChoice
from ui.plots.markers.markers import Kind
from ui.runs.messages import RunStarted
from ui.runs.run_data import RunData, RunState
from ui.theme.thing_colors import WORKLOAD_COLORS


def points(panel, plot, key):
    drawn = panel.rows[plot].view.layer.drawn
    return drawn[key].x if key in drawn else ()


def x_of(view, time_s):
    """Pixel column of a time in a plot."""
    box = view.getViewBox().sceneBoundingRect()
    window = view._window
    return box.left() + (time_s - window.start_s) / (window.end_s - window.start_s) * box.width()


def drag(view, from_s, to_s, button=Qt.MouseButton.LeftButton):
    y = view.viewport().height() // 2
    start, end = QPoint(round(x_of(view, from_s)), y), QPoint(round(x_of(view, to_s)), y)
    QTest.mousePress(view.viewport(), button, pos=start)
    QTest.mouseMove(view.viewport(), (start + end) / 2)
    QTest.mouseMove(view.viewport(), end)
    QTest.mouseRelease(view.viewport(), button, pos=end)


# -- data -----------------------------------------------------------------------------------------


def test_without_a_run_the_panel_says_what_to_do(panel):
    assert panel.empty.isVisible()
    assert "F5" in panel.empty.text()


@pytest.mark.parametrize(
    ("plot", "key"),
    [
        ("load", "served_rps[shop]"),
        ("capacity", "cpu_requested_cores"),
        ("capacity", "group_cpu_allocatable_cores[red]"),
        ("replicas", "replicas_ready_count[search]"),
        ("latency", "latency_p95_ms[shop]"),
    ],
)
def test_curves_gain_points_while_data_arrives(qtbot, panel, session, plot, key):
    run = begun_run()
    session.add(run)
    feed(run, 600)
    qtbot.waitUntil(lambda: len(points(panel, plot, key)) == 41)
    feed(run, 1200)
    qtbot.waitUntil(lambda: len(points(panel, plot, key)) == 81)


def test_a_run_whose_series_names_arrive_later_is_drawn(qtbot, panel, session):
    run = RunData(1, "run 1", made_plan(), 1)
    session.add(run)
    assert panel.rows["load"].curves == []
    run.begin(RunStarted(column_names(), HOUR_S * US_PER_S))
    feed(run, 600)
    qtbot.waitUntil(lambda: len(points(panel, "load", "served_rps[shop]")) == 41)


def test_a_stack_adds_up_its_parts(panel, session):
    session.add(a_run())
    drawn = panel.rows["capacity"].view.layer.drawn
    red, blue = (value_of(f"group_cpu_allocatable_cores[{pool}]", HOUR_S) for pool in ("red", "blue"))
    assert drawn["group_cpu_allocatable_cores[red]"].y[-1] == pytest.approx(red)
    assert drawn["group_cpu_allocatable_cores[blue]"].y[-1] == pytest.approx(red + blue)


def test_hidden_panels_do_not_draw_and_catch_up_when_shown(qtbot, panel, session):
    run = begun_run()
    session.add(run)
    feed(run, 600)
    qtbot.waitUntil(lambda: len(points(panel, "load", "served_rps[shop]")) == 41)
    panel.hide()
    feed(run, 1200)
    qtbot.wait(150)
    assert len(points(panel, "load", "served_rps[shop]")) == 41
    panel.show()
    qtbot.waitUntil(lambda: len(points(panel, "load", "served_rps[shop]")) == 81)


def test_many_rows_are_reduced_to_about_two_points_per_pixel_with_their_peak(panel, session):
    run = a_run()
    session.add(run)
    row = panel.rows["load"]
    data = next(d for d in row.view.layer.data if d.curve.key == "served_rps[shop]")
    assert len(data) == 241
    low, high = row.view.layer.draw(0, HOUR_S, 20, logarithmic=False)
    assert len(points(panel, "load", "served_rps[shop]")) <= 44
    assert high >= np.nanmax(run.series("served_rps[shop]"))


def test_the_baseline_is_drawn_behind_the_run_and_read_next_to_it(panel, session, cursor):
    first, second = a_run(1), a_run(2)
    session.add(first)
    session.add(second)
    session.choose_baseline(first)
    row = panel.rows["latency"]
    assert list(row.view.baseline.drawn) == ["latency_p95_ms[shop]", "latency_p95_ms[search]"]
    cursor.move(1800.0)
    entry = row.legend.entries.index(next(e for e in row.legend.entries if e.label == "shop"))
    assert row.legend.readings[entry].baseline == row.legend.readings[entry].value != ""


# -- time -----------------------------------------------------------------------------------------


def test_dragging_zooms_all_plots_and_a_double_click_resets(panel, session):
    session.add(a_run())
    view = panel.rows["replicas"].view
    drag(view, 600, 1200)
    window = panel.window_of_time
    assert (window.start_s, window.end_s) == (pytest.approx(600, abs=10), pytest.approx(1200, abs=10))
    for row in panel.rows.values():
        assert row.view.getViewBox().viewRange()[0] == pytest.approx([window.start_s, window.end_s])
    QTest.mouseDClick(view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(200, 30))
    assert window.is_whole
    assert view.getViewBox().viewRange()[0] == pytest.approx([0, HOUR_S])


def test_all_plots_and_the_ruler_share_the_same_time_axis(qtbot, panel, session):
    session.add(a_run())
    panel.tools.show_plots(frozenset(plot.name for plot in PLOTS))  # the scroll bar comes
    qtbot.wait(50)

    def column(row):
        return row.view.mapTo(panel, QPoint(round(x_of(row.view, 900)), 0)).x()

    ruler = panel.ruler.mapTo(panel, QPoint(round(panel.ruler.x_of(900)), 0)).x()
    assert {column(row) for row in panel.rows.values()} <= {ruler - 1, ruler, ruler + 1}


def test_following_keeps_the_newest_in_view(qtbot, panel, session):
    run = begun_run()
    session.add(run)
    feed(run, 600)
    panel.tools.follow.click()
    feed(run, 2400)
    qtbot.waitUntil(lambda: panel.window_of_time.end_s >= 2400)
    assert panel.window_of_time.start_s > 600
    panel.tools.whole.click()
    assert panel.window_of_time.is_whole and not panel.tools.follow.isChecked()


@pytest.mark.parametrize(("key", "span_s"), [(Qt.Key.Key_Plus, 1800), (Qt.Key.Key_0, 3600)])
def test_keys_zoom(panel, session, key, span_s):
    session.add(a_run())
    QTest.keyClick(panel, key)
    assert panel.window_of_time.end_s - panel.window_of_time.start_s == span_s


# -- cursor ---------------------------------------------------------------------------------------


def test_the_cursor_is_one_line_through_all_plots_with_values(panel, session, cursor, qtbot):
    session.add(a_run())
    cursor.move(1800.0)
    assert all(row.view.cursor_line.isVisible() and row.view.cursor_line.value() == 1800 for row in panel.rows.values())
    legend = panel.rows["capacity"].legend
    requested = [entry.label for entry in legend.entries].index("requested")
    expected = pytest.approx(float(value_of("cpu_requested_cores", 1800.0)), abs=0.06)
    qtbot.waitUntil(lambda: float(legend.readings[requested].value) == expected)
    cursor.move(None)
    assert not any(row.view.cursor_line.isVisible() for row in panel.rows.values())


def test_the_cursor_follows_the_pointer_and_goes_back_to_where_it_was_pinned(panel, session, cursor):
    session.add(a_run())
    view = panel.rows["load"].view
    y = view.viewport().height() // 2
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(round(x_of(view, 900)), y))
    assert cursor.time_s == pytest.approx(900, abs=10)
    pinned = cursor.time_s
    QTest.mouseMove(view.viewport(), QPoint(round(x_of(view, 1800)), y))
    assert cursor.time_s == pytest.approx(1800, abs=10)
    view.hovered.emit(None)
    assert cursor.time_s == pinned


def test_a_missing_value_is_not_a_number(panel, session, cursor):
    session.add(a_run())
    cursor.move(10.0)
    legend = panel.rows["latency"].legend
    assert legend.readings[[entry.label for entry in legend.entries].index("search")].value == "–"


# -- marks ----------------------------------------------------------------------------------------


def click(lanes, mark):
    row = next(n for n, lane in enumerate(lanes.lanes) if mark in lane)
    middle = QPointF(lanes._left + (mark.left + mark.right) / 2, row * 15 + 7).toPoint()
    QTest.mouseClick(lanes, Qt.MouseButton.LeftButton, pos=middle)


def test_clicking_a_mark_selects_its_decision_and_clicking_again_the_next(qtbot, panel, session, cursor):
    decisions = (rescaled(600), rescaled(606), grown(2400))
    session.add(a_run(decisions=decisions))
    chosen = []
    panel.decision_chosen.connect(chosen.append)
    assert [lane[0].kind for lane in panel.lanes.lanes] == [Kind.RESCALE, Kind.SCALE_UP]
    mark = panel.lanes.lanes[0][0]
    assert mark.decisions == decisions[:2]
    for _ in range(3):
        click(panel.lanes, mark)
    assert chosen == [decisions[0], decisions[1], decisions[0]]
    assert cursor.time_s == 600
    assert "New size: 4" in panel.lanes.explain(mark) and "00:10:06" in panel.lanes.explain(mark)


def test_marks_arrive_with_the_run_and_the_lanes_grow(qtbot, panel, session):
    run = begun_run()
    session.add(run)
    feed(run, 300, [rescaled(100)])
    qtbot.waitUntil(lambda: len(panel.lanes.lanes) == 1)
    height = panel.lanes.height()
    feed(run, 600, [grown(500)])
    qtbot.waitUntil(lambda: len(panel.lanes.lanes) == 2)
    assert panel.lanes.height() > height
    assert panel.rows["load"].view.events.times_s == (500.0,)


def test_arrow_keys_go_from_decision_to_decision(panel, session):
    decisions = (rescaled(600), grown(700), rescaled(2000))
    session.add(a_run(decisions=decisions))
    chosen = []
    panel.decision_chosen.connect(chosen.append)
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Left):
        QTest.keyClick(panel.lanes, key)
    assert chosen == [*decisions, decisions[2], decisions[1]]


# -- choosing -------------------------------------------------------------------------------------


def test_chosen_workloads_are_shown(panel, session):
    session.add(a_run())
    panel.tools.choice_changed.emit(CurveChoice(frozenset({"search", "agent"})))
    assert "served_rps[shop]" not in panel.rows["load"].view.layer.drawn
    assert "replicas_ready_count[agent]" in panel.rows["replicas"].view.layer.drawn
    assert len(panel.rows["latency"].view.limits.labels()) == 1


def test_a_shared_curve_adds_loads_and_takes_the_worst_latency(panel, session):
    session.add(a_run())
    panel.tools.together.click()
    served = panel.rows["load"].view.layer.drawn["served_rps"].y[-1]
    assert served == pytest.approx(sum(value_of(f"served_rps[{name}]", HOUR_S) for name in ("shop", "search")))
    worst = panel.rows["latency"].view.layer.drawn["latency_p95_ms"].y[-1]
    both = [value_of(f"latency_p95_ms[{name}]", np.array([HOUR_S]))[0] for name in ("shop", "search")]
    assert worst == pytest.approx(max(both))
    assert "2 workloads" in panel.rows["load"].title_text()


def test_every_plot_can_be_shown_and_hidden(qtbot, panel, session):
    session.add(a_run())
    panel.tools.show_plots(frozenset(plot.name for plot in PLOTS))
    assert set(panel.rows) == {plot.name for plot in PLOTS}
    panel.draw_new()
    assert all(row.view.layer.drawn for row in panel.rows.values())
    panel.rows["nodes"].hide_wanted.emit()
    assert "nodes" not in panel.rows
    panel.tools.show_plots(frozenset(USUAL))
    assert tuple(panel.rows) == USUAL


def test_another_view_of_a_plot_and_its_lines_can_be_chosen(panel, session):
    session.add(a_run())
    row = panel.rows["capacity"]
    memory = next(view for view in row.plot.views if view.label == "Memory")
    row.choose_view(memory)
    assert "memory_requested_bytes" in row.view.layer.drawn
    row.tick("memory_requested_bytes", False)
    assert "memory_requested_bytes" not in row.view.layer.drawn
    menu = QMenu()
    row.fill_menu(menu)
    ticks = {action.text(): action.isChecked() for action in menu.actions() if action.isCheckable()}
    assert ticks["requested"] is False and ticks["Memory"] is True


def test_a_logarithmic_view_draws_powers_of_ten(panel, session):
    run = a_run()
    session.add(run)
    row = panel.rows["latency"]
    row.choose_view(row.plot.views[1])
    drawn = row.view.layer.drawn["latency_p95_ms[shop]"].y
    assert drawn == pytest.approx(np.log10(run.series("latency_p95_ms[shop]")))
    low, high = row.view.getViewBox().viewRange()[1]
    assert low <= drawn.min() and high >= np.log10(250)


# -- look -----------------------------------------------------------------------------------------


def test_another_theme_changes_pens_and_background(panel, session, theme):
    session.add(a_run())
    view = panel.rows["load"].view
    before = view.layer.drawn["served_rps[shop]"].pen.color().name()
    index = WORKLOAD_COLORS.of(["shop"])["shop"]
    assert before == theme.current.series_color(index)
    ground = view.backgroundBrush().color().name()
    theme.choose("dark")
    after = view.layer.drawn["served_rps[shop]"].pen.color().name()
    assert after == theme.current.series_color(index) != before
    assert view.backgroundBrush().color().name() == theme.current.panel != ground


def test_inputs_have_accessible_names(panel, session):
    session.add(a_run())
    assert all(row.view.accessibleName() and row._menu_button.accessibleName() for row in panel.rows.values())
    assert panel.lanes.accessibleName() and panel.ruler.accessibleName()


# -- export ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["png", "svg", "csv"])
def test_a_plot_is_exported(panel, session, tmp_path, kind):
    first, second = a_run(1, until_s=1800), a_run(2)
    session.add(first)
    session.add(second)
    session.choose_baseline(first)
    panel.exports.write(panel.rows["load"], kind, tmp_path / f"load.{kind}")
    written = tmp_path / f"load.{kind}"
    if kind == "png":
        assert QImage(str(written)).width() == 2 * panel.rows["load"].width()
    elif kind == "svg":
        text = written.read_text()
        assert "Load (req/s)" in text and "polyline" in text
        assert "00:30:00" in text and "⋯" not in text, "the times of all plots, and no button"
        row, width_mm = panel.rows["load"], float(text.partition('width="')[2].partition("mm")[0])
        assert width_mm == pytest.approx(row.width() * 25.4 / row.logicalDpiX(), abs=0.01), "so letters fit their room"
        assert row._menu_button.isVisibleTo(panel), "which is there again afterwards"
    else:
        header, *rows = list(csv.reader(written.read_text().splitlines()))
        assert header[0] == "time_s" and "served_rps[shop]" in header and "served_rps[shop] of run 1" in header
        assert len(rows) == 241
        served, earlier = header.index("served_rps[shop]"), header.index("served_rps[shop] of run 1")
        assert float(rows[-1][served]) == second.series("served_rps[shop]")[-1]
        assert rows[-1][earlier] == "" and float(rows[100][earlier]) == first.series("served_rps[shop]")[100]


def test_a_failed_export_is_reported(qtbot, panel, session, tmp_path):
    session.add(a_run())
    with qtbot.waitSignal(panel.exports.failed) as failed:
        panel.exports.write(panel.rows["load"], "csv", tmp_path / "missing" / "load.csv")
    assert "missing" in failed.args[0]


def test_the_menu_asks_where_to_export_without_blocking(qtbot, panel, session, tmp_path):
    session.add(a_run())
    panel.rows["load"].export_wanted.emit(("csv",))
    dialog = panel.findChild(QFileDialog)
    dialog.fileSelected.emit(str(tmp_path / "plot.csv"))
    assert (tmp_path / "plot.csv").exists()
    dialog.close()


def test_another_run_replaces_the_first(panel, session):
    first = a_run(1)
    session.add(first)
    session.add(a_run(2, until_s=600))
    assert len(points(panel, "load", "served_rps[shop]")) == 41
    feed(first, HOUR_S)
    session.choose_current(first)
    assert len(points(panel, "load", "served_rps[shop]")) == 241
    first.set_state(RunState.STOPPED)
    session.choose_current(None)
    assert panel.empty.isVisible()
    assert first.done_us == HOUR_S * US_PER_S


def test_an_infinite_latency_leaves_a_gap_and_says_so(panel, session):
    run = begun_run()
    feed(run, 600, endless="latency_p95")
    session.add(run)
    panel.draw_new()
    run_view = panel.rows["latency"].view
    assert np.isfinite(run_view._y_range).all()
    panel.rows["latency"].show_values(float(run.time_s[25]))
    assert "≥ 60 min" in panel.rows["latency"].legend.full_text()
