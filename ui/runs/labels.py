"""Names of runs: their number and what was changed before them."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QCoreApplication

from planner.api import Plan
from planner.plan.edits.differences import Difference, differences
from ui.runs.run_data import RunData
from ui.wording.names import short_name

translate = QCoreApplication.translate

_MAX_TEXT = 60


ChangeWords = Callable[[Difference, Plan, Plan], str]
"""Says what differs between the plan before and the plan after."""


def as_in_the_file(change: Difference, _before: Plan, _after: Plan) -> str:
    """For example "general maxSize 40 -> 60"."""
    return str(change)


def run_label(earlier: Sequence[RunData], plan: Plan, seed: int, number: int, words: ChangeWords) -> str:
    """For example "run 3 · general · Maximum size 40 -> 60"."""
    return translate("RunLabel", "run {number} · {what}").format(number=number, what=_what(earlier, plan, seed, words))


def _what(earlier: Sequence[RunData], plan: Plan, seed: int, words: ChangeWords) -> str:
    if not earlier:
        return short_name(plan.name)
    before = earlier[-1]
    changes = [
        words(change, before.plan, plan)
        for change in differences(before.plan, plan)
        if change.path != ("simulation", "seed")
    ]
    if seed != before.seed:
        changes.append(translate("RunLabel", "seed {seed}").format(seed=seed))
    if not changes:
        return translate("RunLabel", "no changes")
    if plan.name != before.plan.name:
        return short_name(plan.name)
    text = changes[0] if len(changes[0]) <= _MAX_TEXT else changes[0][: _MAX_TEXT - 1] + "…"
    if len(changes) == 1:
        return text
    return translate("RunLabel", "{first} and {count} more").format(first=text, count=len(changes) - 1)
