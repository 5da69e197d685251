"""In place of a table without rows: what that means for the plan, and a button that begins the first row."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from planner.language.translation import marked, tr
from planner.plan.model.plan import Plan
from ui.editor.navigator.sections import Section

_NEEDED = {
    "node_groups": "There are no node pools, so no pod can run.",
    "workloads": "There are no workloads, so nothing happens.",
}
"""Sections without which a plan does nothing, and what the hints say of them."""
_BY_KARPENTER = marked("None yet; the nodes are those of the pools of Karpenter.")


class EmptyRows(QWidget):
    """One sentence and one button."""

    add_wanted = Signal()
    rows_wanted = Signal(str)
    """Go to the field of the plan whose rows have to be there first."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._section: Section | None = None
        self.text, self.cure = QLabel(), QPushButton()
        self.text.setWordWrap(True)
        self.text.setProperty("muted", True)
        self.cure.clicked.connect(self._begin)
        down, across = QVBoxLayout(self), QHBoxLayout()
        down.setContentsMargins(2, 4, 2, 4)
        across.addWidget(self.cure)
        across.addStretch(1)
        down.addWidget(self.text)
        down.addLayout(across)
        down.addStretch(1)
        down.setAlignment(Qt.AlignmentFlag.AlignTop)

    def show_section(self, section: Section, plan: Plan) -> None:
        """Say it of this section of a plan."""
        self._section = section
        if section.facet:
            self.text.setText(self.tr("This belongs to rows that are not there yet."))
            self.cure.setText(self.tr("Begin with them"))
            return
        nothing = _NEEDED.get(section.key)
        if section.key == "node_groups" and plan.karpenter.node_pools:
            nothing = _BY_KARPENTER
        self.text.setText(
            (tr(nothing) if nothing else self.tr("None yet; a plan runs without."))
            + "\n"
            + self.tr("Rows can also be pasted from a spreadsheet, and Kubernetes manifests as they are.")
        )
        self.cure.setText(self.tr("Add: {noun}").format(noun=section.shown_noun))

    def _begin(self) -> None:
        if self._section is not None and self._section.facet:
            self.rows_wanted.emit(self._section.fields[0])
        else:
            self.add_wanted.emit()
