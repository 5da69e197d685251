"""The chosen variant: its name, its changes as a table, and what can be done with it."""

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QPersistentModelIndex, QStringListModel, Qt, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCompleter,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QPushButton,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from planner.plan.model.plan import Plan
from ui.document.plan_document import PlanDocument
from ui.experiments.plan_steps import variant_named
from ui.experiments.variants.change_table import PATH, VALUE, ChangeTable
from ui.experiments.variants.path_completion import known_paths
from ui.theme.theme import ThemeSource

Index = QModelIndex | QPersistentModelIndex
_MOST_SHOWN = 14


class VariantEditor(QFrame):
    """One variant. What it is to be used for is signalled."""

    use_wanted = Signal(str)
    """Make the variant's changes in the plan itself."""
    duplicate_wanted = Signal(str)
    delete_wanted = Signal(str)

    def __init__(self, document: PlanDocument, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self.setProperty("card", True)
        self.model = ChangeTable(document, theme)
        self.title, self.refusal, self.table = QLabel(), QLabel(), QTableView()
        self.use = QPushButton(self.tr("&Use in the plan"))
        self.duplicate = QPushButton(self.tr("&Duplicate"))
        self.delete = QPushButton(self.tr("De&lete"))
        self.table.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self._compose()
        self.model.refused.connect(self._show_refusal)
        self.use.clicked.connect(lambda: self.use_wanted.emit(self.model.variant))
        self.duplicate.clicked.connect(lambda: self.duplicate_wanted.emit(self.model.variant))
        self.delete.clicked.connect(lambda: self.delete_wanted.emit(self.model.variant))

    def _compose(self) -> None:
        font = self.title.font()
        font.setPointSizeF(font.pointSizeF() + 4)
        font.setBold(True)
        self.title.setFont(font)
        self.use.setToolTip(self.tr("Make these changes in the plan itself; undo takes them back"))
        self.refusal.setWordWrap(True)
        self.refusal.setProperty("invalid", True)
        for label in (self.title, self.refusal):
            label.setTextFormat(Qt.TextFormat.PlainText)
        about = QLabel(
            self.tr("Each row sets one value of the plan. Type a part of a path to find it; null takes an item away.")
        )
        about.setProperty("muted", True)
        about.setWordWrap(True)
        self._compose_table()
        head = QHBoxLayout()
        head.addWidget(self.title, 1)
        for button in (self.use, self.duplicate, self.delete):
            head.addWidget(button)
        down = QVBoxLayout(self)
        down.setContentsMargins(14, 12, 14, 12)
        down.setSpacing(8)
        down.addLayout(head)
        for widget in (about, self.table, self.refusal):
            down.addWidget(widget, 1 if widget is self.table else 0)

    def _compose_table(self) -> None:
        table, head = self.table, self.table.horizontalHeader()
        table.setModel(self.model)
        table.setAccessibleName(self.tr("Changes of the variant"))
        table.setItemDelegateForColumn(PATH, _PathDelegate(self._document, table))
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setTabKeyNavigation(False)
        table.setWordWrap(False)
        table.setShowGrid(False)
        table.setAlternatingRowColors(True)
        table.verticalHeader().setVisible(False)
        head.setSectionResizeMode(PATH, QHeaderView.ResizeMode.Stretch)
        head.setSectionResizeMode(VALUE, QHeaderView.ResizeMode.Stretch)
        head.setHighlightSections(False)
        remove = QAction(self.tr("&Remove the change"), table)
        remove.setShortcut(QKeySequence(Qt.Key.Key_Delete))
        remove.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        remove.triggered.connect(self._remove)
        table.addAction(remove)
        table.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)

    def show_variant(self, name: str) -> bool:
        """Show this variant; False if it is gone."""
        variant = variant_named(self._document.plan, name)
        if variant is None:
            return False
        self.title.setText(name)
        self.model.show_variant(variant)
        return True

    def begin_change(self, path: str = "", value: str = "") -> None:
        """Begin to type a change; with a path, its value."""
        row = self.model.add(path, value) if path else len(self.model.rows) - 1
        place = self.model.index(row, VALUE if path else PATH)
        self.table.setCurrentIndex(place)
        self.table.edit(place)

    def _remove(self) -> None:
        rows = [index.row() for index in self.table.selectionModel().selectedRows()]
        self.model.remove(rows or [self.table.currentIndex().row()])

    def _show_refusal(self, text: str) -> None:
        self.refusal.setText(self.tr("Not in the plan yet. {why}").format(why=text) if text else "")
        self.refusal.setVisible(bool(text))


class _PathDelegate(QStyledItemDelegate):
    """Completes paths of the plan by any part of them."""

    def __init__(self, document: PlanDocument, parent: QWidget) -> None:
        super().__init__(parent)
        self._document = document
        self._plan: Plan | None = None
        self._paths: list[str] = []

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        """A line with completion."""
        if self._plan is not self._document.plan:
            self._plan, self._paths = self._document.plan, known_paths(self._document.plan)
        editor = QLineEdit(parent)
        editor.setPlaceholderText("nodeGroups[general].maxSize")
        completer = QCompleter(editor)
        completer.setModel(QStringListModel(self._paths, completer))
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.setMaxVisibleItems(_MOST_SHOWN)
        editor.setCompleter(completer)
        return editor

    def setModelData(self, editor: QWidget, model: QAbstractItemModel, index: Index) -> None:
        """What was typed or chosen."""
        assert isinstance(editor, QLineEdit)
        model.setData(index, editor.text())
