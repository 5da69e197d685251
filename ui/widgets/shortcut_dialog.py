"""All keys of the window, read from its menus."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QGridLayout, QLabel, QMenu, QMenuBar, QVBoxLayout, QWidget

_COLUMNS = 2


class ShortcutDialog(QDialog):
    """One block per menu."""

    def __init__(self, bar: QMenuBar, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Keyboard shortcuts"))
        blocks = QGridLayout()
        blocks.setHorizontalSpacing(40)
        blocks.setVerticalSpacing(16)
        shown = [(menu.title().replace("&", ""), keys_of(menu)) for menu in bar.findChildren(QMenu) if menu.title()]
        shown += self._keys_of_parts()
        for place, (title, keys) in enumerate((title, keys) for title, keys in shown if keys):
            blocks.addLayout(_block(title, keys), place // _COLUMNS, place % _COLUMNS, Qt.AlignmentFlag.AlignTop)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.close)
        down = QVBoxLayout(self)
        down.setContentsMargins(22, 18, 22, 14)
        down.addLayout(blocks)
        down.addWidget(buttons)

    def _keys_of_parts(self) -> list[tuple[str, list[tuple[str, str]]]]:
        """Keys that act where the focus is."""
        return [
            (
                self.tr("In a plot"),
                [
                    (self.tr("Zoom in, zoom out"), "+  −"),
                    (self.tr("Earlier, later"), "←  →"),
                    (self.tr("The whole run"), "0"),
                    (self.tr("Leave the cursor"), _key(Qt.Key.Key_Home)),
                ],
            ),
            (
                self.tr("On the map"),
                [
                    (self.tr("From node to node"), "←  →  ↑  ↓"),
                    (self.tr("From pod to pod"), f"{_key(Qt.Key.Key_Shift)}+↑  ↓"),
                    (self.tr("Larger, smaller"), "+  −"),
                    (self.tr("Play and pause"), _key(Qt.Key.Key_Space)),
                ],
            ),
            (
                self.tr("In the plan"),
                [
                    (self.tr("Edit the cell"), "F2"),
                    (self.tr("What the key figure means"), _key(Qt.Key.Key_Return)),
                ],
            ),
        ]


def _key(key: Qt.Key) -> str:
    return QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText)


def keys_of(menu: QMenu) -> list[tuple[str, str]]:
    """Names and keys of the menu's own actions."""
    found = []
    for action in menu.actions():
        keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        if keys:
            found.append((action.text().replace("&", "").rstrip("…"), keys))
    return found


def _block(title: str, keys: list[tuple[str, str]]) -> QGridLayout:
    block = QGridLayout()
    block.setHorizontalSpacing(24)
    head = QLabel(title)
    head.setProperty("heading", True)
    block.addWidget(head, 0, 0)
    for row, (name, key) in enumerate(keys, 1):
        block.addWidget(QLabel(name), row, 0)
        label = QLabel(key)
        label.setProperty("muted", True)
        block.addWidget(label, row, 1)
    return block
