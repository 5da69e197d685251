"""The window around plan and runs: files, messages, closing."""

import json
import shutil
import time

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QAction, QDragEnterEvent, QDropEvent, QKeySequence
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLineEdit,
    QMenu,
    QScrollBar,
)

from planner import api
from planner.errors import RunStopped
from planner.plan.edits.edit import replace_at
from planner.plan.files.io import load_plan, plan_to_text, save_plan
from planner.simulation.run import not_begun
from tests.builders import a_plan
from tests.ui.shell.conftest import FLASH_SALE
from ui.app import show_fault
from ui.document.questions import Answer
from ui.editor.values.inputs import LineInput
from ui.process.folders import recovery_folder
from ui.runs.run_data import RunState
from ui.widgets.message_bar import MessageKind

MAXIMUM = ("node_groups", 0, "max_size")


@pytest.fixture
def path(tmp_path):
    return shutil.copy(FLASH_SALE, tmp_path / "shop 계획.headroom")


def drop(window, *paths):
    files = QMimeData()
    files.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    buttons, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    for event in (
        QDragEnterEvent(QPoint(50, 50), Qt.DropAction.CopyAction, files, buttons, keys),
        QDropEvent(QPointF(50, 50), Qt.DropAction.CopyAction, files, buttons, keys),
    ):
        QApplication.sendEvent(window, event)


def rename(window, name="Renamed"):
    window.document.apply(replace_at(window.document.plan, ("name",), name), "Rename")


def test_the_window_opens_with_the_start_page_and_a_sample_is_one_click_away(window):
    assert window.pages.is_at_start
    window.start.sample_chosen.emit(FLASH_SALE)
    assert not window.pages.is_at_start
    assert window.document.plan == load_plan(FLASH_SALE)
    assert window.document.path is None and not window.isWindowModified()


def test_the_title_shows_the_file_and_whether_it_is_modified(window, path):
    window.open_path(path)
    assert "shop 계획.headroom[*]" in window.windowTitle() and window.windowFilePath() == str(path)
    assert not window.isWindowModified()
    rename(window)
    assert window.isWindowModified()
    window.document.undo_stack.undo()
    assert not window.isWindowModified()


def test_a_dropped_plan_is_opened(window, path):
    drop(window, path)
    assert window.document.path == path and not window.pages.is_at_start
    assert window.settings.recent == (path,)


def test_what_is_no_plan_is_refused_until_the_user_goes_on(window, path, tmp_path):
    picture = tmp_path / "pic.png"
    picture.write_bytes(b"x")
    drop(window, picture)
    assert ["pic.png" in message.text for message in window.messages.messages] == [True]
    window.open_path(path)
    assert not [message for message in window.messages.messages if "pic.png" in message.text]
    drop(window, picture)
    rename(window)
    assert not [message for message in window.messages.messages if "pic.png" in message.text]


def test_of_a_mixed_lot_the_plan_is_opened_and_the_rest_is_named(window, path, tmp_path):
    others = [tmp_path / f"notes-{number}.md" for number in range(5)]
    drop(window, *others[:2], path, *others[2:])
    assert window.document.path == path
    (message,) = window.messages.messages
    assert "notes-0.md, notes-1.md, notes-2.md and 2 more" in message.text


def test_a_file_dropped_on_an_input_is_opened_by_the_window(window, path):
    window.open_path(path)
    line = window.workspace.editor.findChild(LineInput)
    files = QMimeData()
    files.setUrls([QUrl.fromLocalFile(str(path))])
    buttons, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    event = QDragEnterEvent(QPoint(2, 2), Qt.DropAction.CopyAction, files, buttons, keys)
    line.dragEnterEvent(event)
    assert not event.isAccepted()
    QApplication.sendEvent(window, event)
    assert event.isAccepted()


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"not json", "line 1, column 1"),
        (b'{"schemaVersion": 999}', "newer Headroom"),
        (b'{"schemaVersion": 1, "nodeGroups": [{"name": "a", "cpu": "4", "maxSize": "9"}]}', "nodeGroups[0].maxSize"),
    ],
)
def test_dropping_an_invalid_file_keeps_the_document_and_shows_why(window, answers, path, tmp_path, content, problem):
    window.open_path(path)
    rename(window)
    plan = window.document.plan
    bad = tmp_path / "bad.headroom"
    bad.write_bytes(content)
    drop(window, bad)
    assert window.document.plan is plan and window.document.path == path and not answers.questions
    (message,) = window.messages.messages
    assert message.kind is MessageKind.ERROR and "bad.headroom" in message.text and problem in message.remedy
    drop(window, path)
    assert window.messages.messages == ()


