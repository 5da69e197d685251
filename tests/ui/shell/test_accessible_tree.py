"""What a screen reader finds in the window: every part that takes the focus has a name."""

import pytest
from PySide6.QtGui import QAccessible

from tests.ui.shell.conftest import FLASH_SALE

_SAYS_ITS_CONTENT = {QAccessible.Role.Cell, QAccessible.Role.ListItem, QAccessible.Role.TreeItem}
_INSIDE_A_NAMED_ONE = {QAccessible.Role.Client, QAccessible.Role.LayeredPane}
"""What scrolls within a plot, a table or a form, whose name says what it is."""


@pytest.fixture
def opened(window, qtbot):
    window.files.open_sample(FLASH_SALE)
    window.workspace.editor.show_place("workloads[1].demand.workers")
    qtbot.wait(50)
    return window


def tree(part, depth=0):
    """Role, name and state of a part and of what is inside, as a screen reader goes through them."""
    state = part.state()
    if state.invisible or depth > 40:
        return
    yield depth, part.role(), part.text(QAccessible.Text.Name), bool(state.focusable)
    for number in range(part.childCount()):
        child = part.child(number)
        if child is not None and child.isValid():
            yield from tree(child, depth + 1)


def dumped(widget):
    """The tree as text, for a look at it in a failure."""
    rows = list(tree(QAccessible.queryAccessibleInterface(widget)))
    return "\n".join(
        f"{'  ' * depth}{role.name} {name!r}{' *' if focusable else ''}" for depth, role, name, focusable in rows
    )


@pytest.mark.parametrize("number", range(4))
def test_every_part_of_a_workspace_that_takes_the_focus_has_a_name(opened, number, qtbot):
    opened.switch.actions_[number].trigger()
    rows = list(tree(QAccessible.queryAccessibleInterface(opened)))
    assert len(rows) > 50
    nameless = [
        (role.name, depth) for depth, role, name, focusable in rows
        if focusable and not name.strip() and role not in _SAYS_ITS_CONTENT | _INSIDE_A_NAMED_ONE
    ]  # fmt: skip
    assert nameless == [], dumped(opened)


def test_the_tree_leads_from_the_window_to_a_field_with_what_it_means(opened):
    opened.switch.actions_[1].trigger()
    text = dumped(opened)
    for name in ("'Run'", "'Key figures'", "'Workers'"):
        assert name in text, text
