"""The language is chosen while the window is open."""

import pytest
from PySide6.QtWidgets import QApplication

from planner.language.translation import language
from tests.builders import a_plan
from tests.ui.recorded_runs import a_started_run
from ui.app import change_language
from ui.document.drafts import TypedText
from ui.process.crash_reports import CrashReports
from ui.process.settings import WindowSettings
from ui.runs.run_data import RunState
from ui.wording.language import speak


@pytest.fixture
def in_korean(window, qtbot):
    """Turns the window into a Korean one."""
    app = QApplication.instance()
    opened = []

    def turn(code="ko"):
        opened.append(change_language(opened[-1] if opened else window, app, code))
        return opened[-1]

    yield turn
    for one in opened:
        if one is not window:
            one.end()
    CrashReports.uninstall()
    speak(app, "en")


def renamed(document, name):
    document.apply(document.plan.model_copy(update={"name": name}), f"call it {name}")


def menus(window):
    return [action.text() for action in window.menuBar().actions()]


def test_menus_and_forms_change_at_once_and_back(window, in_korean):
    english = menus(window)
    korean = in_korean()
    assert (language(), menus(korean)[0]) == ("ko", "파일(&F)")
    assert WindowSettings().language == "ko"
    assert not window.isVisible()
    assert menus(in_korean("en")) == english


def test_the_plan_keeps_its_undo_steps_and_what_was_saved(window, in_korean):
    window.document.new(a_plan())
    for name in ("first", "second", "third"):
        renamed(window.document, name)
    window.document.undo_stack.undo()
    other = in_korean().document
    assert (other.plan.name, other.modified, other.undo_stack.count()) == ("second", True, 3)
    other.undo_stack.redo()
    assert other.plan.name == "third"
    other.undo_stack.setIndex(0)
    assert (other.plan.name, other.modified) == (a_plan().name, False)


def test_a_text_that_is_no_value_is_kept(window, in_korean):
    window.document.new(a_plan())
    plan = window.document.plan
    window.document.apply(plan, "type", drafts={("simulation", "seed"): TypedText("ten", "no", "fix", 1)})
    assert in_korean().document.drafts == window.document.drafts


def test_runs_stay_and_are_shown(window, in_korean):
    window.document.new(a_plan())
    window.pages.show_plan()
    run = a_started_run(a_plan(), state=RunState.STOPPED)
    window.session.add(run)
    other = in_korean()
    assert other.session.current is run
    assert other.session.runs == (run,)
    assert not other.pages.is_at_start


def test_views_in_windows_of_their_own_stay_there(window, in_korean):
    window.document.new(a_plan())
    window.pages.show_plan()
    window.workspace.panes.tear_off("cluster")
    for code in ("ko", "en"):
        assert list(in_korean(code).workspace.panes.windows) == ["cluster"]


def test_a_window_that_is_busy_waits_for_the_next_start(window, in_korean, monkeypatch):
    monkeypatch.setattr(type(window), "is_busy", True)
    assert in_korean() is window
    assert language() == "en"
    assert WindowSettings().language == "ko"
