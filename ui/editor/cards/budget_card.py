"""What the disruption budgets of a pool of Karpenter come to, above their form."""

from datetime import UTC, datetime, timedelta
from typing import Any

from PySide6.QtWidgets import QComboBox, QLabel, QSizePolicy, QVBoxLayout

from planner.karpenter.pools.budget_calendar import allowed_times
from planner.karpenter.pools.budget_schedule import DisruptionBudget
from planner.plan.files.places import Path
from planner.plan.model.karpenter.node_pools import DisruptionReason
from planner.plan.model.plan import Plan
from ui.editor.cards.budget_week import BudgetWeek
from ui.editor.forms.card import Card
from ui.editor.forms.editor_base import FormLink
from ui.widgets.spin_boxes import WholeBox

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_USUAL_NODES, _MOST_NODES = 20, 15_000


class BudgetCard(Card):
    """The week in which the run begins, for one reason and a number of nodes."""

    def __init__(self, link: FormLink) -> None:
        super().__init__()
        self._budgets: tuple[DisruptionBudget, ...] = ()
        self._monday = _EPOCH
        self._path: Path = ()
        self.reason, self.nodes, self.week = QComboBox(), WholeBox(), BudgetWeek(link.theme)
        self.reason.setAccessibleName(self.tr("Reason"))
        for box in (self.reason, self.nodes):
            box.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        for reason, name in (
            (DisruptionReason.UNDERUTILIZED, self.tr("Underutilized nodes")),
            (DisruptionReason.EMPTY, self.tr("Empty nodes")),
            (DisruptionReason.DRIFTED, self.tr("Drifted nodes")),
        ):
            self.reason.addItem(name, reason.value)
        self.nodes.setRange(1, _MOST_NODES)
        self.nodes.setPrefix(self.tr("Nodes in the pool: "))
        self.nodes.setAccessibleName(self.tr("Nodes of the pool"))
        caption = QLabel(self.tr("Nodes that may be disrupted at once, by the hour (UTC)."))
        caption.setWordWrap(True)
        caption.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        caption.setProperty("muted", True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 6)
        for part in (caption, self.reason, self.nodes, self.week):
            column.addWidget(part)
        self.reason.currentIndexChanged.connect(self._draw)
        self.nodes.valueChanged.connect(self._draw)

    def present(self, path: Path, value: Any, plan: Plan) -> None:
        begins = _EPOCH + timedelta(microseconds=plan.simulation.starts_at)
        midnight = begins.replace(hour=0, minute=0, second=0, microsecond=0)
        self._monday = midnight - timedelta(days=midnight.weekday())
        self._budgets = tuple(map(DisruptionBudget.of, value.budgets))
        if path != self._path:
            self._path = path
            self.nodes.setValue(_nodes_at_start(path, plan) or _USUAL_NODES)
        self._draw()

    def _draw(self) -> None:
        reason = self.reason.currentData()
        self.week.show_times(self._monday, allowed_times(self._budgets, self.nodes.value(), reason, self._monday))


def _nodes_at_start(path: Path, plan: Plan) -> int:
    """Of the pool that a place of the plan belongs to."""
    row = next((step for step in path if isinstance(step, int)), 0)
    return sum(some.count for pool in plan.karpenter.node_pools[row : row + 1] for some in pool.initial_nodes)