def test_a_missing_file_is_removed_from_the_recent_files(window, path):
    window.open_path(path)
    path.unlink()
    window.actions_.recent_chosen.emit(path)
    assert window.settings.recent == ()
    assert "no such file" in window.messages.messages[0].remedy


@pytest.mark.parametrize(
    ("answer", "replaced", "saved"),
    [(Answer.SAVE, True, True), (Answer.DISCARD, True, False), (Answer.CANCEL, False, False)],
)
def test_unsaved_changes_prompt_before_another_plan_is_opened(window, answers, path, tmp_path, answer, replaced, saved):
    other = tmp_path / "other.headroom"
    save_plan(a_plan(name="Other"), other)
    window.open_path(path)
    rename(window)
    answers.changes = answer
    window.open_path(other)
    assert answers.questions == ["changes"]
    assert (window.document.plan.name == "Other") is replaced
    assert (load_plan(path).name == "Renamed") is saved


def test_the_first_save_opens_a_file_dialog(window, answers, tmp_path):
    window.start.sample_chosen.emit(FLASH_SALE)
    rename(window, "Black Friday / 2027")
    answers.target = tmp_path / "mine.headroom"
    window.actions_.save.trigger()
    assert answers.suggestion.name == "black-friday-2027.headroom"
    assert load_plan(answers.target) == window.document.plan
    window.actions_.save.trigger()
    assert answers.questions == ["save"]


def test_a_failed_save_is_reported_and_the_plan_stays_modified(window, answers, tmp_path):
    window.start.sample_chosen.emit(FLASH_SALE)
    rename(window)
    answers.target = tmp_path / "missing" / "mine.headroom"
    window.actions_.save.trigger()
    assert window.isWindowModified()
    assert window.messages.messages[0].kind is MessageKind.ERROR


def test_a_change_on_disk_is_reported_and_can_be_reloaded_or_ignored(window, path, qtbot):
    window.open_path(path)
    save_plan(a_plan(name="From outside"), path)
    window.disk.look()
    message = window.messages.messages[0]
    message.buttons[1].click()  # keep mine
    assert window.isWindowModified()
    save_plan(a_plan(name="From outside again"), path)
    window.disk.look()
    window.messages.messages[0].buttons[0].click()  # reload
    assert window.document.plan.name == "From outside again" and not window.isWindowModified()
    assert [message.text for message in window.messages.messages] == [
        "Your version of “shop 계획.headroom” is kept as “shop 계획.headroom.~1~”."
    ]


def test_a_failed_reload_keeps_the_plan_as_unsaved(window, answers, path):
    window.open_path(path)
    plan = window.document.plan
    path.write_bytes(b"garbage")
    window.disk.look()
    window.messages.messages[0].buttons[0].click()  # reload
    assert window.messages.messages[0].kind is MessageKind.ERROR
    assert window.document.plan is plan and window.isWindowModified()
    answers.changes = Answer.CANCEL
    assert not window.close() and answers.questions == ["changes"]


@pytest.mark.parametrize(("answer", "closed"), [(Answer.CANCEL, False), (Answer.DISCARD, True)])
def test_closing_prompts_about_unsaved_changes(window, answers, answer, closed):
    window.start.sample_chosen.emit(FLASH_SALE)
    rename(window)
    window.recovery.write()
    answers.changes = answer
    assert window.close() is closed
    assert window.recovery.file.exists() is not closed


