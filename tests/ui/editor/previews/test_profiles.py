"""Profiles drawn while they are edited, and recorded loads taken from files."""

import json
from typing import get_args

import numpy as np
import pytest
from pydantic import TypeAdapter
from PySide6.QtCore import Qt

from planner.plan.edits.edit import replace_at
from planner.plan.model.traffic import ConstantLoad, DiurnalLoad, LoadProfile, Traffic
from planner.plan.model.use import UseOverTime
from planner.units import US_PER_DAY, US_PER_H, US_PER_MIN, format_moment
from planner.workloads.load_profiles import RateOverTime
from ui.editor.previews.profile_plot import ProfilePlot
from ui.editor.previews.profile_times import sample_times, shown_span_us
from ui.editor.previews.reaction_plot import _WholeAxis
from ui.editor.previews.trace_dialog import TraceDialog
from ui.editor.previews.trace_reading import read
from ui.editor.values.adjust import as_alternative, tag_of

PATIENCE_MS = 10_000
CONSTANT = {"type": "constant", "rate": 10}
SPIKE = {"type": "spike", "base": 1, "peak": 9, "start": "3h", "rise": "1s", "hold": "5s", "decay": "1s"}
PROFILES = {
    "constant": CONSTANT,
    "step": {"type": "step", "from": 1, "to": 5, "at": "20m"},
    "ramp": {"type": "ramp", "from": 1, "to": 5, "start": "20m", "duration": "10m"},
    "sine": {"type": "sine", "mean": 5, "amplitude": 4, "period": "2h"},
    "diurnal": {"type": "diurnal", "mean": 5, "amplitude": 4, "weekdayFactors": [1, 1, 1, 1, 1, 0.5, 0.25]},
    "spike": SPIKE,
    "points": {"type": "points", "points": [{"at": "0s", "rate": 1}, {"at": "10m", "rate": 5}]},
    "trace": {"type": "trace", "points": [{"at": "0s", "rate": 1}, {"at": "10m", "rate": 5}], "atEnd": "repeat"},
    "sum": {"type": "sum", "profiles": [CONSTANT, SPIKE]},
    "scale": {"type": "scale", "profile": SPIKE, "factor": 2},
    "clip": {"type": "clip", "profile": SPIKE, "max": 4},
}


def a_profile(name):
    return TypeAdapter(LoadProfile).validate_python(PROFILES[name])


@pytest.fixture
def plot(theme, qtbot):
    plot = ProfilePlot(theme, "req/s")
    qtbot.addWidget(plot)
    return plot


@pytest.mark.parametrize("name", sorted(PROFILES))
def test_every_kind_of_profile_is_drawn_as_a_run_uses_it(plot, name):
    profile = a_profile(name)
    plot.show_profile(profile, 6 * US_PER_H)
    x, values = plot.curve.getData()
    unit_us = 86_400_000_000 if shown_span_us(profile, 6 * US_PER_H) >= 2 * US_PER_DAY else 3_600_000_000
    middle = len(x) // 3
    assert values[middle] == pytest.approx(RateOverTime(profile).at(round(x[middle] * unit_us)), rel=1e-6)
    assert np.isfinite(values).all()


def test_a_spike_of_seconds_is_visible_in_a_week_long_run(plot):
    plot.show_profile(a_profile("spike"), 7 * US_PER_DAY)
    assert plot.curve.getData()[1].max() == 9


def test_corners_are_sampled_on_both_sides():
    at = 20 * US_PER_MIN
    times = sample_times(a_profile("step"), US_PER_H).tolist()
    assert at in times and at - 1 in times


@pytest.mark.parametrize(
    ("name", "duration_us", "expected_us"),
    [
        ("constant", US_PER_H, US_PER_H),
        ("sine", US_PER_H, 2 * US_PER_H),
        ("diurnal", US_PER_H, 7 * US_PER_DAY),
        ("diurnal", 10 * US_PER_DAY, 10 * US_PER_DAY),
        ("sum", US_PER_H, US_PER_H),
    ],
)
def test_a_whole_wave_is_shown_when_the_run_is_shorter(plot, name, duration_us, expected_us):
    assert shown_span_us(a_profile(name), duration_us) == expected_us
    plot.show_profile(a_profile(name), duration_us)
    assert plot.run_end.isVisible() is (expected_us > duration_us)


def test_noise_is_drawn_as_a_band_around_the_load(plot):
    plot.show_profile(a_profile("constant"), US_PER_H, cv=0.2)
    assert (plot._high.getData()[1] == 12).all() and (plot._low.getData()[1] == 8).all()


def test_the_preview_follows_the_load(hand, editor):
    hand.field("workloads[0].traffic").click()
    hand.type("workloads[0].traffic.profile.rate", "250")
    preview = editor.form.page.body.editors["traffic"]._card.plot
    times, rates = preview.curve.getData()
    assert (rates == 250).all() and times[0] == 0
    hand.type("workloads[0].traffic.profile.rate", "300")
    assert (preview.curve.getData()[1] == 300).all()
    hand.type("simulation.duration", "30m")
    hand.field("workloads[0].traffic.profile.rate")
    assert preview.curve.getData()[0][-1] == 30  # minutes


