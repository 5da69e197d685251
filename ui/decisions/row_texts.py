"""The columns of the decisions and their texts."""

from enum import IntEnum

from PySide6.QtCore import QCoreApplication

from planner.record.decisions import Decision
from ui.wording.explained import component_of, headline_of, why_of
from ui.wording.numbers import clock_text


class DecisionColumn(IntEnum):
    """From left to right."""

    TIME = 0
    COMPONENT = 1
    OBJECT = 2
    DECISION = 3
    WHY = 4


def column_titles() -> tuple[str, ...]:
    """The titles, in the order of DecisionColumn."""
    translate = QCoreApplication.translate
    return (
        translate("DecisionTable", "Time"),
        translate("DecisionTable", "Component"),
        translate("DecisionTable", "Object"),
        translate("DecisionTable", "Decision"),
        translate("DecisionTable", "Why"),
    )


def row_texts(decision: Decision, currency: str) -> tuple[str, ...]:
    """The texts of a row, in the order of DecisionColumn; prices are in this currency."""
    return (
        clock_text(decision.time_us / 1e6),
        component_of(decision),
        f"{decision.subject} +{len(decision.others)}" if decision.others else decision.subject,
        headline_of(decision),
        why_of(decision, currency),
    )
