"""The model: rows, texts, filter and growth."""

import random

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QStyledItemDelegate

from planner.record.decisions import Actor, Verdict
from planner.record.details.replicas import Evaluation
from planner.record.text.explain import why
from tests.ui.decisions.conftest import a_decision, a_run, record, some_decisions
from ui.decisions.decision_index import DecisionFilter
from ui.decisions.decision_table import DecisionTable
from ui.decisions.decision_view import DecisionView
from ui.decisions.row_texts import DecisionColumn, row_texts
from ui.theme.style import wear
from ui.theme.theme import LIGHT

FATAL = QAbstractItemModelTester.FailureReportingMode.Fatal


@pytest.fixture
def table(theme):
    return DecisionTable(theme)


def shown(table):
    return [table.decision(row) for row in range(table.rowCount())]


def text(table, row, column):
    return table.index(row, column).data(Qt.ItemDataRole.DisplayRole)


def test_a_row_shows_time_component_object_decision_and_why(table):
    table.show_run(a_run(some_decisions()))
    assert [text(table, 1, column) for column in DecisionColumn] == [
        "00:00:02", "Scheduler", "api-0001", "unschedulable", "0/3 nodes are available: 3 Insufficient cpu.",
    ]  # fmt: skip
    assert [text(table, row, DecisionColumn.DECISION) for row in range(6)] == [
        "bound to pool-0001", "unschedulable", "scale-up 3 → 5", "kept at 3", "rescale 3 → 6", "unremovable",
    ]  # fmt: skip


def test_the_model_stays_consistent_while_it_grows_and_filters(table, qtbot):
    tester = QAbstractItemModelTester(table, FATAL)
    run, rng = a_run(), random.Random(3)
    table.show_run(run)
    for second in range(40):
        fresh = [a_decision(second, subject=rng.choice(("web", "api"))) for _ in range(rng.randrange(9))]
        repeats = [(row, run.decisions[row]) for row in range(min(2, len(run.decisions)))]
        record(run, fresh, repeats)
        if second % 9 == 4:
            table.choose(DecisionFilter(text=rng.choice(("web", "", "api kept"))))
        if second % 10 == 9:
            qtbot.wait(20)
    table.choose(DecisionFilter())
    assert shown(table) == list(run.decisions)
    table.show_run(None)
    assert table.rowCount() == 0
    del tester


def test_an_invalid_index_has_no_text(table):
    table.show_run(a_run(some_decisions()))
    assert table.data(QModelIndex()) is None and table.rowCount(table.index(0, 0)) == 0


@pytest.mark.parametrize(("wanted", "rows"), [
    pytest.param(DecisionFilter(), [0, 1, 2, 3, 4, 5], id="nothing held back"),
    pytest.param(DecisionFilter(actors=(Actor.HPA,)), [3, 4], id="one component"),
    pytest.param(DecisionFilter(verdicts=(Verdict.SCALED, Verdict.BOUND)), [0, 4], id="two verdicts"),
    pytest.param(DecisionFilter(objects=("web",)), [0, 3, 4], id="a workload and its pods"),
    pytest.param(DecisionFilter(objects=("pool",)), [2, 5], id="a pool and its nodes"),
    pytest.param(DecisionFilter(text="INSUFFICIENT"), [1], id="a word, whatever its case"),
    pytest.param(DecisionFilter(text="pool unremovable"), [5], id="two words, both needed"),
    pytest.param(DecisionFilter(text="00:00:02"), [1, 2], id="a time"),
    pytest.param(DecisionFilter(text="hpa 3", verdicts=(Verdict.SCALED,)), [4], id="words and a verdict"),
    pytest.param(DecisionFilter(text="nowhere"), [], id="a word that does not occur"),
    pytest.param(DecisionFilter(objects=("unknown",)), [], id="an object that does not occur"),
])  # fmt: skip
def test_rows_match_the_filter(table, qtbot, wanted, rows):
    run = a_run(some_decisions())
    table.show_run(run)
    table.choose(wanted)
    qtbot.waitUntil(lambda: not table.is_searching)
    qtbot.wait(1)
    assert shown(table) == [run.decisions[row] for row in rows]


def has_all(decision, words):
    text = " ".join(row_texts(decision, "")).lower()
    return all(word in text for word in words)


