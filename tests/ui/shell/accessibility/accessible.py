"""The window as a screen reader goes through it."""

from PySide6.QtGui import QAccessible

_SAYS_ITS_CONTENT = {QAccessible.Role.Cell, QAccessible.Role.ListItem, QAccessible.Role.TreeItem}
_INSIDE_A_NAMED_ONE = {QAccessible.Role.Client, QAccessible.Role.LayeredPane}
"""What scrolls within a plot, a table or a form, whose name says what it is."""


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


def nameless(widget, least):
    """Parts that take the focus and have no name; the tree has at least so many parts."""
    rows = list(tree(QAccessible.queryAccessibleInterface(widget)))
    assert len(rows) >= least
    return [
        (role.name, depth) for depth, role, name, focusable in rows
        if focusable and not name.strip() and role not in _SAYS_ITS_CONTENT | _INSIDE_A_NAMED_ONE
    ]  # fmt: skip
