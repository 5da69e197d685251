"""The tab "Headroom": how much more load the plan can take, and the loads tried."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QSizePolicy,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from planner.plan.edits.differences import differences
from ui.document.plan_document import PlanDocument
from ui.editor.values.changes import change_words
from ui.headroom import words
from ui.headroom.factor_scale import FactorScale
from ui.headroom.search import HeadroomSearch, SearchState
from ui.theme.theme import ThemeSource
from ui.widgets.plain_table import PlainTable, PlainTableView

_STEPS = 1000
_MOST_CHANGES = 3


class HeadroomPanel(QWidget):
    """Reads the search; says when the plan has changed since."""

    find_wanted = Signal()

    def __init__(
        self, search: HeadroomSearch, document: PlanDocument, theme: ThemeSource, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._search, self._document, self._theme = search, document, theme
        self.headline, self.sentence, self.outdated = QLabel(), QLabel(), QLabel()
        self.begin, self.cancel, self.copy = QPushButton(), QPushButton(self.tr("Cancel")), QPushButton(self.tr("Copy"))
        self.progress, self.scale = QProgressBar(), FactorScale(theme)
        self.runs = PlainTable(words.run_columns(), theme, self)
        self.room = PlainTable(words.room_columns(), theme, self)
        self.room_title = QLabel()
        self._tables = QWidget()
        self._compose()
        self._connect()
        self._paint()
        self._show()

    def _compose(self) -> None:
        font = self.headline.font()
        font.setPointSizeF(font.pointSizeF() + 6)
        font.setBold(True)
        self.headline.setFont(font)
        for label in (self.headline, self.sentence, self.outdated):
            label.setWordWrap(True)
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        self.begin.setProperty("primary", True)
        self.cancel.setToolTip(self.tr("Cancel and keep what has been found so far (Esc)"))
        self.copy.setToolTip(self.tr("Copy the result and all runs as text"))
        self.progress.setRange(0, _STEPS)
        self.progress.setTextVisible(False)
        self.progress.setMaximumHeight(8)
        self.progress.setAccessibleName(self.tr("Progress of the current run"))
        down = QVBoxLayout(self)
        down.setContentsMargins(14, 12, 14, 8)
        down.setSpacing(6)
        down.addLayout(self._head())
        for widget in (self.outdated, self.progress, self.scale):
            down.addWidget(widget)
        self._compose_tables()
        down.addWidget(self._tables, 1)
        down.addStretch(0)

    def _head(self) -> QHBoxLayout:
        said = QVBoxLayout()
        said.setSpacing(2)
        said.addWidget(self.headline)
        said.addWidget(self.sentence)
        head = QHBoxLayout()
        head.addLayout(said, 1)
        for button in (self.copy, self.cancel, self.begin):
            head.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
        return head

    def _compose_tables(self) -> None:
        splitter = QSplitter(Qt.Orientation.Horizontal)
        splitter.setChildrenCollapsible(False)
        tried = QLabel(self.tr("Runs"))
        parts = (
            (tried, PlainTableView(self.runs, self.tr("Runs of the search"))),
            (self.room_title, PlainTableView(self.room, self.tr("Room for pods"))),
        )
        for title, view in parts:
            title.setProperty("heading", True)
            side = QWidget()
            column = QVBoxLayout(side)
            column.setContentsMargins(0, 0, 0, 0)
            column.setSpacing(4)
            column.addWidget(title)
            column.addWidget(view, 1)
            splitter.addWidget(side)
        splitter.setStretchFactor(0, 5)
        splitter.setStretchFactor(1, 3)
        splitter.setSizes([500, 300])
        around = QVBoxLayout(self._tables)
        around.setContentsMargins(0, 0, 0, 0)
        around.addWidget(splitter)

    def _connect(self) -> None:
        self._search.changed.connect(self._show)
        self._document.changed.connect(self._show_age)
        self._theme.changed.connect(self._paint)
        self.begin.clicked.connect(self.find_wanted)
        self.cancel.clicked.connect(self._search.cancel)
        self.copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(words.report_text(self._search)))

    def _show(self) -> None:
        search = self._search
        self.headline.setText(words.headline(search))
        self.sentence.setText(words.sentence(search))
        going, idle = search.is_running, search.state is SearchState.IDLE
        self.progress.setVisible(going)
        self.progress.setValue(int(_STEPS * search.now.done))
        self.scale.setVisible(going or bool(search.tried))
        self.scale.show_runs(search.tried, search.now.factor if going else None)
        self._tables.setVisible(not idle)
        self.runs.show_rows([words.run_row(one) for one in sorted(search.tried, key=lambda run: run.factor)])
        own = search.tried[0] if search.tried else None
        self.room.show_rows(words.room_rows(own) if own is not None else [])
        self.room_title.setText(words.room_title(own))
        self.cancel.setVisible(going)
        self.begin.setVisible(not going)
        self.begin.setText(self.tr("Find headroom") if idle else self.tr("Search again"))
        self.copy.setVisible(search.found is not None)
        self._show_age()

    def _show_age(self) -> None:
        """Whether the plan is still the one that was searched."""
        searched, plan = self._search.plan, self._document.plan
        changes = differences(searched, plan) if searched is not None and searched is not plan else ()
        self.outdated.setVisible(bool(changes))
        if searched is not None and changes:
            what = "; ".join(change_words(change, searched, plan) for change in changes[:_MOST_CHANGES])
            text = self.tr("⚠ The plan has changed since: {what}")
            if len(changes) > _MOST_CHANGES:
                text = self.tr("⚠ The plan has changed since: {what}; and {count} more")
            self.outdated.setText(text.format(what=what, count=len(changes) - _MOST_CHANGES))

    def _paint(self) -> None:
        theme = self._theme.current
        self.sentence.setStyleSheet(f"color: {theme.muted}")
        self.outdated.setStyleSheet(f"color: {theme.warn}")
