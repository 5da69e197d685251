"""Reports, figures and pictures of a run leave the window through File > Export and the menus of the plots."""

import re
import subprocess
import sys

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtWidgets import QFileDialog, QMenu

from planner.experiments.execution.in_process import InProcess
from planner.plan.edits.edit import replace_at
from planner.plan.files.io import save_plan
from planner.plan.model.experiments.experiment import Compare
from planner.reports.formats.registry import FORMATS
from tests.builders import a_plan
from tests.planner.experiments.small_plans import LARGER, a_small_plan
from ui.document.questions import Questions
from ui.widgets.message_bar import MessageKind

PATIENCE_MS = 30_000


@pytest.fixture
def ran(window, tmp_path, qtbot):
    """A window whose plan has run."""
    save_plan(a_plan(name="shop <h1>"), tmp_path / "shop.headroom")
    window.open_path(tmp_path / "shop.headroom")
    _run(window, qtbot)
    return window


def _run(window, qtbot):
    window.controls.run_action.trigger()
    qtbot.waitUntil(
        lambda: window.controller.run is not None and not window.controller.state.is_live, timeout=PATIENCE_MS
    )


def _written(window, qtbot, name):
    with qtbot.waitSignal(window.exports.report.finished, timeout=PATIENCE_MS):
        window.exports.actions_["report"].trigger()
    qtbot.waitUntil(lambda: any(name in message.text for message in window.messages.messages))


@pytest.mark.parametrize("ending", list(FORMATS))
def test_a_report_is_the_one_of_the_command_line(ran, answers, tmp_path, qtbot, ending):
    answers.target = tmp_path / f"보고서.{ending}"
    _written(ran, qtbot, answers.target.name)
    assert answers.suggestion.name == "shop-h1.html"
    plan, own = tmp_path / "shop.headroom", tmp_path / f"own.{ending}"
    command = [sys.executable, "-m", "ui.launch", "report", str(plan), "-o", str(own)]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    assert answers.target.read_bytes() == own.read_bytes()
    assert not ran.status.work.isVisible()


def test_a_report_has_the_baseline_beside_the_run(ran, answers, tmp_path, qtbot):
    ran.document.apply(ran.document.plan.model_copy(update={"name": "bigger"}), "rename")
    _run(ran, qtbot)
    assert ran.session.baseline is not None
    answers.target = tmp_path / "both.md"
    _written(ran, qtbot, "both.md")
    assert "Compared with shop" in answers.target.read_text()


def test_answers_of_experiments_about_the_plan_go_into_the_report_of_its_run(window, answers, tmp_path, qtbot):
    asked = Compare(type="compare", name="worth it", variants=("larger",), seeds=2)
    save_plan(a_small_plan(variants=(LARGER,), experiments=(asked,)), tmp_path / "shop.headroom")
    window.open_path(tmp_path / "shop.headroom")
    window.experiments.runner._make_executor = InProcess
    window.pages.show_experiments()
    with qtbot.waitSignal(window.experiments.runner.ended, timeout=PATIENCE_MS):
        window.experiments.workspace.run("worth it")
    button = window.experiments.workspace.page.head.report
    button.click()
    assert "Run the plan" in window.messages.messages[0].remedy
    _run(window, qtbot)
    answers.target = tmp_path / "answer.md"
    with qtbot.waitSignal(window.exports.report.finished, timeout=PATIENCE_MS):
        button.click()
    text = answers.target.read_text()
    assert (
        "## Experiment: worth it" in text and "larger and as planned" in text and "### First decision at which" in text
    )
    larger = replace_at(window.document.plan, ("node_groups", 0, "max_size"), 9)
    window.document.apply(larger, "larger")
    assert window.exports.answers_about(window.session.current.plan) != ()  # the run is as old as the answer
    assert window.exports.answers_about(larger) == ()


@pytest.mark.parametrize(
    ("name", "cure"), [("report.doc", "Use .html"), ("missing/report.html", "Create it"), ("folder", "Use .html")]
)
def test_a_report_that_cannot_be_written_is_a_message_with_the_cure(ran, answers, tmp_path, qtbot, name, cure):
    (tmp_path / "folder").mkdir()
    answers.target = tmp_path / name
    ran.exports.actions_["report"].trigger()
    qtbot.waitUntil(lambda: any(one.kind is MessageKind.ERROR for one in ran.messages.messages), timeout=PATIENCE_MS)
    assert cure in ran.messages.messages[0].remedy


def test_without_a_run_there_is_nothing_to_report(window, tmp_path):
    save_plan(a_plan(), tmp_path / "shop.headroom")
    window.open_path(tmp_path / "shop.headroom")
    enabled = {name for name, action in window.exports.actions_.items() if action.isEnabled()}
    assert enabled == {"manifests"} and not window.exports.plot_menu.isEnabled()


def test_the_key_figures_go_to_the_clipboard_as_markdown(ran):
    ran.exports.actions_["copy"].trigger()
    text = QGuiApplication.clipboard().text()
    assert text.startswith("### shop \\<h1\\>") and "| Figure | Value |" in text


@pytest.mark.parametrize("ending", ["png", "svg"])
def test_the_dashboard_becomes_a_picture(ran, answers, tmp_path, ending):
    answers.target = tmp_path / f"all.{ending}"
    ran.exports.actions_["dashboard"].trigger()
    if ending == "png":
        assert QImage(str(answers.target)).width() == 2 * ran.workspace.dashboard.width()
    else:
        drawn = answers.target.read_text()
        assert "polyline" in drawn
        assert set(re.findall(r'font-family="[^"]*, ([a-z-]+)"', drawn)) <= {"sans-serif", "monospace"}
        assert len(re.findall("font-family=", drawn)) == len(re.findall(r'font-family="[^"]+, [a-z-]+"', drawn)) > 0


def test_every_plot_is_offered_as_a_picture(ran, tmp_path):
    menu = ran.exports.plot_menu
    menu.aboutToShow.emit()
    assert [one.text() for one in menu.actions()] == [
        f"{row.title_text()}…" for row in ran.workspace.plots.rows.values()
    ]
    menu.actions()[0].trigger()
    dialog = ran.findChild(QFileDialog)
    dialog.fileSelected.emit(str(tmp_path / "load.svg"))
    dialog.close()
    assert "polyline" in (tmp_path / "load.svg").read_text()


def test_a_plot_that_is_hidden_while_the_menu_is_there_is_not_offered_any_more(ran):
    menu, tools = ran.exports.plot_menu, ran.workspace.plots.tools
    menu.aboutToShow.emit()
    texts = [one.text() for one in menu.actions()]
    tools.show_plots(tools.shown - {"load"})
    for _plot_then_entry in range(2):
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert [one.text() for one in menu.actions()] == texts[1:]


def test_the_menu_of_a_plot_offers_the_dashboard_too(ran, answers, tmp_path):
    menu, answers.target = QMenu(), tmp_path / "all.png"
    ran.workspace.plots.rows["load"].fill_menu(menu)
    next(one for one in menu.actions() if "dashboard" in one.text()).trigger()
    assert answers.target.exists()


@pytest.mark.parametrize(("chosen", "ending"), [("PDF document (*.pdf)", "pdf"), ("Workbook (*.xlsx)", "xlsx")])
def test_the_ending_follows_the_chosen_kind_of_report(window, monkeypatch, tmp_path, chosen, ending):
    def choose(dialog):
        dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
        dialog.filterSelected.emit(chosen)
        return True

    monkeypatch.setattr(QFileDialog, "exec", choose)
    assert Questions(window).file_for_report(tmp_path / "shop.html") == tmp_path / f"shop.{ending}"