def test_closing_during_a_run_needs_confirmation(window, answers, qtbot):
    window.start.sample_chosen.emit(FLASH_SALE)
    window.controls.speed.choose(1.0)
    window.controls.run_action.trigger()
    answers.stop_run = False
    assert not window.close() and window.controller.state.is_live
    answers.stop_run = True
    assert window.close() and not window.controller.state.is_live


def test_another_plan_ends_the_run_and_shows_none(window, path, qtbot):
    window.start.sample_chosen.emit(FLASH_SALE)
    window.controls.speed.choose(1.0)
    window.controls.run_action.trigger()
    window.open_path(path)
    assert not window.controller.state.is_live and window.session.current is None


def test_a_plan_with_problems_shows_them_instead_of_running(window):
    window.start.sample_chosen.emit(FLASH_SALE)
    plan = replace_at(window.document.plan, ("node_groups", 0, "min_size"), 15_000)
    window.document.apply(plan, "Raise the minimum")
    assert "1 problem" in window.status.validity.text() or "problems" in window.status.validity.text()
    window.controls.run_action.trigger()
    message = window.messages.messages[0]
    assert message.kind is MessageKind.ERROR and "Node pools · general · Minimum" in message.remedy
    assert window.session.current is None


def test_a_termination_signal_keeps_the_plan_as_a_recovery_copy(window):
    window.start.sample_chosen.emit(FLASH_SALE)
    rename(window)
    window.leave_in_a_hurry()
    assert "Renamed" in window.recovery.file.read_text(encoding="utf-8")


def leave_copy_behind(plan, path, **more):
    folder = recovery_folder()
    folder.mkdir(parents=True)
    note = {"pid": 1, "path": str(path), "saved": 1_800_000_000.0, "plan": plan_to_text(plan)} | more
    (folder / "1-a.recovery").write_text(json.dumps(note), encoding="utf-8")


def test_a_plan_left_by_a_crash_is_offered_and_recovered(window, path):
    leave_copy_behind(a_plan(name="Lost"), path)
    window.file_messages.offer_lost_plans(recovery_folder(), window.recovery)
    (message,) = window.messages.messages
    assert path.name in message.text
    message.buttons[0].click()
    assert window.document.plan.name == "Lost" and window.document.path == path
    assert window.isWindowModified() and not window.pages.is_at_start
    assert [file.name for file in recovery_folder().glob("*.recovery")] == [window.recovery.file.name]


def test_a_plan_left_by_a_crash_can_be_discarded(window, path):
    leave_copy_behind(a_plan(name="Lost"), path)
    window.file_messages.offer_lost_plans(recovery_folder(), window.recovery)
    window.messages.messages[0].buttons[1].click()
    assert list(recovery_folder().glob("*.recovery")) == []


def test_a_plan_left_on_another_machine_is_offered_with_its_name(window, path):
    leave_copy_behind(a_plan(name="Lost"), path, host="build-7")
    window.file_messages.offer_lost_plans(recovery_folder(), window.recovery)
    (message,) = window.messages.messages
    assert "build-7" in message.text and path.name in message.text


def test_a_recovered_plan_does_not_overwrite_what_another_program_wrote_since(window, answers, path):
    leave_copy_behind(a_plan(name="Lost"), path, version="0" * 64)
    window.file_messages.offer_lost_plans(recovery_folder(), window.recovery)
    window.messages.messages[0].buttons[0].click()
    assert not window.files.save()
    assert answers.questions == ["conflict"]


def test_a_failing_autosave_is_reported_once_with_a_cure(window):
    window.start.sample_chosen.emit(FLASH_SALE)
    folder = recovery_folder()
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.write_text("in the way")
    rename(window)
    for _time in range(3):
        window.recovery.write()
    (message,) = window.messages.messages
    assert "File exists" in message.text and "Save the plan" in message.remedy
    show_fault(window, "report")
    assert "save it now" in window.messages.messages[0].text
    folder.unlink()
    assert window.recovery.write()
    assert [message.key for message in window.messages.messages] == ["fault"]