def test_weekday_factors_are_added_and_removed_as_a_whole_week(hand, editor, document, qtbot):
    """One by one they would never get to seven: the plan has seven or none."""
    daily = DiurnalLoad(type="diurnal", mean=100, amplitude=50, weekend_factor=0.5)
    document.apply(replace_at(document.plan, ("workloads", 0, "traffic"), Traffic(profile=daily)), "a daily load")
    factors = "workloads[0].traffic.profile.weekdayFactors"
    hand.field(factors).click()
    assert hand.value(factors) == (1.0,) * 7
    assert hand.value("workloads[0].traffic.profile.weekendFactor") == 1.0
    hand.type(f"{factors}[6]", "0.25")
    assert hand.value(factors) == (1.0,) * 6 + (0.25,)
    week = editor.form.page.body.editors["traffic"]._body.editors["profile"]._body.editors["weekday_factors"]
    assert [item.editor.label.text() for item in week._items] == [f"Day {n}" for n in range(1, 8)]
    qtbot.waitUntil(week.clear_button.isVisible)
    assert not week.add_button.isVisible()
    week.clear_button.click()
    assert hand.value(factors) == ()


def test_use_over_time_is_drawn_in_its_units(hand, editor, document, qtbot):
    use = UseOverTime.model_validate({"memory": {"type": "constant", "rate": 3 * 2**30}})
    document.apply(replace_at(document.plan, ("workloads", 0, "use"), use), "use")
    hand.field("workloads[0].use.memory.rate")
    card = editor.form.page.body.editors["use"]._card
    qtbot.waitUntil(card.plots["memory"].isVisible)
    assert not card.plots["cpu"].isVisible()
    assert (card.plots["memory"].curve.getData()[1] == 3).all()
    assert card.plots["memory"].getAxis("left").labelText == "GiB"
    assert "3 GiB" in hand.field("workloads[0].use.memory.rate")._suffix


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("spike", {"base": 1000, "peak": 4000}),
        ("step", {"from_rate": 1000, "to_rate": 2000}),
        ("ramp", {"from_rate": 1000, "to_rate": 2000}),
        ("sine", {"mean": 1000, "amplitude": 500}),
        ("diurnal", {"mean": 1000, "amplitude": 500}),
    ],
)
def test_another_kind_of_profile_starts_in_proportion_to_the_load(kind, expected):
    model = next(model for model in get_args(get_args(LoadProfile)[0]) if tag_of(model) == kind)
    made = as_alternative(ConstantLoad(type="constant", rate=1000), model)
    assert {name: getattr(made, name) for name in expected} == expected


def test_use_over_time_starts_with_the_use_of_a_small_pod(hand):
    hand.field("workloads[0].use").click()
    for part in ("cpu", "memory"):
        hand.field(f"workloads[0].use.{part}").click()
    assert hand.value("workloads[0].use.cpu.rate") == 0.1
    assert hand.value("workloads[0].use.memory.rate") == 256 * 2**20


# -- recorded loads -----------------------------------------------------------------------------------


@pytest.fixture
def taken():
    return []


@pytest.fixture
def dialog(theme, qtbot, taken):
    dialog = TraceDialog(theme, US_PER_H, lambda *both: taken.append(both))
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    qtbot.addWidget(dialog)
    dialog.show()
    return dialog


def look_into(dialog, path, qtbot):
    with qtbot.waitSignal(dialog._reading.done, timeout=PATIENCE_MS):
        dialog.read(path)
    qtbot.wait(1)


def test_a_csv_is_previewed_scaled_and_imported(dialog, taken, tmp_path, qtbot):
    path = tmp_path / "load.csv"
    path.write_text("time,web/s,api/s\n0,60,1\n60,120,2\n120,60,3\n")
    look_into(dialog, path, qtbot)
    assert [dialog.value_column.itemText(row) for row in range(3)] == ["time", "web/s", "api/s"]
    assert dialog.value_column.currentText() == "web/s"
    dialog.factor.setValue(0.5)
    assert "3 values over 2m, from 30 to 60" in dialog.summary.text()
    dialog.at_end.setCurrentIndex(1)
    dialog.accept()
    [(trace, _clock)] = taken
    assert (trace.source, trace.scale, trace.at_end, len(trace.points)) == ("load.csv", 0.5, "repeat", 3)


def test_a_unit_that_does_not_show_is_chosen(dialog, tmp_path, qtbot):
    path = tmp_path / "load.csv"
    path.write_text("time,value\n0,60\n60,120\n")
    look_into(dialog, path, qtbot)
    assert "may be counts or rates" in dialog.summary.text()
    with qtbot.waitSignal(dialog._reading.done, timeout=PATIENCE_MS):
        dialog.unit.setCurrentText("requests")
        dialog.unit.activated.emit(dialog.unit.currentIndex())
    qtbot.wait(1)
    assert [point.rate for point in dialog.profile.points] == [1.0, 2.0]
    assert "counted over 1m" in dialog.summary.text()


