"""One possible scale-up (an option), and the interface of expanders, which choose among options."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from planner.engine.draws import PurposeDraws
from planner.plan.model.autoscalers.cluster_autoscaler import ClusterAutoscalerSettings
from planner.plan.model.autoscalers.expanders import ExpanderName, PriorityTier


@dataclass(frozen=True, slots=True)
class ExpansionOption:
    """So many new nodes of one node group for so many pending pods.

    Requests are the effective requests of all pods of the option together, capacity is that of one
    new node (capacity, not allocatable), prices are per hour.
    """

    group: int
    """Row of the node group."""
    group_id: str
    node_count: int
    pod_count: int
    requested_cpu_milli: int
    requested_memory_bytes: int
    capacity_cpu_milli: int
    capacity_memory_bytes: int
    node_price: float | None = None
    """Price of one node; None when unknown."""
    pods_price: float = 0.0
    """Price of all pods of the option, from `price.pod_price`."""
    has_gpu: bool = False
    exists: bool = True
    """False for a group that would have to be created first."""
    has_template: bool = True
    """False when no description of a new node is known: filters that need one drop the option."""


@dataclass(frozen=True, slots=True)
class PodPrices:
    """What requested resources are worth per hour."""

    core: float = 0.033
    gib: float = 0.0044


@dataclass(frozen=True, slots=True)
class GroupLots:
    """Random choice among node groups at one instant: a group's draw does not depend on which others may grow."""

    draws: PurposeDraws
    now_us: int


@dataclass(frozen=True, slots=True)
class ExpanderContext:
    """What the expanders know besides the options: one value per decision."""

    cluster_nodes: int = 0
    priority_tiers: tuple[PriorityTier, ...] = ()
    pod_prices: PodPrices = PodPrices()
    lots: GroupLots | None = None
    """Break ties; without them the first group by name wins."""


def expander_context(
    settings: ClusterAutoscalerSettings, cluster_nodes: int, lots: GroupLots | None
) -> ExpanderContext:
    """The context of one decision in a cluster of so many nodes."""
    return ExpanderContext(
        cluster_nodes=cluster_nodes,
        priority_tiers=settings.priority_expander,
        pod_prices=PodPrices(settings.pod_core_price_per_hour, settings.pod_gib_price_per_hour),
        lots=lots,
    )


class Expander(Protocol):
    """A filter over scale-up options. It keeps all that tie, so that filters can be chained."""

    name: ExpanderName
    prefers_high: bool
    """Whether a larger figure is the better one."""

    def best_options(self, options: Sequence[ExpansionOption]) -> list[ExpansionOption]:
        """The options this filter keeps, in the order given."""
        ...

    def figure(self, option: ExpansionOption) -> float | None:
        """The number the option was judged by, for the explanation; None when it has none."""
        ...


def keep_lowest(options: Sequence[ExpansionOption], figures: Sequence[float | None]) -> list[ExpansionOption]:
    """Options with the lowest figure, all exact ties; options without a figure are dropped.

    Walks in order, so that a figure that is not a number stays when it comes first, as in Kubernetes.
    """
    kept: list[ExpansionOption] = []
    lowest = 0.0
    for option, figure in zip(options, figures, strict=True):
        if figure is None:
            continue
        if not kept or figure < lowest:
            kept, lowest = [option], figure
        elif figure == lowest:
            kept.append(option)
    return kept
