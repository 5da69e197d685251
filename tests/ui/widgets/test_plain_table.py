"""Tables of texts: nothing of a name is lost for lack of room."""

import pytest

from ui.widgets.plain_table import Cell, Column, PlainTable, PlainTableView, Tone

_LONG = "p95 latency, the worst five minutes"


@pytest.fixture
def view(theme, qtbot):
    columns = (Column("Figure", stretches=True), Column("This run", is_number=True), Column("Baseline", is_number=True))
    view = PlainTableView(PlainTable(columns, theme), "Figures")
    qtbot.addWidget(view)
    view.resize(420, 300)
    view.show()
    return view


def rows(value):
    head = (Cell("Service of the whole run and all of its workloads", tone=Tone.HEADING), Cell(), Cell())
    return [head, (Cell(_LONG), Cell(value), Cell(value))]


def test_a_column_of_names_stays_readable_beside_wide_numbers(view, qtbot):
    view.table.show_rows(rows("≥ 10 s (time-out) " * 2))
    head = view.horizontalHeader()
    qtbot.waitUntil(lambda: head.sectionSize(1) > 150)
    assert head.sectionSize(0) >= view.viewport().width() // 2
    view.table.show_rows([*rows("1"), (Cell("x"), Cell("1"), Cell("1"))])
    qtbot.waitUntil(lambda: head.length() == view.viewport().width())


def test_the_head_of_a_part_goes_across_all_columns(view):
    view.table.show_rows(rows("1"))
    assert [view.columnSpan(row, 0) for row in (0, 1)] == [3, 1]
    view.table.show_rows(rows("1")[1:])
    assert view.columnSpan(0, 0) == 1
