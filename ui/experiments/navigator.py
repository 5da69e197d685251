"""The left column: experiments with their state, variants, and the questions that make new experiments."""

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QLabel,
    QMenu,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from ui.document.plan_document import PlanDocument
from ui.experiments.questions import questions
from ui.experiments.report import ExperimentState, Report, is_same_question
from ui.experiments.runner import ExperimentRunner

_LEAST_PX = 230
_KIND, _NAME = Qt.ItemDataRole.UserRole, Qt.ItemDataRole.UserRole + 1
EXPERIMENT, VARIANT = "experiment", "variant"


class ExperimentsNavigator(QWidget):
    """Signals what is chosen and wanted."""

    chosen = Signal(str, str)
    """EXPERIMENT or VARIANT, and its name."""
    question_asked = Signal(str)
    """A kind of experiment."""
    renamed = Signal(str, str, str)
    """EXPERIMENT or VARIANT, its name, and the name typed."""
    delete_wanted = Signal(str, str)
    run_wanted = Signal(str)

    def __init__(self, document: PlanDocument, runner: ExperimentRunner, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document, self._runner = document, runner
        self.tree, self.new_variant = QTreeWidget(), QPushButton(self.tr("New variant"))
        self.new_menu = QMenu(self.new_variant)
        self.empty = self.new_menu.addAction(self.tr("&Type the changes"))
        self.keep = self.new_menu.addAction(self.tr("&Keep the unsaved change as a variant"))
        self.from_file = self.new_menu.addAction(self.tr("From a second plan &file…"))
        self.question_buttons: dict[str, QPushButton] = {}
        self._filling = False
        self._compose()
        self.tree.currentItemChanged.connect(self._choose)
        self.tree.itemChanged.connect(self._rename)
        self.tree.itemDoubleClicked.connect(self._run)
        runner.changed.connect(lambda _name: self.show_states())
        self.refill()

    def _compose(self) -> None:
        tree = self.tree
        self.setMinimumWidth(_LEAST_PX)
        tree.setColumnCount(2)
        tree.setHeaderHidden(True)
        tree.setAccessibleName(self.tr("Experiments and variants"))
        tree.setIndentation(14)
        tree.setEditTriggers(QAbstractItemView.EditTrigger.EditKeyPressed)
        tree.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        tree.header().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        tree.header().setStretchLastSection(False)
        delete = QAction(self.tr("&Delete"), tree)
        delete.setShortcut(QKeySequence(Qt.Key.Key_Delete))
        rename = QAction(self.tr("&Rename (F2)"), tree)
        for action, act in ((rename, self._begin_renaming), (delete, self._delete)):
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
            action.triggered.connect(act)
            tree.addAction(action)
        tree.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self.new_variant.setMenu(self.new_menu)
        heading = QLabel(self.tr("New experiment"))
        heading.setProperty("heading", True)
        down = QVBoxLayout(self)
        down.setContentsMargins(0, 0, 0, 0)
        down.setSpacing(5)
        down.addWidget(tree, 1)
        down.addWidget(self.new_variant)
        down.addWidget(heading)
        for question in questions():
            button = QPushButton(question.shown)
            button.setToolTip(question.tip)
            button.setStyleSheet("text-align: left;")
            button.clicked.connect(partial(self.question_asked.emit, question.kind))
            self.question_buttons[question.kind] = button
            down.addWidget(button)

    def refill(self) -> None:
        """The plan has other experiments or variants; what was chosen stays so."""
        kind, name = self.current()
        self._filling = True
        try:
            self.tree.clear()
            plan = self._document.plan
            parts = (
                (EXPERIMENT, self.tr("Experiments  {count}"), plan.experiments),
                (VARIANT, self.tr("Variants  {count}"), plan.variants),
            )
            for part, title, rows in parts:
                top = QTreeWidgetItem(self.tree, [title.format(count=len(rows))])
                top.setFlags(Qt.ItemFlag.ItemIsEnabled)
                font = top.font(0)
                font.setBold(True)
                top.setFont(0, font)
                for row in rows:
                    item = QTreeWidgetItem(top, [row.name])
                    item.setData(0, _KIND, part)
                    item.setData(0, _NAME, row.name)
                    item.setToolTip(0, row.name)
                    item.setFlags(item.flags() | Qt.ItemFlag.ItemIsEditable)
                top.setExpanded(True)
        finally:
            self._filling = False
        self.show_states()
        self.choose(kind, name)

    def current(self) -> tuple[str, str]:
        """What is chosen: its kind and name; empty texts for nothing."""
        item = self.tree.currentItem()
        return (str(item.data(0, _KIND) or ""), str(item.data(0, _NAME) or "")) if item is not None else ("", "")

    def choose(self, kind: str, name: str) -> bool:
        """Choose an experiment or variant; False if there is none of that name."""
        for item in self._items():
            if (item.data(0, _KIND), item.data(0, _NAME)) == (kind, name):
                self.tree.setCurrentItem(item)
                return True
        return False

    def _items(self) -> list[QTreeWidgetItem]:
        tops = (self.tree.topLevelItem(row) for row in range(self.tree.topLevelItemCount()))
        rows = (top.child(row) for top in tops if top is not None for row in range(top.childCount()))
        return [item for item in rows if item is not None]

    def show_states(self) -> None:
        """The plan or a report differs: say how far each experiment is."""
        self._filling = True
        try:
            named = {one.name: one for one in self._document.plan.experiments}
            for item in self._items():
                experiment = named.get(str(item.data(0, _NAME)))
                if item.data(0, _KIND) == EXPERIMENT and experiment is not None:
                    report = self._runner.report(experiment.name)
                    is_old = report.answer is not None and not is_same_question(report, self._document.plan, experiment)
                    item.setText(1, self.state_text(report, is_old=is_old))
        finally:
            self._filling = False

    def state_text(self, report: Report, *, is_old: bool) -> str:
        """One word about an experiment."""
        match report.state:
            case ExperimentState.RUNNING:
                pace = report.pace
                return f"{100 * pace.done // pace.total} %" if pace.total else self.tr("begins")
            case ExperimentState.WAITING:
                return self.tr("waits")
            case ExperimentState.FAILED:
                return self.tr("failed")
            case _ if is_old:
                return self.tr("plan changed")
            case ExperimentState.DONE:
                return self.tr("done")
            case ExperimentState.STOPPED:
                return self.tr("in part")
        return self.tr("not run")

    def _choose(self) -> None:
        kind, name = self.current()
        if kind and not self._filling:
            self.chosen.emit(kind, name)

    def _rename(self, item: QTreeWidgetItem, column: int) -> None:
        before, now = str(item.data(0, _NAME) or ""), item.text(0).strip()
        if self._filling or column != 0 or now == before:
            return
        self.renamed.emit(str(item.data(0, _KIND)), before, now)

    def _begin_renaming(self) -> None:
        item = self.tree.currentItem()
        if item is not None:
            self.tree.editItem(item, 0)

    def _delete(self) -> None:
        kind, name = self.current()
        if kind:
            self.delete_wanted.emit(kind, name)

    def _run(self, item: QTreeWidgetItem) -> None:
        if item.data(0, _KIND) == EXPERIMENT:
            self.run_wanted.emit(str(item.data(0, _NAME)))