def test_every_input_has_a_name_for_screen_readers(window, path):
    window.open_path(path)
    kinds = (QLineEdit, QAbstractSpinBox, QComboBox, QAbstractButton, QAbstractSlider)
    inputs = [widget for kind in kinds for widget in window.findChildren(kind) if widget.isVisible()]
    inside = (QAbstractSpinBox, QComboBox, QAbstractScrollArea, QAbstractSlider, QScrollBar)
    nameless = [
        f"{type(widget).__name__} {widget.objectName()} in {type(widget.parent()).__name__}"
        for widget in inputs
        if not isinstance(widget, QScrollBar) and not isinstance(widget.parent(), inside)
        and not (widget.accessibleName() or (isinstance(widget, QAbstractButton) and widget.text()))
    ]  # fmt: skip
    assert inputs and nameless == []


def test_no_shortcut_is_used_twice(window):
    keys = {}
    of_the_window = (Qt.ShortcutContext.WindowShortcut, Qt.ShortcutContext.ApplicationShortcut)
    for action in window.findChildren(QAction):
        if action.shortcutContext() not in of_the_window:
            continue  # those of a part act where the focus is
        for sequence in action.shortcuts():
            if not sequence.isEmpty():
                keys.setdefault(sequence.toString(), set()).add(action.text())
    assert {key: names for key, names in keys.items() if len(names) > 1} == {}
    for expected in ("Ctrl+N", "Ctrl+O", "Ctrl+S", "Ctrl+Shift+S", "Ctrl+Z", "Ctrl+Y", "F5", "F6", "Esc"):
        assert QKeySequence(expected).toString() in keys, expected


def test_every_menu_lists_its_actions(window):
    titles = [action.text().replace("&", "") for action in window.menuBar().actions()]
    assert titles == ["File", "Edit", "Plan", "Run", "View", "Help"]
    assert all(menu.actions() or menu.title() == "Open &recent" for menu in window.menuBar().findChildren(QMenu))


def test_dialogs_do_not_block_the_window(window):
    window.actions_.about.trigger()
    window.actions_.shortcuts.trigger()
    shown = [child for child in window.children() if child.isWidgetType() and child.isWindow() and child.isVisible()]
    assert len(shown) == 2 and not any(dialog.isModal() for dialog in shown)


def test_the_chosen_theme_is_remembered(window, theme):
    actions = {action.text().replace("&", ""): action for action in window.actions_.themes.actions()}
    actions["Dark"].trigger()
    assert theme.current.is_dark and window.settings.theme == "dark"
    actions["Light"].trigger()
    assert not theme.current.is_dark


def test_a_fault_is_added_from_the_plan_menu_and_from_a_plot(window):
    window.pages.show_plan()
    window.files.open_sample(FLASH_SALE)
    (plan_menu,) = [action.menu() for action in window.menuBar().actions() if action.text() == "&Plan"]
    (what_if,) = [action.menu() for action in plan_menu.actions() if action.text() == "What &if …"]
    what_if.aboutToShow.emit()
    assert any(action.text() == "A node fails" for action in what_if.actions())
    row = next(iter(window.workspace.plots.rows.values()))
    menu = QMenu(row)
    row.fill_menu(menu)
    from_plot = menu.actions()[0].menu()
    assert isinstance(from_plot, QMenu)
    from_plot.aboutToShow.emit()
    (losses,) = [action.menu() for action in from_plot.actions() if action.text() == "A node fails"]
    assert isinstance(losses, QMenu)
    losses.actions()[0].trigger()
    assert len(window.document.plan.events) == 1
    assert window.workspace.editor.section.key == "events"
    assert window.messages.messages


