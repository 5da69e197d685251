"""Karpenter's pools at the time of the cursor: nodes and limits, claims, and what disrupts or keeps their nodes."""

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QWidget

from planner.reports.node_pools import HEADER, KIND
from ui.autoscalers.kind_table import KindTable
from ui.theme.theme import ThemeSource
from ui.widgets.plain_table import Column

translate = QCoreApplication.translate  # by this name the translators' tools find the texts
_NUMBERS = frozenset({"NODES", "READY", "WEIGHT", "CPU", "MEMORY"})


def node_pool_table(theme: ThemeSource, parent: QWidget) -> KindTable:
    """The table of the pools, empty."""
    helps = {
        "NODES": translate("NodePoolTable", "Nodes and machines on their way, and the limit of the pool."),
        "READY": translate("NodePoolTable", "Nodes that are Ready and stay."),
        "WEIGHT": translate("NodePoolTable", "Pools with a larger weight are tried first."),
        "CPU": translate("NodePoolTable", "CPU capacity of the nodes, and the limit of the pool."),
        "MEMORY": translate("NodePoolTable", "Memory capacity of the nodes, and the limit of the pool."),
        "CLAIMS": translate("NodePoolTable", "NodeClaims that are not Initialized, by the condition that came last."),
        "DISRUPTED": translate("NodePoolTable", "Nodes that are on their way out, by reason."),
        "KEPT": translate("NodePoolTable", "Nodes that are not disrupted, by what stood in the way last."),
    }
    columns = [Column(name, helps.get(name, ""), is_number=name in _NUMBERS) for name in HEADER]
    return KindTable(KIND, columns, theme, parent)
