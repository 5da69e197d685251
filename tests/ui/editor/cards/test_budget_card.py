"""The week of disruption budgets above their form."""

import pytest

from planner.karpenter.pools.budget_schedule import UNLIMITED
from planner.language.translation import use_language
from planner.plan.model.karpenter.node_pools import NodePool
from planner.plan.model.plan import Plan
from ui.editor.cards.budget_card import BudgetCard

CLOSED = {"nodes": 0, "schedule": "0 9 * * 1-5", "duration": "8h", "reasons": ["Underutilized"]}


@pytest.fixture
def card(editor, document):
    pool = NodePool.model_validate({"name": "general", "disruption": {"budgets": [{"nodes": "10%"}, CLOSED]}})
    karpenter = document.plan.karpenter.model_copy(update={"node_pools": (pool,)})
    document.apply(document.plan.model_copy(update={"karpenter": karpenter}), "pools")
    editor.show_place("karpenter.nodePools[0].disruption.budgets")
    editor.grab()
    return editor.findChild(BudgetCard)


def allowed(card):
    return [time.allowed for time in card.week.times]


def test_a_week_shows_what_the_budgets_allow_for_a_reason(card):
    assert allowed(card) == [2, 0] * 5 + [2]
    assert "Mon 09:00 – Mon 17:00: no disruption" in card.week.accessibleDescription()
    card.reason.setCurrentIndex(card.reason.findData("Drifted"))
    assert allowed(card) == [2]


def test_days_are_named_in_the_language_of_the_texts(card):
    use_language("ko")
    try:
        card.nodes.setValue(7)
        assert "월 09:00" in card.week.accessibleDescription()
    finally:
        use_language("en")


def test_percentages_are_of_the_number_of_nodes(card):
    card.nodes.setValue(95)
    assert allowed(card)[0] == 10


def test_an_edit_is_drawn(card, document):
    plan = document.plan
    pool = plan.karpenter.node_pools[0]
    disruption = pool.disruption.model_copy(update={"budgets": ()})
    pool = pool.model_copy(update={"disruption": disruption})
    karpenter = plan.karpenter.model_copy(update={"node_pools": (pool,)})
    document.apply(Plan.model_validate(plan.model_copy(update={"karpenter": karpenter})), "no budgets")
    assert allowed(card) == [UNLIMITED]
    assert card.week.accessibleDescription().endswith(": no limit")
