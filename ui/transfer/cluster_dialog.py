"""Which running cluster to read, with every call of kubectl shown before any of them is made."""

from typing import NamedTuple

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from planner.errors import ImportProblem
from planner.kube.live.calls import ClusterCall, cluster_calls
from planner.kube.live.contexts import Contexts, known_contexts
from planner.kube.live.kubectl import PROGRAM
from ui.process.latest_work import LatestWork


class ClusterChoice(NamedTuple):
    """A context of kubectl, and the namespaces to read; none means all."""

    context: str = ""
    namespaces: tuple[str, ...] = ()

    @property
    def calls(self) -> list[ClusterCall]:
        """What will be called; every call only reads."""
        return cluster_calls(self.context, self.namespaces)


class ClusterDialog(QDialog):
    """Blocks nothing."""

    chosen = Signal(object)
    """A `ClusterChoice`."""

    def __init__(self, last: ClusterChoice, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Import from a cluster"))
        self.resize(760, 460)
        self.context, self.namespaces = QComboBox(), QLineEdit(" ".join(last.namespaces))
        self.context.setEditable(True)
        self.context.setEditText(last.context)
        self.context.setToolTip(self.tr("A context of your kubectl; empty means its current one"))
        self.namespaces.setPlaceholderText(self.tr("all namespaces"))
        self.namespaces.setToolTip(self.tr("Read only these namespaces, with spaces between; empty means all"))
        self.note, self.calls = QLabel(), QPlainTextEdit()
        self._compose()
        self.context.editTextChanged.connect(self._show_calls)
        self.namespaces.textChanged.connect(self._show_calls)
        self._show_calls()
        self._contexts = LatestWork("contexts", self)
        self._contexts.start(_contexts, self._show_contexts)

    def _compose(self) -> None:
        form = QFormLayout()
        for caption, field in ((self.tr("&Context"), self.context), (self.tr("&Namespaces"), self.namespaces)):
            form.addRow(caption, field)
            for part in (field, *field.findChildren(QLineEdit)):  # the text of a choice that can be typed, too
                part.setAccessibleName(caption.replace("&", ""))
        self.note.setWordWrap(True)
        self.note.setText(self.tr("These calls are made. All of them only read; Secrets are never read."))
        self.calls.setReadOnly(True)
        self.calls.setAccessibleName(self.tr("Calls of kubectl"))
        self.calls.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.calls.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.read = buttons.addButton(self.tr("&Read the cluster"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.read.setProperty("primary", True)
        self.read.setDefault(True)
        self.read.clicked.connect(self._choose)
        buttons.rejected.connect(self.close)
        down = QVBoxLayout(self)
        down.addLayout(form)
        down.addWidget(self.note)
        down.addWidget(self.calls, 1)
        down.addWidget(buttons)

    @property
    def choice(self) -> ClusterChoice:
        """What is typed."""
        names = self.namespaces.text().replace(",", " ").split()
        return ClusterChoice(self.context.currentText().strip(), tuple(dict.fromkeys(names)))

    def _show_calls(self) -> None:
        self.calls.setPlainText("\n".join(call.text(PROGRAM) for call in self.choice.calls))

    def _show_contexts(self, found: Contexts | ImportProblem) -> None:
        if isinstance(found, ImportProblem):
            self.note.setText(str(found))
            self.read.setEnabled(False)
            return
        typed = self.context.currentText()
        self.context.addItems(found.names)
        self.context.setEditText(typed or found.current)

    def _choose(self) -> None:
        self.chosen.emit(self.choice)
        self.close()


def _contexts() -> Contexts | ImportProblem:
    """Called in a thread: uses no Qt."""
    try:
        return known_contexts()
    except ImportProblem as problem:
        return problem