def test_a_hidden_plan_is_not_run(window):
    assert window.pages.is_at_start
    for action in (window.controls.run_action, window.controls.step_action, window.actions_.headroom):
        assert not action.isEnabled()
    window.files.open_sample(FLASH_SALE)
    for action in (window.controls.run_action, window.controls.step_action, window.actions_.headroom):
        assert action.isEnabled()
    window.pages.show_start()
    assert not window.controls.run_action.isEnabled()


def test_the_headroom_search_runs_in_its_tab_and_stops_with_the_run_shortcut(window, qtbot):
    window.files.open_sample(FLASH_SALE)
    window.actions_.headroom.trigger()
    assert window.workspace.tabs.currentWidget() is window.workspace.headroom
    assert window.controls.stop_action.isEnabled() and not window.actions_.headroom.isEnabled()
    qtbot.waitUntil(lambda: not window.status.work.isHidden(), timeout=10_000)
    window.workspace.tabs.setCurrentIndex(0)
    window.controls.stop_action.trigger()
    qtbot.waitUntil(lambda: not window.search.is_running, timeout=10_000)
    assert window.status.work.isHidden()
    assert window.messages.messages[0].key == "headroom", "its tab is not in view"
    window.messages.messages[0].buttons[0].click()
    assert window.workspace.tabs.currentWidget() is window.workspace.headroom


def test_a_headroom_search_on_an_invalid_plan_reports_the_place(window):
    window.files.open_sample(FLASH_SALE)
    plan = replace_at(window.document.plan, ("node_groups", 0, "min_size"), 21)
    window.document.apply(plan, "a minimum above the maximum")
    window.actions_.headroom.trigger()
    assert not window.search.is_running
    assert window.messages.messages[0].kind is MessageKind.ERROR


def test_help_opens_in_its_own_window(window):
    window.actions_.accuracy.trigger()
    window.actions_.model.trigger()
    assert window.help.pages.isVisible() and window.help.pages.page.toPlainText().startswith("The model")
    window.actions_.rules.trigger()
    assert window.help.pages.page.toPlainText().startswith("Rules")
    window.help.pages.close()


def test_a_run_can_be_stopped_while_it_is_being_prepared(window, qtbot, monkeypatch):
    """The plan is still being made into tables: no series are known, and all views bear a result without any."""

    def prepare_for_ever(plan, seed=None, cancelled=None, **_settings):
        while not cancelled():
            time.sleep(0.005)
        return not_begun(plan, seed, RunStopped("the start", "It was cancelled.", "Start it again.", cancelled=True))

    monkeypatch.setattr(api, "run_plan", prepare_for_ever)
    window.files.open_sample(FLASH_SALE)
    window.controls.run_action.trigger()
    assert window.status.state.text().startswith("Preparing")
    window.controls.stop_action.trigger()
    qtbot.waitUntil(lambda: window.controller.state is RunState.STOPPED, timeout=5_000)
    assert window.status.state.text().startswith("Stopped")
    for tab in range(window.workspace.tabs.count()):
        window.workspace.tabs.setCurrentIndex(tab)
        qtbot.wait(20)


def test_the_tabs_stay_in_place_whichever_is_shown(window, path, qtbot):
    window.open_path(path)
    tabs, bar = window.workspace.tabs, window.workspace.tabs.tabBar()

    def places():
        return [bar.tabRect(other).translated(bar.pos()) for other in range(tabs.count())], bar.height()

    def settled():
        found = None
        while found != (found := places()):
            qtbot.wait(100)
        return found

    first = settled()
    for number in range(tabs.count()):
        tabs.setCurrentIndex(number)
        assert settled() == first


def test_nodes_of_a_run_are_wanted_while_the_map_or_the_autoscalers_show_them(window):
    wanted, workspace = [], window.workspace
    workspace.history_wanted.connect(wanted.append)
    for panel, on in ((workspace.cluster, True), (workspace.autoscalers, True), (workspace.cluster, False)):
        panel.history_wanted.emit(on)
    assert wanted == [True]
    workspace.autoscalers.history_wanted.emit(False)
    assert wanted == [True, False]
