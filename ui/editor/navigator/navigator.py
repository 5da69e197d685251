"""The tree on the left: what the plan consists of."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QIcon, QPainter
from PySide6.QtWidgets import QAbstractItemView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QTreeView, QWidget

from ui.editor.navigator.navigator_model import NOTE_ROLE, NavigatorModel
from ui.editor.navigator.sections import Section
from ui.process.guard import guarded
from ui.theme.theme import ThemeSource

_GAP = 8
_INDENT_PX = 14
_SIGN = 14
_MOST_ROWS_OPEN = 12
"""Longer lists stay closed until they are opened."""


class Navigator(QTreeView):
    """Chooses the section and row that table and form show."""

    chosen = Signal(object, object)
    """A section, and the number of its row or None."""

    def __init__(self, model: NavigatorModel, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self.setObjectName("planNavigator")
        self.setModel(model)
        self.setHeaderHidden(True)
        self.setUniformRowHeights(True)
        self.setIndentation(_INDENT_PX)
        self.setMouseTracking(True)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self.setAccessibleName(self.tr("Parts of the plan"))
        self.setItemDelegate(_EntryDelegate(theme, self))
        self.selectionModel().currentChanged.connect(self._emit_chosen)
        model.looks_changed.connect(self.viewport().update)
        model.modelReset.connect(self.open_short_lists)
        self.open_short_lists()

    def open_short_lists(self) -> None:
        """Show all groups, and the rows of the lists that are short; a load profile is a workload again and stays
        closed."""
        for group in range(self._model.rowCount()):
            self.expand(self._model.index(group, 0))
        for section in self._model.sections:
            index = self._model.index_of(section, None)
            self.setExpanded(index, not section.facet and 0 < self._model.rowCount(index) <= _MOST_ROWS_OPEN)

    def choose(self, section: Section, row: int | None) -> None:
        """Make an entry the current one; a row of a list that is closed stays behind its section."""
        top = self._model.index_of(section, None)
        index = self._model.index_of(section, row) if self.isExpanded(top) else top
        if index.isValid() and index != self.currentIndex():
            self.setCurrentIndex(index)
            self.scrollTo(top)  # with its title, as far as there is room
            self.scrollTo(index)

    def _emit_chosen(self, index: QModelIndex) -> None:
        if index.isValid() and not self._model.is_group(index):
            self.chosen.emit(*self._model.place(index))


class _EntryDelegate(QStyledItemDelegate):
    """Name, a muted note behind it, and a sign at the right end."""

    def __init__(self, theme: ThemeSource, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme

    @guarded
    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        self.initStyleOption(option, index)
        # A copy: what the option gives out changes with it.
        icon, name, note = QIcon(option.icon), option.text, str(index.data(NOTE_ROLE) or "")
        option.icon, option.text = QIcon(), ""
        style = option.widget.style()
        style.drawControl(QStyle.ControlElement.CE_ItemViewItem, option, painter, option.widget)
        area = option.rect.adjusted(4, 0, -6, 0)
        if not icon.isNull():
            top = area.center().y() - _SIGN // 2
            icon.paint(painter, QRect(area.right() - _SIGN, top, _SIGN, _SIGN))
            area.setRight(area.right() - _SIGN - 4)
        is_group, is_row = not index.parent().isValid(), index.parent().parent().isValid()
        font = QFont(option.font)
        font.setWeight(QFont.Weight.DemiBold if is_group else QFont.Weight.Normal)
        self._draw(painter, area, font, name, QColor(self._theme.current.muted if is_row else self._theme.current.text))
        used = QFontMetrics(font).horizontalAdvance(name) + _GAP
        self._draw(painter, area.adjusted(used, 0, 0, 0), option.font, note, QColor(self._theme.current.muted))

    def _draw(self, painter: QPainter, area: QRect, font: QFont, text: str, color: QColor) -> None:
        if not text or area.width() < _GAP:
            return
        painter.save()
        painter.setFont(font)
        painter.setPen(color)
        shown = QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideRight, area.width())
        painter.drawText(area, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), shown)
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(80, option.fontMetrics.height() + 6)
