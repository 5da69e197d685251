"""What is wrong with the plan and what is worth a second look; a click goes to the field."""

from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QMouseEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from ui.editor.problems.icons import severity_icon, severity_pixmap, sign
from ui.editor.problems.marks import Mark, Marks, Severity
from ui.process.guard import guarded
from ui.theme.theme import ThemeSource

_MOST_SHOWN = 500
_SIGN, _GAP = 14, 7
_LIST_HEIGHT = 170
_FEW = 6
MARK_ROLE = Qt.ItemDataRole.UserRole + 1


class ProblemsModel(QAbstractListModel):
    """The marks, worst first; of very many the first few hundred."""

    def __init__(self, marks: Marks, theme: ThemeSource, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._marks, self._theme = marks, theme
        self._shown: tuple[Mark, ...] = ()
        marks.changed.connect(self._follow)
        theme.changed.connect(self._follow)
        self._follow()

    def _follow(self) -> None:
        shown = self._marks.found[:_MOST_SHOWN]
        if shown != self._shown:
            self.beginResetModel()
            self._shown = shown
            self.endResetModel()

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._shown)

    @guarded
    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or index.row() >= len(self._shown):
            return None
        mark = self._shown[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return self.tr("{where}: {what}").format(where=mark.words, what=mark.sentence)
        if role == Qt.ItemDataRole.DecorationRole:
            return severity_icon(mark.severity, self._theme.current)
        if role == Qt.ItemDataRole.ToolTipRole:
            return mark.written
        return mark if role == MARK_ROLE else None


class ProblemsPanel(QWidget):
    """One line with the state of the plan; it expands to the list."""

    chosen = Signal(object)
    """The path of a place."""

    def __init__(self, marks: Marks, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._marks, self._theme = marks, theme
        self.model = ProblemsModel(marks, theme, self)
        self._sign, self.summary = QLabel(), QLabel()
        self.button = QToolButton()
        self.button.setCheckable(True)
        self.button.setAutoRaise(True)
        self.button.setAccessibleName(self.tr("Show problems and hints"))
        self.button.setToolTip(self.tr("Show problems and hints"))
        self.button.toggled.connect(self._open)
        self.list = QListView()
        self.list.setModel(self.model)
        self.list.setItemDelegate(_MarkDelegate(theme, self.list))
        self.list.setAccessibleName(self.tr("Problems and hints"))
        self.list.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.list.setResizeMode(QListView.ResizeMode.Adjust)
        self.list.clicked.connect(self._choose)
        self.list.activated.connect(self._choose)
        self._arrange()
        marks.changed.connect(self._update_header)
        theme.changed.connect(self._update_header)
        self._open(False)
        self._update_header()

    def _arrange(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(2, 0, 0, 0)
        head.setSpacing(_GAP)
        head.addWidget(self._sign)
        head.addWidget(self.summary, 1)
        head.addWidget(self.button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addLayout(head)
        column.addWidget(self.list)

    def _open(self, is_open: bool) -> None:
        self.list.setVisible(is_open)
        self._fit()
        self._paint_button()

    def _fit(self) -> None:
        """As high as the first few entries need."""
        shown = range(min(self.model.rowCount(), _FEW))
        wanted = sum(self.list.sizeHintForRow(row) for row in shown) + 2 * self.list.frameWidth() + 4
        self.list.setFixedHeight(min(wanted, _LIST_HEIGHT))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _paint_button(self) -> None:
        name = "open" if self.button.isChecked() else "up_small"
        self.button.setIcon(sign(name, self._theme.current.muted))

    def open(self) -> None:
        """Show the list and go to it."""
        self.button.setChecked(self.model.rowCount() > 0)
        self.list.setFocus()

    def _update_header(self) -> None:
        found, findings = self._marks.found, self._marks.findings
        marked = sum(mark.severity is Severity.PROBLEM for mark in found)
        problems, hints = marked, len(found) - marked
        if findings is not None:
            problems, hints = problems + findings.more_problems, hints + findings.more_hints
        theme = self._theme.current
        if findings is None:
            words, hints = self.tr("Checking the plan…"), 0
        elif problems:
            many = self.tr("{0} problems").format(problems)
            words = self.tr("1 problem") if problems == 1 else many
        else:
            words = self.tr("Plan is valid")
        if hints:
            hint_text = self.tr("1 hint") if hints == 1 else self.tr("{0} hints").format(hints)
            words = self.tr("{problems} · {hints}").format(problems=words, hints=hint_text)
        worst = Severity.PROBLEM if problems else Severity.NONE
        self._sign.setPixmap(severity_pixmap(worst, theme))
        self.summary.setText(words)
        self.button.setEnabled(bool(found))
        if not found:
            self.button.setChecked(False)
        self._paint_button()
        self._fit()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if self.button.isEnabled():
            self.button.toggle()

    def _choose(self, index: QModelIndex) -> None:
        mark = index.data(MARK_ROLE)
        if mark is not None:
            self.chosen.emit(mark.path)


class _MarkDelegate(QStyledItemDelegate):
    """Sign, text over several lines, and the place below it in a muted colour."""

    def __init__(self, theme: ThemeSource, view: QListView) -> None:
        super().__init__(view)
        self._theme, self._view = theme, view

    @guarded
    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        mark: Mark = index.data(MARK_ROLE)
        theme = self._theme.current
        self.initStyleOption(option, index)
        icon, option.text = option.icon, ""
        option.features &= ~QStyleOptionViewItem.ViewItemFeature.HasDecoration
        option.widget.style().drawControl(QStyle.ControlElement.CE_ItemViewItem, option, painter, option.widget)
        area = option.rect.adjusted(_GAP, 4, -_GAP, -4)
        icon.paint(painter, QRect(area.left(), area.top() + 1, _SIGN, _SIGN))
        text = area.adjusted(_SIGN + _GAP, 0, 0, 0)
        painter.save()
        painter.setFont(option.font)
        painter.setPen(QColor(theme.text))
        painter.drawText(text, int(Qt.TextFlag.TextWordWrap), mark.sentence)
        painter.setPen(QColor(theme.muted))
        bottom = text.top() + _text_height(option.fontMetrics, text.width(), mark.sentence)
        place = QRect(text.left(), bottom, text.width(), option.fontMetrics.height())
        shown = option.fontMetrics.elidedText(mark.words, Qt.TextElideMode.ElideMiddle, text.width())
        painter.drawText(place, int(Qt.AlignmentFlag.AlignLeft), shown)
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        mark: Mark = index.data(MARK_ROLE)
        width = self._view.viewport().width() - 3 * _GAP - _SIGN
        return QSize(60, _text_height(option.fontMetrics, width, mark.sentence) + option.fontMetrics.height() + 10)


def _text_height(metrics: QFontMetrics, width: int, text: str) -> int:
    area = QRect(0, 0, max(width, 60), 10_000)
    return metrics.boundingRect(area, int(Qt.TextFlag.TextWordWrap), text).height()
