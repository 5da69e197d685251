"""Every cell of every table, with the mouse and the keys of a user: what is typed goes where the click was."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem

from ui.editor.navigator.sections import sections
from ui.editor.values.inputs import ChoiceInput, LineInput
from ui.editor.values.shapes import ShapeKind
from ui.editor.values.text import text_of

LISTS = [section.key for section in sections() if section.is_list]
FEW = 3


@pytest.fixture
def rows(editor, document, qtbot):
    """Shows a section with three rows, of which the first is the current one."""

    def show(key):
        section = next(one for one in editor.tree.sections if one.key == key)
        if section.facet:
            plain = next(one for one in editor.tree.sections if one.fields == section.fields and not one.facet)
            editor._show(plain, None)
        else:
            editor._show(section, None)
        while len(section.rows(document.plan)) < FEW:
            editor.actions_of_rows.add.trigger()
        if section.facet:
            editor._show(section, 0)
            editor.table.selectAll()
            editor.actions_of_rows.add.trigger()
        qtbot.waitUntil(lambda: editor.table.isVisible() and editor.table.viewport().height() > 0)
        return section

    editor.resize(1400, 1600)  # every cell in sight
    return show


def leaves(value, path=()):
    """Every single value by its path."""
    if isinstance(value, dict):
        return {p: v for key, part in value.items() for p, v in leaves(part, (*path, key)).items()} or {path: value}
    if isinstance(value, list | tuple):
        return {p: v for key, part in enumerate(value) for p, v in leaves(part, (*path, key)).items()} or {path: value}
    return {path: value}


def click(editor, row, column):
    """A click into the middle of a cell, on the box if it has one."""
    table, index = editor.table, editor.rows.index(row, column)
    table.scrollTo(index)
    place = table.visualRect(index).center()
    if index.data(Qt.ItemDataRole.CheckStateRole) is not None:
        option = QStyleOptionViewItem()
        table.initViewItemOption(option)
        option.rect = table.visualRect(index)
        table.itemDelegate().initStyleOption(option, index)
        box = table.style().subElementRect(QStyle.SubElement.SE_ItemViewItemCheckIndicator, option, table)
        place = box.center()
    QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, QPoint(place))
    QGuiApplication.processEvents()


def new_text(column, value):
    """Another value of a cell, as a user would type it."""
    shape = column.shape
    match shape.kind:
        case ShapeKind.WHOLE | ShapeKind.NUMBER:
            return "7" if value != 7 else "8"
        case ShapeKind.AMOUNT:
            return text_of(shape, (value or 0) * 2 or 60_000_000)
        case ShapeKind.PORTION:
            return "2"
    return "another"


@pytest.mark.parametrize("key", LISTS)
def test_a_click_on_any_cell_and_typing_changes_that_cell_and_no_other(rows, editor, document, key):
    section = rows(key)
    for column, shown in enumerate(editor.rows.columns):
        row = 1 + column % (FEW - 1)
        editor.table.choose([0])
        editor.table.setFocus()
        index = editor.rows.index(row, column)
        if not editor.rows.flags(index) & (Qt.ItemFlag.ItemIsEditable | Qt.ItemFlag.ItemIsUserCheckable):
            click(editor, row, column)
            assert (editor.table.currentIndex().row(), editor.table.currentIndex().column()) == (row, column)
            continue
        before, plan = leaves(document.plan.model_dump()), document.plan
        click(editor, row, column)
        assert (editor.table.currentIndex().row(), editor.table.currentIndex().column()) == (row, column), shown.title
        assert editor.row == row and editor.form.path == (section.fields[0], row)
        enter(editor, shown, index)
        path = (section.fields[0], row, *shown.path)
        drafts = list(document.drafts)
        after = leaves(document.plan.model_dump())
        changed = {place for place in before.keys() | after.keys() if before.get(place, "-") != after.get(place, "-")}
        assert changed == {path} or (not changed and drafts == [path]), (shown.title, changed, drafts)
        document.undo_stack.undo()
        assert document.plan is plan and not document.drafts


def enter(editor, column, index):
    """Type into the current cell, or choose in it; a click has changed a switch already."""
    table, kind = editor.table, column.shape.kind
    if kind is ShapeKind.SWITCH and index.data(Qt.ItemDataRole.CheckStateRole) is not None:
        return
    text = new_text(column, column.value(editor.rows._rows[index.row()]))
    if kind is ShapeKind.CHOICE:
        QTest.keyClick(table.viewport(), Qt.Key.Key_F2)
        box = table.viewport().findChild(ChoiceInput)
        other = next(i for i in range(box.count()) if i != box.currentIndex() and box.itemData(i))
        box.setCurrentIndex(other)
        box.activated.emit(other)
    else:
        QTest.keyClicks(table.viewport(), text[0])
        line = table.viewport().findChild(LineInput)
        assert line is not None, column.title
        QTest.keyClicks(line, text[1:])
        QTest.keyClick(line, Qt.Key.Key_Return)
    QGuiApplication.processEvents()


def test_a_click_elsewhere_takes_what_was_typed_and_the_next_keys_go_to_the_clicked_cell(rows, editor, document):
    rows("node_groups")
    paths, added = [column.path for column in editor.rows.columns], document.plan.node_groups[1].name
    least, most = paths.index(("min_size",)), paths.index(("max_size",))
    click(editor, 1, least)
    QTest.keyClicks(editor.table.viewport(), "2")
    click(editor, 2, most)
    QTest.keyClicks(editor.table.viewport(), "9")
    (line,) = (one for one in editor.table.viewport().findChildren(LineInput) if one.isVisible())
    QTest.keyClick(line, Qt.Key.Key_Return)
    QGuiApplication.processEvents()
    pools = document.plan.node_groups
    assert [(pool.name, pool.min_size, pool.max_size) for pool in pools[1:]] == [(added, 2, 10), ("spot", 0, 9)]
