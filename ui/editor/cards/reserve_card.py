"""The size and cost of a reserve, and hints on it, above its form."""

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QVBoxLayout

from planner.plan.derived.fits import pod_cpu_milli, pod_memory_bytes
from planner.plan.derived.reserves import reserve_cost, resolved_reserve
from planner.plan.files.places import Path
from planner.plan.model.plan import Plan
from planner.plan.values.money import money_text
from planner.units import format_bytes, format_cpu
from ui.editor.forms.card import Card
from ui.editor.forms.editor_base import FormLink
from ui.editor.problems.marks import Severity


class ReserveCard(Card):
    """Pause pods, their size, their price a month; below it every hint on the reserve."""

    def __init__(self, link: FormLink) -> None:
        super().__init__()
        self._link = link
        self._path: Path = ()
        self.holds, self.cost, self.warnings = QLabel(), QLabel(), QLabel()
        for label in (self.holds, self.cost, self.warnings):
            label.setWordWrap(True)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.holds.setProperty("muted", True)
        self.cost.setProperty("heading", True)
        self.cost.setToolTip(
            self.tr(
                "730 hours on the cheapest pool that fits the pause pods, by the larger of their CPU and "
                "memory shares of a node"
            )
        )
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 8)
        layout.setSpacing(3)
        for label in (self.cost, self.holds, self.warnings):
            layout.addWidget(label)

    def present(self, path: Path, row: Any, plan: Plan) -> None:
        self._path = path
        resolved, cost = resolved_reserve(plan, row), reserve_cost(plan, row)
        cpu, memory = pod_cpu_milli(resolved.pod), pod_memory_bytes(resolved.pod)
        text = self.tr("{count} pause pods of {cpu} CPU and {memory}: {all_cpu} CPU and {all_memory} in total.")
        text = self.tr("1 pause pod of {cpu} CPU and {memory}.") if resolved.replicas == 1 else text
        self.holds.setText(text.format(
            count=resolved.replicas, cpu=format_cpu(cpu), memory=format_bytes(memory),
            all_cpu=format_cpu(cpu * resolved.replicas), all_memory=format_bytes(memory * resolved.replicas),
        ))  # fmt: skip
        if cost is None:
            self.cost.setText(self.tr("No price: none of the pools that fit the pause pods has one."))
        else:
            text = self.tr("{cost} per month on pool {pool}")
            self.cost.setText(text.format(cost=money_text(cost.per_month, plan.costs.currency), pool=cost.group))
        self.mark()

    def mark(self) -> None:
        theme, depth = self._link.theme.current, len(self._path)
        mine = [mark for mark in self._link.marks.found if self._path and mark.path[:depth] == self._path]
        self.warnings.setText("\n".join(f"• {mark.sentence}" for mark in mine))
        is_bad = any(mark.severity is Severity.PROBLEM for mark in mine)
        self.warnings.setStyleSheet(f"color: {theme.bad if is_bad else theme.warn}")
        self.warnings.setVisible(bool(mine))
