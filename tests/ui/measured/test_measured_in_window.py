"""Measured series come into the window, are fitted, taken, compared and handed back."""

import numpy as np
import pyqtgraph as pg
import pytest
from PySide6.QtWidgets import QApplication

from planner.measured.calibration.calibration import path_of
from planner.measured.measured_cluster import MeasuredCluster, Subject
from planner.measured.quantities import Quantity
from planner.measured.saving import ENDING, save_measured
from planner.plan.edits.edit import replace_at
from tests.builders import a_node_group, a_plan, a_pod, a_workload, an_hpa
from tests.ui.shell.conftest import answers, window  # noqa: F401  (the window and its user)
from ui.measured.course_plot import CoursePlot
from ui.widgets.message_bar import MessageKind
from ui.wording.language import speak

STEPS = 60
PATIENCE_MS = 60_000
COST, IDLE = 0.03, 0.05


def the_plan():
    web = a_workload("web", replicas=4, pod=a_pod("500m"), demand={"cpu_seconds_per_request": 0.01})
    return a_plan(
        node_groups=(a_node_group(initial_size=3),),
        workloads=(web,),
        horizontal_pod_autoscalers=(an_hpa(min_replicas=2, max_replicas=20, metrics=({"average_utilization": 60},)),),
    )


def seen(plan):
    load = 60 + 30 * np.sin(np.arange(STEPS) / 6)
    pods = np.full(STEPS, 4.0)
    courses = {Quantity.REQUESTS: load, Quantity.CPU: COST * load + IDLE * pods, Quantity.READY: pods}
    found = {Subject(quantity, "web"): course.astype(np.float32) for quantity, course in courses.items()}
    return MeasuredCluster(1_772_323_200, 60, STEPS, found, {"web": np.array([9.0] * 8)}, "week", ("a note",))


@pytest.fixture
def opened(window):  # noqa: F811
    window.files.new()
    window.document.apply(the_plan(), "Begin")
    return window


@pytest.fixture
def measured(opened, tmp_path, qtbot):
    """The window with measured series that the user has chosen as a file."""
    path = tmp_path / f"week{ENDING}"
    save_measured(seen(opened.document.plan), opened.document.plan, path)
    opened.measured.series.trigger()
    dialog = opened.measured.series_dialog
    dialog.show_files([path])
    dialog.read.click()
    qtbot.waitUntil(lambda: opened.measured.measuring.calibration is not None, timeout=PATIENCE_MS)
    return opened


def demand(window):  # noqa: F811
    return window.document.plan.workloads[0].demand


def test_fits_are_shown_with_interval_and_points_and_taken_one_by_one(measured):
    view = measured.measured.workspace.calibrate
    assert measured.pages.shown is measured.measured.page
    assert [path_of(fit) for fit in view.fits][0].endswith("cpuSecondsPerRequest")
    row = [cell.text for cell in view.table.rows[0]]
    assert row[:4] == ["web", "Demand · CPU per request", "0.01", "0.03"] and " to " in row[4]
    assert len(view.plot.samples.listDataItems()[0].xData) == STEPS
    measured.theme.choose("dark")
    assert view.plot.samples.getAxis("left").tickStrings(
        [0.2], view.plot.samples.getAxis("left").autoSIPrefixScale, 0.1
    ) == ["0.2"]
    view.view.selectRow(0)
    view.take.click()
    assert demand(measured).cpu_seconds_per_request == pytest.approx(COST, rel=1e-3)
    assert demand(measured).idle_cpu == 0 and measured.document.plan.measured[0].samples == STEPS
    assert view.table.rows[0][-1].text and not view.table.rows[1][-1].text
    measured.actions_.undo.trigger()
    assert demand(measured).cpu_seconds_per_request == 0.01 and not measured.document.plan.measured
    view.take_all.click()
    assert demand(measured).idle_cpu == pytest.approx(1000 * IDLE, rel=0.02)


def test_a_back_test_says_how_far_to_trust_the_plan_and_lays_courses_over_each_other(measured, qtbot):
    workspace = measured.measured.workspace
    workspace.calibrate.take_all.click()
    view = workspace.back_test
    view.seeds.setValue(2)
    view.begin.click()
    assert workspace.progress.isVisibleTo(workspace) and not view.begin.isEnabled()
    qtbot.waitUntil(lambda: measured.measured.measuring.back_test is not None, timeout=PATIENCE_MS)
    assert view.trust.text().startswith("Replicas within ") and "on 1 hour (seeds: 2)" in view.trust.text()
    assert {row[0].text for row in view.table.rows} == {"Ready pods", "CPU"}
    assert {item.name() for item in view.plot.listDataItems()} >= {"measured", "simulated"}


