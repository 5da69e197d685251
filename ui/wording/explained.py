"""Decisions in words for views: an explanation that fails is logged and gives way to the facts as recorded."""

import logging
from collections.abc import Callable
from typing import TypeVar

from planner.language.translation import tr
from planner.record.decisions import Decision
from planner.record.text.explain import why
from planner.record.text.headline import COMPONENTS, headline
from planner.record.text.reasoning import Reasoning, reasoning
from planner.record.text.tables import Grid

_LOG = logging.getLogger("headroom")
_T = TypeVar("_T")
_logged: dict[tuple[str, str, str], None] = {}
"""Explanation, actor and verdict that have failed: each is logged once, since a table requests it repeatedly."""


def component_of(decision: Decision) -> str:
    """The name of the component that decided."""
    return tr(COMPONENTS.get(decision.actor, str(decision.actor)))


def why_of(decision: Decision, currency: str = "") -> str:
    """See planner.record.text.explain.why."""

    def why_in_currency(one: Decision) -> str:
        return why(one, currency)

    return _or_facts(why_in_currency, decision, _facts_text)


def headline_of(decision: Decision) -> str:
    """See planner.record.text.headline.headline."""
    return _or_facts(headline, decision, lambda one: f"{one.verdict} {one.target}".strip())


def reasoning_of(decision: Decision) -> Reasoning:
    """See planner.record.text.reasoning.reasoning."""
    return _or_facts(reasoning, decision, _facts_grid)


def _or_facts(explain: Callable[[Decision], _T], decision: Decision, otherwise: Callable[[Decision], _T]) -> _T:
    try:
        return explain(decision)
    except Exception:  # an error in one explanation must not hide all the others
        place = (explain.__name__, str(decision.actor), str(decision.verdict))
        if place not in _logged:
            _logged[place] = None
            _LOG.exception("no %s for %s %s: %r", *place, decision)
        return otherwise(decision)


def _facts(decision: Decision) -> list[tuple[str, str]]:
    """All that was recorded, word for word."""
    return (
        [] if decision.details is None else [(name, str(value)) for name, value in decision.details._asdict().items()]
    )


def _facts_text(decision: Decision) -> str:
    return ", ".join(f"{key} {value}" for key, value in _facts(decision))


def _facts_grid(decision: Decision) -> Reasoning:
    grid = Grid("Facts", ("Name", "Value"), tuple(_facts(decision)))
    return Reasoning(f"{decision.subject}: {headline_of(decision)}", (grid,))
