"""What an import read and what it left out, before it becomes part of the plan."""

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QLabel,
    QPushButton,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from planner.plan.edits.differences import ABSENT, NONE, Difference, differences
from planner.plan.model.plan import Plan
from ui.editor.values.where import words_at
from ui.theme.theme import ThemeSource
from ui.transfer.manifest_reading import with_paste
from ui.transfer.merging import LISTS, MergedPlan, merged, missing
from ui.transfer.pools_to_complete import PoolsToComplete
from ui.widgets.plain_table import Cell, Column, PlainTable, PlainTableView, Tone
from ui.wording.figures import NOTHING
from ui.wording.numbers import counted

if TYPE_CHECKING:
    from planner.api import Imported

_MOST_CHANGES = 1_000
_CHANGES = 2
"""The tab of what would change."""


class ImportTarget(Enum):
    """What to do with the imported plan."""

    NEW = "new"
    """It becomes the plan."""
    MERGE = "merge"
    """Its rows are added to the open plan, or bring them up to date."""


@dataclass(frozen=True)
class ImportChoice:
    """The user's decision."""

    place: ImportTarget
    plan: Plan


class ImportReview(QDialog):
    """Counts, pools to complete, and what was skipped, left out or should be known."""

    chosen = Signal(object)
    """A `ImportChoice`."""

    def __init__(self, imported: "Imported", current: Plan | None, theme: ThemeSource, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Import"))
        self.resize(820, 560)
        self._imported, self._current = imported, current
        self.summary, self.difference = QLabel(self._counts()), QLabel()
        self.notes = PlainTable(_note_columns(self), theme, self)
        self.notes.show_rows(self._note_rows())
        self.pools = PoolsToComplete(imported.plan, theme, self)
        self.pools.changed.connect(self._show_difference)
        self.tabs = QTabWidget()
        self.tabs.addTab(self.pools, self.tr("Node pools to complete ({0})").format(len(imported.plan.node_groups)))
        self.tabs.addTab(
            PlainTableView(self.notes, self.tr("Left out, skipped, and to know"), wraps=True),
            self.tr("Left out, skipped, and to know ({0})").format(len(self.notes.rows)),
        )
        self.changes = PlainTable(_change_columns(self), theme, self)
        self.tabs.addTab(PlainTableView(self.changes, self.tr("Changes of the open plan")), "")
        self.tabs.setCurrentIndex(_CHANGES if current is not None else 0 if self.plan.node_groups else 1)
        self._compose()
        self._show_difference()

    def _compose(self) -> None:
        for label in (self.summary, self.difference):
            label.setWordWrap(True)
        self.summary.setProperty("heading", True)
        self.difference.setProperty("muted", True)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        role = QDialogButtonBox.ButtonRole.AcceptRole
        self.merge_button = QPushButton(self.tr("&Add to the open plan"))
        self.merge_button.setToolTip(self.tr("Objects of the same name are brought up to date; can be undone"))
        self.new_button = QPushButton(self.tr("Make it the &plan"))
        self.new_button.setToolTip(self.tr("The import replaces what is open; can be undone"))
        for button, place in ((self.merge_button, ImportTarget.MERGE), (self.new_button, ImportTarget.NEW)):
            buttons.addButton(button, role)
            button.clicked.connect(lambda _on=False, place=place: self._choose(place))
        buttons.rejected.connect(self.close)
        down = QVBoxLayout(self)
        for part in (self.summary, self.difference):
            down.addWidget(part)
        down.addWidget(self.tabs, 1)
        down.addWidget(buttons)
        self._choose_default()

    def _choose_default(self) -> None:
        """What Enter does; a button that is in no dialog yet cannot become its default."""
        both = self.merge_button, self.new_button
        usual, other = both if self._belongs_to_the_plan() else reversed(both)
        other.setAutoDefault(False)
        usual.setProperty("primary", True)
        usual.setDefault(True)

    @property
    def plan(self) -> Plan:
        """The imported plan, its pools completed."""
        return self.pools.plan

    def _choose(self, place: ImportTarget) -> None:
        if self.pools.go_to_problem():
            self.tabs.setCurrentWidget(self.pools)
            return
        choice = ImportChoice(place, self.plan)
        self.close()  # first: it follows the open plan, which the choice changes
        self.chosen.emit(choice)

    # -- what was read ----------------------------------------------------------------------------

    def _counts(self) -> str:
        plan = self._imported.plan
        nodes, pods = sum(one.initial_size for one in plan.node_groups), sum(one.replicas for one in plan.workloads)
        of_pods = {
            "pods": counted(pods, self.tr("1 pod"), self.tr("{count} pods")),
            "workloads": counted(len(plan.workloads), self.tr("1 workload"), self.tr("{count} workloads")),
        }
        if plan.node_groups:
            text = self.tr("Read: {nodes} in {pools}, {pods} of {workloads}")
            of_pods["nodes"] = counted(nodes, self.tr("1 node"), self.tr("{count} nodes"))
            of_pods["pools"] = counted(len(plan.node_groups), self.tr("1 node pool"), self.tr("{count} node pools"))
        else:
            text = self.tr("Read: {pods} of {workloads}, no nodes")
        words = [text.format(**of_pods)]
        names = {
            "horizontal_pod_autoscalers": (self.tr("1 autoscaler (HPA)"), self.tr("{count} autoscalers (HPA)")),
            "vertical_pod_autoscalers": (self.tr("1 autoscaler (VPA)"), self.tr("{count} autoscalers (VPA)")),
            "scaled_objects": (self.tr("1 ScaledObject"), self.tr("{count} ScaledObjects")),
            "scaled_jobs": (self.tr("1 ScaledJob"), self.tr("{count} ScaledJobs")),
            "pod_disruption_budgets": (self.tr("1 disruption budget"), self.tr("{count} disruption budgets")),
            "priority_classes": (self.tr("1 priority class"), self.tr("{count} priority classes")),
            "services": (self.tr("1 service"), self.tr("{count} services")),
            "namespaces": (self.tr("1 namespace"), self.tr("{count} namespaces")),
        }
        words += [counted(len(rows), *texts) for field, texts in names.items() if (rows := getattr(plan, field))]
        return ", ".join(words) + "."

    def _belongs_to_the_plan(self) -> bool:
        """Whether it is the same cluster, later on, or objects alone, which could not run as a plan of their own."""
        beside = self._merged()
        has_nodes = self.plan.node_groups or self.plan.karpenter.node_pools
        return beside is not None and bool(beside.changed or beside.equal or not has_nodes)

    def _merged(self) -> MergedPlan | None:
        return merged(self._current, self.plan) if self._current is not None else None

    def show_current(self, current: Plan | None) -> None:
        """The open plan is another now; None for no plan, or an empty one."""
        self._current = current
        self._show_difference()

    def _show_difference(self) -> None:
        found = self._merged()
        self.merge_button.setVisible(found is not None)
        self.tabs.setTabVisible(_CHANGES, found is not None)
        self.difference.setVisible(found is not None)
        if found is not None:
            text = self.tr("Objects beside those of the open plan: {added} new, {changed} changed, {equal} the same.")
            self.difference.setText(text.format(added=found.added, changed=found.changed, equal=found.equal))
            self.merge_button.setEnabled(bool(found.added or found.changed))
            self._show_changes(found.plan)

    def _show_changes(self, after: Plan) -> None:
        """What adding the import would change, and what the import does not have."""
        assert self._current is not None
        found = differences(self._current, after)
        rows = [self._change_row(one, after) for one in found[:_MOST_CHANGES]]
        if len(found) > _MOST_CHANGES:
            rows.append((Cell(self.tr("and {count} more").format(count=len(found) - _MOST_CHANGES)), Cell(), Cell()))
        gone, stays = self.tr("not in the import"), self.tr("stays in the plan")
        rows += [
            (Cell(words_at(path, self._current)), Cell(stays, tone=Tone.MUTED), Cell(gone, tone=Tone.MUTED))
            for path in missing(self._current, self.plan)
        ]
        self.changes.show_rows(rows)
        self.tabs.setTabText(_CHANGES, self.tr("Changes of the open plan ({0})").format(len(found)))

    def _change_row(self, one: Difference, after: Plan) -> tuple[Cell, Cell, Cell]:
        assert self._current is not None
        if one.before == ABSENT:
            return Cell(words_at(one.path, after)), Cell(), Cell(self.tr("new"))
        if one.after == ABSENT:
            return Cell(words_at(one.path, self._current)), Cell(), Cell(self.tr("removed"))
        before, later = (NOTHING if text == NONE else text for text in (one.before, one.after))
        return Cell(words_at(one.path, after)), Cell(before), Cell(later)

    def _note_rows(self) -> list[tuple[Cell, ...]]:
        losses = self._imported.losses
        skipped, left = self.tr("skipped"), self.tr("left out")
        rows: list[tuple[Cell, ...]] = [
            (Cell(skipped, tone=Tone.BAD), Cell(with_paste(one.where)), Cell(f"{one.problem} {one.remedy}"))
            for one in losses.skipped
        ]
        for loss in losses:
            times = f" ×{loss.count:,}" if loss.count > 1 else ""
            rows.append((Cell(left), Cell(f"{loss.kind} {loss.path}{times}"), Cell(loss.reason)))
        rows += [(Cell(self.tr("taken from"), tone=Tone.MUTED), Cell(), Cell(text)) for text in losses.taken]
        rows += [(Cell(self.tr("to know"), tone=Tone.MUTED), Cell(), Cell(text)) for text in losses.remarks]
        return rows


def rows_of(plan: Plan) -> int:
    """Objects that an import can bring."""
    return sum(len(getattr(plan, field)) for field in LISTS)


def _change_columns(parent: QWidget) -> list[Column]:
    return [Column(parent.tr("Value"), stretches=True), Column(parent.tr("In the plan")), Column(parent.tr("Imported"))]


def _note_columns(parent: QWidget) -> list[Column]:
    return [
        Column(parent.tr("What")),
        Column(parent.tr("Where")),
        Column(parent.tr("Why, and what to do"), stretches=True),
    ]