def test_another_column_can_be_chosen(dialog, tmp_path, qtbot):
    path = tmp_path / "load.csv"
    path.write_text("time,web/s,api/s\n0,60,1\n60,120,2\n")
    look_into(dialog, path, qtbot)
    dialog.value_column.setCurrentIndex(2)
    with qtbot.waitSignal(dialog._reading.done, timeout=PATIENCE_MS):
        dialog.value_column.activated.emit(2)
    qtbot.wait(1)
    assert dialog.value_column.currentText() == "api/s"
    assert [point.rate for point in dialog.profile.points] == [1.0, 2.0]


def test_a_prometheus_response_is_read(dialog, tmp_path, qtbot):
    path = tmp_path / "answer.json"
    result = [{"metric": {}, "values": [[1_700_000_000, "5.5"], [1_700_000_060, "7"]]}]
    path.write_text(json.dumps({"status": "success", "data": {"resultType": "matrix", "result": result}}))
    look_into(dialog, path, qtbot)
    assert [point.rate for point in dialog.profile.points] == [5.5, 7.0]
    assert not dialog.value_column.isVisible()


@pytest.mark.parametrize(
    ("text", "expected"),
    [("time,web\n0,1\n60,NaN\n", "line 3"), ("", "empty"), ("time,web\n60,1\n0,2\n", "earlier")],
)
def test_an_invalid_file_is_reported_with_the_place_of_the_error(dialog, tmp_path, qtbot, text, expected):
    path = tmp_path / "load.csv"
    path.write_text(text)
    look_into(dialog, path, qtbot)
    assert expected in dialog.summary.text() and dialog.profile is None
    assert not dialog.buttons.button(dialog.buttons.StandardButton.Ok).isEnabled()


def test_a_gap_in_the_recording_is_reported(dialog, tmp_path, qtbot):
    path = tmp_path / "load.csv"
    path.write_text("t,rate\n" + "".join(f"{60 * n},1\n" for n in range(10)) + "6000,1\n")
    look_into(dialog, path, qtbot)
    assert "gap from 9m to 1h40m" in dialog.summary.text()


def test_a_missing_file_is_reported(tmp_path):
    assert read(tmp_path / "none.csv").problem is not None


def test_a_recorded_load_is_applied_to_the_workload_in_one_step(hand, editor, document, tmp_path, qtbot):
    path = tmp_path / "load.csv"
    path.write_text("time,rps\n2026-03-01T12:00:00Z,60\n2026-03-01T12:01:00Z,120\n")
    hand.field("workloads[0].traffic").click()
    hand.field("workloads[0].traffic.profile.rate")
    before = document.undo_stack.count()
    editor.form.page.body.editors["traffic"]._card.record.click()
    [dialog] = editor.window().findChildren(TraceDialog)
    look_into(dialog, path, qtbot)
    dialog.accept()
    assert hand.value("workloads[0].traffic.profile").type == "trace" and document.undo_stack.count() == before + 1
    assert format_moment(document.plan.simulation.starts_at) == "2026-03-01T12:00:00Z"


@pytest.mark.parametrize(
    ("content", "remedy"),
    [
        ("time,cpu\n0,1\n15,2\n", "Name the column of requests with “Values”, say “Unit” rows"),
        ("time,rps\n0,5\n60000,6\n120000,7\n", "Say which with “Times in” s or “Times in” ms."),
    ],
)
def test_a_remedy_names_fields_of_the_dialog_and_no_options(dialog, tmp_path, qtbot, content, remedy):
    path = tmp_path / "load.csv"
    path.write_text(content)
    look_into(dialog, path, qtbot)
    assert remedy in dialog.summary.text()
    assert "--" not in dialog.summary.text() and dialog.summary.text().startswith("load.csv")


def test_the_unit_of_times_can_be_chosen(dialog, tmp_path, qtbot):
    path = tmp_path / "load.csv"
    path.write_text("time,rps\n0,5\n60000,6\n120000,7\n")
    look_into(dialog, path, qtbot)
    with qtbot.waitSignal(dialog._reading.done, timeout=PATIENCE_MS):
        dialog.time_unit.setCurrentIndex(dialog.time_unit.findData("ms"))
        dialog.time_unit.activated.emit(dialog.time_unit.currentIndex())
    assert "3 values over 2m" in dialog.summary.text()


def test_names_in_a_recording_are_shown_as_they_are_and_turn_nothing(dialog, tmp_path, qtbot):
    path = tmp_path / "<h1>load&.csv"
    path.write_text("time,<img src=x>\u202erps\n0,5\n15,6\n", encoding="utf-8")
    look_into(dialog, path, qtbot)
    assert dialog.file.text() == "<h1>load&.csv"
    assert dialog.file.textFormat() == dialog.summary.textFormat() == Qt.TextFormat.PlainText
    assert "<img src=x>" in dialog.summary.text() and "\u202e" not in dialog.summary.text()


@pytest.mark.parametrize("most", [1, 2, 4, 37, 900])
def test_pods_are_counted_in_whole_numbers_on_their_axis(qtbot, most):
    axis = _WholeAxis("left")
    assert all(spacing >= 1 for spacing, _offset in axis.tickSpacing(0.0, most * 1.1, 150))
