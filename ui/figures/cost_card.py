"""The card of the cost: rate, total, and what that is of the budget."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QCoreApplication

from ui.figures.card import CardReadings, FigureCard, change_so_far, whole_percent
from ui.figures.readings import Readings
from ui.wording.figures import NOTHING, money_text

translate = QCoreApplication.translate


def cost_card(view: CardReadings) -> FigureCard:
    """What the nodes cost."""
    rate, total = view.now.cost_rate(), view.run.cost
    money = partial(money_text, currency=view.run.currency)
    rate_text = translate("KeyFigures", "{money} /h").format(money=money(rate)) if rate is not None else NOTHING
    change = change_so_far(view, lambda run: run.cost, money)
    help_text = _cost_help(view, money)
    formula = translate(
        "KeyFigures",
        "Rate: sum of the prices per hour of all nodes that are billed now. Total: the rate added up over time, with "
        "the minimum and the rounding of each pool's billing.",
    )
    if view.is_summary:
        note = translate("KeyFigures", "{rate} at end").format(rate=rate_text) if rate is not None else ""
        title = translate("KeyFigures", "Cost, total")
        return FigureCard(title, money(total), _budget_note(view.run) or note, change, help_text, formula)
    note = translate("KeyFigures", "{money} in total").format(money=money(total)) if total is not None else ""
    return FigureCard(
        translate("KeyFigures", "Cost at cursor") if view.has_cursor else translate("KeyFigures", "Cost"),
        rate_text,
        _budget_note(view.run) or note,
        change,
        help_text,
        formula,
    )


def _budget_note(run: Readings) -> str:
    """The share of the budget that a month like this takes; empty without a budget."""
    used = run.budget_used()
    if used is None:
        return ""
    text = translate("KeyFigures", "{share} of budget")
    if used > 1.0:
        text = translate("KeyFigures", "⚠ {share} of budget")
    return text.format(share=whole_percent(used))


def _cost_help(view: CardReadings, money: Callable[[float | None], str]) -> str:
    text = translate(
        "KeyFigures", "List price of all nodes from request to removal; the difference refers to the total."
    )
    per_month, total = view.run.cost_per_month(), view.run.cost
    if per_month is not None:
        month = translate("KeyFigures", "{total} so far; at this rate a month costs {money}.")
        text = f"{text}\n{month.format(total=money(total), money=money(per_month))}"
    return text
