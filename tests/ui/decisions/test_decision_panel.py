"""The panel: selection and cursor, search, why, copying."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QApplication

from planner.record.decisions import Actor, Decision, Verdict
from planner.record.details.replicas import Evaluation
from planner.record.details.scheduling import Nomination, PreemptionCandidate, Unschedulable
from tests.planner.record.text.made_decisions import BOUGHT, DECISIONS, made
from tests.ui.decisions.conftest import a_decision, a_run, record, some_decisions
from ui.decisions import filter_bar
from ui.decisions.row_texts import DecisionColumn
from ui.decisions.why_text import why_html
from ui.decisions.why_view import WhyView
from ui.runs.run_data import RunState
from ui.stories.decisions_by_name import DecisionsByName


def select(panel, row):
    panel.view.setCurrentIndex(panel.table.index(row, 0))


def test_without_a_run_the_panel_says_what_to_do(panel):
    assert panel.table.rowCount() == 0
    assert "F5" in panel.view.empty_text


def test_a_selected_decision_moves_the_cursor_and_is_explained(panel, run, cursor):
    select(panel, 4)
    assert cursor.time_s == 30.0
    text = panel.why.toPlainText()
    assert "rescale 3 → 6" in text and "3 to 6" in text and "00:00:30" in text


def test_the_cursor_brings_rows_into_sight_but_selects_nothing(panel, session, cursor):
    session.add(a_run([a_decision(second) for second in range(500)], state=RunState.FINISHED))
    cursor.move(400.2)
    assert not panel.view.selectionModel().hasSelection()
    rect = panel.view.visualRect(panel.table.index(400, 0))
    assert panel.view.viewport().rect().intersects(rect)


def test_escape_clears_selection_and_cursor(panel, run, cursor, qtbot):
    select(panel, 4)
    qtbot.keyClick(panel.view, Qt.Key.Key_Escape)
    assert cursor.time_s is None and not panel.view.selectionModel().hasSelection()


def test_a_filtered_out_decision_can_be_selected_from_elsewhere(panel, run, cursor, qtbot):
    panel.filters.choose_actor(Actor.HPA)
    assert panel.table.rowCount() == 2
    panel.select(run.decisions[1])
    assert panel.view.current_decision() is run.decisions[1] and panel.table.rowCount() == 6
    assert cursor.time_s == 2.0 and panel.filters.wanted.is_empty


def test_typing_filters_and_keeps_the_selected_row(panel, run, qtbot):
    select(panel, 4)
    panel.focus_search()
    qtbot.keyClicks(panel.filters.search, "web")
    qtbot.waitUntil(lambda: panel.table.rowCount() == 3)
    assert panel.view.current_decision() is run.decisions[4]
    panel.filters.search.setText("nowhere")
    qtbot.waitUntil(lambda: panel.table.rowCount() == 0)
    assert "No decisions match" in panel.view.empty_text
    panel.filters.clear()
    assert panel.table.rowCount() == 6 and panel.view.current_decision() is run.decisions[4]


def test_the_filters_offer_what_occurred_in_the_run(panel, run):
    offered = [panel.filters.actor.itemText(row) for row in range(panel.filters.actor.count())]
    assert offered == ["Components", "Scheduler", "HPA", "CA scale-up", "CA scale-down"]
    record(run, [a_decision(50, Actor.SCHEDULER, Verdict.PREEMPTED, "web-0002", target="pool-0001")])
    run.set_state(RunState.FINISHED)
    panel.filters.choose_verdict(Verdict.PREEMPTED)
    assert panel.table.rowCount() == 1


def test_the_filters_are_filled_anew_only_when_a_run_has_something_else_to_choose(panel, session, monkeypatch):
    run = a_run([a_decision(1)])
    session.add(run)
    filled, fill = [], filter_bar._fill
    monkeypatch.setattr(filter_bar, "_fill", lambda combo, items: filled.append(len(items)) or fill(combo, items))
    for second, verdict in ((2, Verdict.SCALED), (3, Verdict.SCALED), (4, Verdict.KEPT)):
        record(run, [a_decision(second, verdict=verdict)])
        panel.table.choose(panel.filters.wanted)
        assert len(filled) == (3 if verdict is Verdict.KEPT else 0)
    panel.filters.choose_verdict(Verdict.KEPT)
    assert panel.filters.wanted.verdicts == (Verdict.KEPT,)


def test_kept_decisions_are_hidden_until_chosen_in_the_filter(panel, session):
    run = a_run(some_decisions())
    session.add(run)
    verdict = panel.filters.verdict
    assert verdict.currentText() == "All but “kept”" and panel.table.rowCount() == 5
    record(run, [a_decision(50, verdict=Verdict.KEPT), a_decision(51, Actor.SCHEDULER, Verdict.PREEMPTED)])
    run.set_state(RunState.FINISHED)
    assert panel.table.rowCount() == 6  # the preemption came, and was never chosen
    verdict.setCurrentIndex(verdict.findText("All verdicts"))
    assert panel.table.rowCount() == 8
    panel.filters.choose_verdict(Verdict.KEPT)
    assert panel.table.rowCount() == 2


def test_a_kept_decision_is_shown_when_it_is_selected_from_elsewhere(panel, session):
    run = a_run(some_decisions())
    session.add(run)
    panel.select(run.decisions[3])
    assert panel.view.current_decision() is run.decisions[3]


def test_a_finished_run_is_shown_from_where_something_happened(panel, session, cursor):
    quiet = [a_decision(second, Actor.SCHEDULER, Verdict.BOUND, "web-0001") for second in range(200)]
    run = a_run(
        [*quiet, a_decision(200), *(a_decision(second, verdict=Verdict.NODE_READY) for second in range(201, 400))]
    )
    session.add(run)
    panel.view.scrollToBottom()
    run.set_state(RunState.FINISHED)
    assert shows(panel, 200) and not panel.view.selectionModel().hasSelection()
    cursor.move(20.0)
    session.choose_current(None)
    session.choose_current(run)
    assert shows(panel, 20)


def shows(panel, row):
    """Whether a row is in sight."""
    rect = panel.view.visualRect(panel.table.index(row, 0))
    return panel.view.viewport().rect().intersects(rect)


def test_search_is_a_shortcut_away_and_leads_back_to_the_rows(panel, run, qtbot):
    assert panel.find_action.shortcut().toString() == "Ctrl+F"
    panel.find_action.trigger()
    qtbot.keyClick(panel.filters.search, Qt.Key.Key_Down)
    assert panel.view.current_decision() is run.decisions[0]


def test_the_rows_that_the_search_leads_to_are_those_of_what_was_just_typed(panel, run, qtbot):
    panel.find_action.trigger()
    qtbot.keyClicks(panel.filters.search, "api")
    qtbot.keyClick(panel.filters.search, Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: panel.view.current_decision() is not None)
    assert panel.view.current_decision() is run.decisions[1]


def test_escape_in_the_search_clears_it_and_stops_no_run(panel, run, qtbot):
    stops = []
    stop = QAction(panel)
    stop.setShortcut(Qt.Key.Key_Escape)
    stop.triggered.connect(lambda: stops.append(1))
    panel.addAction(stop)
    panel.activateWindow()
    panel.focus_search()
    qtbot.keyClicks(panel.filters.search, "web")
    qtbot.keyClick(panel.filters.search, Qt.Key.Key_Escape)
    assert panel.filters.search.text() == "" and not stops
    qtbot.keyClick(panel.filters.search, Qt.Key.Key_Escape)
    assert stops == [1]


def test_selected_rows_are_copied_for_a_spreadsheet(panel, run):
    panel.view.selectRow(1)
    panel.view.copy_action.trigger()
    head, row, end = QGuiApplication.clipboard().text().split("\n")
    assert head.split("\t") == ["Time", "Component", "Object", "Decision", "Why"]
    assert row.split("\t")[2:4] == ["api-0001", "unschedulable"] and end == ""


def test_the_table_follows_the_end_of_a_run_until_a_row_is_selected(panel, session):
    run = a_run([a_decision(second) for second in range(100)])
    session.add(run)
    panel.view.scrollToBottom()
    record(run, [a_decision(second) for second in range(100, 200)])
    bar = panel.view.verticalScrollBar()
    assert bar.value() == bar.maximum() > 100
    select(panel, 150)
    value = bar.value()
    record(run, [a_decision(second) for second in range(200, 300)])
    assert bar.value() == value


def test_another_run_replaces_the_first(panel, session, run, cursor):
    select(panel, 4)
    session.add(a_run([a_decision(7)], number=2))
    assert panel.table.rowCount() == 1 and cursor.time_s is None
    assert "Select a decision" in panel.why.toPlainText()


@pytest.mark.parametrize(("row", "words"), [
    pytest.param(0, ["Placement", "pool-0001"], id="a placement"),
    pytest.param(1, ["Nodes that refused the pod, of 3", "Insufficient cpu"], id="a refusal"),
    pytest.param(2, ["Options", "least-waste", "pool ✓", "0.5"], id="a scale-up with the chosen option marked"),
    pytest.param(5, ["Utilization", "70 %", "NotUnderutilized", "threshold"], id="a node that stays"),
])  # fmt: skip
def test_why_shows_the_computation(panel, run, row, words):
    select(panel, row)
    text = panel.why.toPlainText()
    assert all(word in text for word in words), text


def test_names_cannot_inject_markup_into_the_explanation(panel, session):
    session.add(a_run([a_decision(1, details=Evaluation("web", 3, 6, reason="<img src=x> & more"))]))
    select(panel, 0)
    assert "<img src=x> & more" in panel.why.toPlainText()


def test_colours_follow_the_theme(panel, run, theme):
    select(panel, 1)
    light = panel.why.toHtml()
    theme.choose("dark")
    assert panel.why.toHtml() != light
    ink = panel.table.index(1, 3).data(Qt.ItemDataRole.ForegroundRole).color().name()
    assert ink == theme.current.warn


def test_answers_stay_when_the_colours_change_until_a_decision_is_chosen(panel, run, theme):
    panel.why.show_answers("pool-0001", 30_000_000, ["It is needed."])
    theme.choose("dark")
    assert "It is needed." in panel.why.toPlainText()
    panel.why.show_decision(None)
    assert "Select a decision" in panel.why.toPlainText()


def test_words_of_a_table_stay_whole_in_a_narrow_view(panel, session):
    """The candidates of a preemption have seven columns: they scroll sideways rather than break within a word."""
    chosen = PreemptionCandidate("general-0001", ("batch-0001", "batch-0002"), 0, -20, -40, 60)
    nominated = Decision(0, Actor.SCHEDULER, Verdict.NOMINATED, "web-0001", "general-0001", Nomination(chosen, 5))
    session.add(a_run([nominated]))
    panel.why.setFixedWidth(220)
    select(panel, 0)
    panel.show()
    document = panel.why.document()
    assert document.idealWidth() > document.textWidth() > 0
    priority = document.find("-40")
    assert priority.blockFormat().alignment() & Qt.AlignmentFlag.AlignRight


def test_inputs_have_names_for_screen_readers(panel):
    filters = panel.filters
    inputs = (filters.search, filters.actor, filters.subject, filters.verdict, panel.view, panel.why)
    assert all(widget.accessibleName() for widget in inputs)


@pytest.mark.parametrize(("subject", "answer"), [
    ("web-0001", "It needs none: it was bound to pool-0001"),
    ("pool-0001", "The Cluster Autoscaler has not looked at the cluster yet."),
    ("pool", "This is neither a node nor a pod"),
])  # fmt: skip
def test_the_context_menu_answers_why_the_autoscaler_does_not_act(panel, run, cursor, subject, answer):
    panel.select([one for one in run.decisions if one.subject == subject][-1])
    (action,) = [one for one in panel.view.actions() if "autoscaler" in one.text()]
    action.trigger()
    assert answer in panel.why.toPlainText() and subject in panel.why.toPlainText()


def test_a_search_without_a_match_ends_and_says_so(panel, session, qtbot):
    session.add(a_run(some_decisions(), state=RunState.FINISHED))
    panel.filters.search.setText("nothing has this word")
    qtbot.waitUntil(lambda: not panel.table.is_searching and panel.table.rowCount() == 0)
    assert panel.filters._count.text() == "0 of 6"
    assert "No decisions match" in panel.view.empty_text


def test_what_was_searched_for_ends_with_the_plan(panel, session, run, qtbot):
    panel.filters.search.setText("web")
    panel.filters.choose_verdict(Verdict.SCALED)
    session.add(a_run(some_decisions(), number=2))
    assert panel.filters.search.text() == "web"
    session.begin_plan(None)
    assert panel.filters.search.text() == ""
    session.add(a_run(some_decisions(), number=3))
    assert panel.table.rowCount() == 5


def test_why_has_a_window_of_its_own_that_follows_the_chosen_decision(panel, run):
    panel.view.show_row(4, select=True)
    panel.why_action.trigger()
    first = panel.why_window.why.toPlainText()
    assert panel.why_window.isVisible() and first == panel.why.toPlainText()
    panel.view.show_row(1, select=True)
    assert panel.why_window.why.toPlainText() == panel.why.toPlainText() != first
    panel.why_window.close()


def test_a_button_beside_why_opens_it_in_a_window_of_its_own(panel, run, qtbot):
    select(panel, 4)
    button = panel.why.corner
    assert button.isVisible() and button.toolTip() and not button.icon().isNull()
    assert button.geometry().left() > panel.why.viewport().geometry().right()
    button.click()
    assert panel.why_window.isVisible() and "rescale 3 → 6" in panel.why_window.why.toPlainText()


@pytest.mark.parametrize("width", [600, 731, 760])
def test_a_why_that_fits_has_no_sideways_scroll_bar(theme, qtbot, width):
    why = WhyView(theme)
    qtbot.addWidget(why)
    why.resize(width, 200)
    why.show()
    for decision in DECISIONS:
        why.show_decision(decision)
        QApplication.processEvents()
        assert why.horizontalScrollBar().maximum() == 0, decision


@pytest.mark.parametrize(("currency", "price"), [("USD", "$0.05"), ("CHF", "0.05 CHF"), ("", "0.05")])
def test_money_in_why_has_the_currency_of_the_plan(theme, currency, price):
    text = why_html(made(Actor.KARPENTER, Verdict.LAUNCHED, BOUGHT, "general"), theme.current, currency)
    assert f">{price}</td>" in text and f">{price}0" not in text


def test_pods_that_share_a_refusal_are_counted_in_its_row_and_named_in_its_why(panel, session):
    shared = a_decision(
        2, Actor.SCHEDULER, Verdict.UNSCHEDULABLE, "api-0001",
        details=Unschedulable(3, {"Insufficient cpu": 3}), others=("api-0002", "api-0003"),
    )  # fmt: skip
    run = a_run([shared])
    session.add(run)
    assert panel.table.text(0, DecisionColumn.OBJECT) == "api-0001 +2"
    select(panel, 0)
    assert "Refused with it: 2 more pods, api-0002, api-0003." in panel.why.toPlainText()
    by_name = DecisionsByName(run)
    assert [by_name.about(name) for name in ("api-0001", "api-0003", "api-0004")] == [[shared], [shared], []]