def test_one_half_is_fitted_and_the_other_tested(measured, qtbot):
    measuring = measured.measured.measuring
    measured.measured.workspace.back_test.split.setChecked(True)
    qtbot.waitUntil(lambda: not measuring.work.is_running, timeout=PATIENCE_MS)
    assert measuring.calibration.fits[0].estimate.samples == STEPS // 2
    measuring.test(1)
    qtbot.waitUntil(lambda: measuring.back_test is not None, timeout=PATIENCE_MS)
    assert measuring.back_test.measured.steps == STEPS // 2


def test_a_back_test_can_be_cancelled(measured, qtbot):
    measuring = measured.measured.measuring
    measuring.test(100)
    measured.measured.workspace.cancel.click()
    assert not measuring.work.is_running
    qtbot.wait(200)
    assert measuring.back_test is None and measured.measured.workspace.back_test.begin.isEnabled()


def test_what_is_wrong_with_series_is_said_with_place_and_cure(opened, tmp_path, qtbot):
    (tmp_path / "requests.json").write_text("<html>login</html>")
    opened.measured.series.trigger()
    opened.measured.series_dialog.show_files([tmp_path / "requests.json"])
    opened.measured.series_dialog.read.click()
    qtbot.waitUntil(lambda: any(one.key == "measured" for one in opened.messages.messages))
    (message,) = [one for one in opened.messages.messages if one.key == "measured"]
    assert message.kind is MessageKind.ERROR and "requests.json" in message.remedy
    opened.measured.series.trigger()
    opened.measured.series_dialog.url.setText("prometheus:9090")
    opened.measured.series_dialog.read.click()
    assert not opened.messages.messages, "what was wrong before is gone"
    qtbot.waitUntil(lambda: bool(opened.messages.messages))
    assert opened.messages.messages[0].remedy.startswith("“Address”: ")


@pytest.mark.parametrize(("field", "text"), [("url", ""), ("since", "two weeks"), ("step", "0")])
def test_a_wrong_entry_for_a_server_is_said_and_nothing_is_opened(opened, field, text):
    opened.measured.series.trigger()
    dialog = opened.measured.series_dialog
    dialog.url.setText("http://127.0.0.1:1")
    getattr(dialog, field).setText(text)
    dialog.read.click()
    assert dialog.problem.text() and not opened.measured.measuring.work.is_running
    dialog.close()


def test_series_of_one_plan_are_not_those_of_the_next(measured):
    measured.document.new()
    assert measured.measured.measuring.measured is None


def test_changes_are_shown_against_the_import_to_copy_and_to_keep(opened, answers, tmp_path, qtbot):  # noqa: F811
    opened.manifests.manifests.imported = opened.document.plan
    opened.document.apply(replace_at(opened.document.plan, ("workloads", 0, "replicas"), 7), "More")
    opened.measured.changes.trigger()
    dialog = opened.measured.changes_dialog
    qtbot.waitUntil(lambda: bool(dialog.found.text))
    assert "+  replicas: 7" in dialog.text.toPlainText() and dialog.base.currentText().endswith("imported")
    answers.target = tmp_path / "changes.txt"
    answers.folder = tmp_path / "patches"
    dialog.save.click()
    answers.folder.mkdir()
    dialog.patches.click()
    assert "replicas: 7" in answers.target.read_text()
    assert (answers.folder / "kustomization.yaml").exists() and (
        answers.folder / "deployment-default-web.yaml"
    ).exists()
    dialog.close()


@pytest.mark.parametrize(("language", "text"), [("en", "Sun 1"), ("ko", "1일 (일)")])
def test_days_of_a_measured_course_are_named_in_the_language_of_the_window(theme, qtbot, language, text):
    app = QApplication.instance()
    speak(app, language)
    plot = CoursePlot(theme)
    qtbot.addWidget(plot)
    axis = plot.getAxis("bottom")
    axis.zoomLevel = pg.graphicsItems.DateAxisItem.DAY_HOUR_ZOOM_LEVEL
    texts = axis.tickStrings([1_772_323_200.0], 1.0, 86_400.0)
    speak(app, "en")
    assert texts == [text]
