"""All cards of the editor. A card is imported when it is first shown: some of them need pyqtgraph."""

from planner.plan.model.autoscalers.metric_series import ProfileValue
from planner.plan.model.demand import Demand
from planner.plan.model.karpenter.node_pools import PoolDisruption
from planner.plan.model.traffic import Traffic
from planner.plan.model.use import UseOverTime
from ui.editor.forms.card import Card, CardMakers, StackedCards
from ui.editor.forms.editor_base import FormLink


def _autoscaler(link: FormLink) -> Card:
    from ui.editor.cards.quick_autoscale import QuickAutoscale
    from ui.editor.previews.reaction_plot import ReactionPlot

    return StackedCards(QuickAutoscale(link), ReactionPlot(link.theme))


def _reserve(link: FormLink) -> Card:
    from ui.editor.cards.reserve_card import ReserveCard

    return ReserveCard(link)


def _pool(link: FormLink) -> Card:
    from ui.editor.cards.machine_card import MachineCard

    return MachineCard(link)


def _karpenter(link: FormLink) -> Card:
    from ui.editor.cards.karpenter_card import KarpenterCard

    return KarpenterCard(link)


def _budgets(link: FormLink) -> Card:
    from ui.editor.cards.budget_card import BudgetCard

    return BudgetCard(link)


def _load(link: FormLink) -> Card:
    from ui.editor.previews.load_preview import LoadPreview

    return LoadPreview(link)


def _requests(link: FormLink) -> Card:
    from ui.editor.cards.runtime_card import RuntimeCard
    from ui.editor.previews.latency_plot import LatencyPlot

    return StackedCards(RuntimeCard(link), LatencyPlot(link.theme))


def _use(link: FormLink) -> Card:
    from ui.editor.previews.load_preview import UsePreview

    return UsePreview(link)


def _metric(link: FormLink) -> Card:
    from ui.editor.previews.load_preview import MetricPreview

    return MetricPreview(link)


CARDS = CardMakers(
    by_section={
        "node_groups": _pool,
        "horizontal_pod_autoscalers": _autoscaler,
        "overprovisioning": _reserve,
        "karpenter": _karpenter,
    },
    by_model={
        Traffic: _load,
        Demand: _requests,
        UseOverTime: _use,
        ProfileValue: _metric,
        PoolDisruption: _budgets,
    },
)
