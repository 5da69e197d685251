"""What differs between two plans, in the words of the screen."""

from PySide6.QtCore import QCoreApplication

from planner.plan.edits.differences import Difference
from planner.plan.model.plan import Plan
from ui.editor.values.where import DOT, words_at

_NONE = "none"
"""How a difference writes a value that is not set."""


def change_words(one: Difference, before: Plan, after: Plan) -> str:
    """For example "general · Maximum size 40 → 60"; what came or went with its list: "+ Workloads · web"."""
    where = words_at(one.path, after if one.after else before)
    if not one.before:
        return f"+ {where}"
    if not one.after:
        return f"- {where}"
    is_of_a_row = len(one.path) > 2 and isinstance(one.path[1], int)
    place = where.partition(DOT)[2] if is_of_a_row else where
    return f"{place} {_value(one.before)} → {_value(one.after)}"


def _value(text: str) -> str:
    return QCoreApplication.translate("Changes", "none") if text == _NONE else text
