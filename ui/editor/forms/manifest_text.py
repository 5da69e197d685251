"""The manifest of the object in the form, as text to read and copy."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontDatabase, QGuiApplication, QHideEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPlainTextEdit, QPushButton, QToolButton, QVBoxLayout, QWidget

from ui.document.plan_document import PlanDocument

EXPRESSIBLE = frozenset(
    (
        "node_groups", "priority_classes", "runtime_classes", "namespaces", "services", "workloads",
        "pod_disruption_budgets", "horizontal_pod_autoscalers", "vertical_pod_autoscalers", "scaled_objects",
        "scaled_jobs",
    )
)  # fmt: skip
"""Lists whose rows manifests can express."""


class ManifestText(QWidget):
    """YAML in place of the form while its switch is on."""

    def __init__(self, document: PlanDocument, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._place: tuple[str, int] | None = None
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.text.setAccessibleName(self.tr("Manifest"))
        self.switch = QToolButton()
        self.switch.setText(self.tr("YAML"))
        self.switch.setObjectName("manifestSwitch")
        self.switch.setCheckable(True)
        self.switch.setAutoRaise(True)
        self.switch.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.switch.setToolTip(self.tr("Show the Kubernetes manifest of this object instead of the form"))
        self.switch.toggled.connect(self.setVisible)
        self.copy = QPushButton(self.tr("&Copy"))
        self.copy.setToolTip(self.tr("Copy the manifest, for kubectl apply -f -"))
        self.copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.text.toPlainText()))
        hint = QLabel(self.tr("What manifests cannot express, such as load and prices, is left out."))
        hint.setWordWrap(True)
        hint.setProperty("muted", True)
        foot = QHBoxLayout()
        foot.addWidget(hint, 1)
        foot.addWidget(self.copy)
        down = QVBoxLayout(self)
        down.setContentsMargins(6, 6, 6, 6)
        down.addWidget(self.text, 1)
        down.addLayout(foot)
        self.hide()
        document.changed.connect(self._write)

    def show_row(self, field: str, row: int | None) -> None:
        """Another object; the switch goes where manifests have no such kind."""
        self._place = (field, row) if row is not None and field in EXPRESSIBLE else None
        self.switch.setVisible(self._place is not None)
        if self._place is None:
            self.switch.setChecked(False)
        self._write()

    def _write(self) -> None:
        if not self.isVisible() or self._place is None:
            return
        from planner.kube.exporter import manifest_text  # late: few look at it, and it knows every kind of manifest

        field, row = self._place
        is_there = row < len(getattr(self._document.plan, field))
        text = manifest_text(self._document.plan, field, row) if is_there else ""
        if text != self.text.toPlainText():
            self.text.setPlainText(text)

    def showEvent(self, event: QShowEvent) -> None:
        self._write()

    def hideEvent(self, event: QHideEvent) -> None:
        self.text.clear()