def test_a_search_finds_the_same_rows_as_a_full_scan(table, qtbot):
    rng = random.Random(5)
    decisions = [
        a_decision(second // 3, subject=f"{rng.choice(('web', 'api'))}-{rng.randrange(900):04d}",
                   details=Evaluation("web", rng.randrange(50), rng.randrange(50)))
        for second in range(3_000)
    ]  # fmt: skip
    table.show_run(a_run(decisions))
    for words in ("web", "web 7", "at 13", "api-0012", "00:03 4"):
        table.choose(DecisionFilter(text=words))
        qtbot.waitUntil(lambda: not table.is_searching, timeout=10_000)
        expected = [decision for decision in decisions if has_all(decision, words.split())]
        assert shown(table) == expected


def test_a_search_continues_in_rows_that_arrive_later(table, qtbot):
    run = a_run(some_decisions())
    table.show_run(run)
    table.choose(DecisionFilter(text="api"))
    for second in range(50, 60):
        record(run, [a_decision(second, subject="api"), a_decision(second, subject="web")])
    qtbot.waitUntil(lambda: table.rowCount() == 11)
    assert {decision.subject for decision in shown(table)} == {"api-0001", "api"}


def test_a_repeat_changes_the_row_in_place(table, qtbot):

    run = a_run(some_decisions())
    table.show_run(run)
    before = text(table, 1, DecisionColumn.WHY)
    repeated = run.decisions[1]._replace(repeats=3)
    with qtbot.waitSignal(table.dataChanged):
        record(run, [], [(1, repeated)])
    assert table.rowCount() == 6
    assert text(table, 1, DecisionColumn.WHY) == why(repeated) != before
    assert table.row_of(run.decisions[1]) == 1
    assert table.row_of(some_decisions()[1]) == 1  # also for who still holds the earlier one


def test_rows_are_found_by_time_and_decision(table):
    run = a_run(some_decisions())
    table.show_run(run)
    assert [table.row_before(second * 1_000_000) for second in (0, 1, 2, 14, 15, 99)] == [None, 0, 2, 2, 3, 5]
    assert [table.row_of(decision) for decision in run.decisions] == [0, 1, 2, 3, 4, 5]
    table.choose(DecisionFilter(actors=(Actor.HPA,)))
    assert [table.row_of(decision) for decision in run.decisions] == [None, None, None, 0, 1, None]


def test_the_cursor_highlights_the_rows_of_its_instant(table):
    table.show_run(a_run(some_decisions()))
    table.mark(5.0)
    marked = [row for row in range(6) if table.index(row, 0).data(Qt.ItemDataRole.BackgroundRole) is not None]
    assert marked == [1, 2]
    table.mark(None)
    assert not [row for row in range(6) if table.index(row, 0).data(Qt.ItemDataRole.BackgroundRole) is not None]


def test_only_rows_whose_highlight_changes_are_drawn_again(table):
    table.show_run(a_run(some_decisions()))
    table.mark(5.0)
    changed = []
    table.dataChanged.connect(lambda first, last: changed.append((first.row(), last.row())))
    for time_s in (5.1, 9.0, 14.9):
        table.mark(time_s)
    assert not changed
    table.mark(15.0)
    assert changed == [(1, 2), (3, 3)]


def test_the_first_row_that_changed_something_is_found_among_those_shown(table):
    table.choose(DecisionFilter(actors=(Actor.HPA,)))
    assert table.first_important() is None
    table.show_run(a_run(some_decisions()))
    assert table.decision(table.first_important()).verdict is Verdict.SCALED
    table.choose(DecisionFilter(verdicts=(Verdict.KEPT,)))
    assert table.first_important() is None


def test_cells_look_as_the_style_would_draw_them(qtbot, qapp, table):
    wear(qapp, LIGHT)
    table.show_run(a_run(some_decisions()))
    table.mark(5.0)
    view = DecisionView(table)
    qtbot.addWidget(view)
    view.resize(520, 240)
    view.show()
    drawn_here = view.grab().toImage()
    view.setItemDelegate(QStyledItemDelegate(view))
    drawn_by_style = view.grab().toImage()
    assert drawn_here == drawn_by_style
