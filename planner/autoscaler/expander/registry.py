"""All expanders by name; the only module that imports every one of them."""

from collections.abc import Callable

from planner.autoscaler.expander.least_nodes import LeastNodes
from planner.autoscaler.expander.least_waste import LeastWaste
from planner.autoscaler.expander.most_pods import MostPods
from planner.autoscaler.expander.option import Expander, ExpanderContext
from planner.autoscaler.expander.price import Price
from planner.autoscaler.expander.priority import Priority
from planner.autoscaler.expander.random import Random
from planner.plan.model.autoscalers.expanders import ExpanderName

EXPANDERS: dict[ExpanderName, Callable[[ExpanderContext], Expander]] = {
    ExpanderName.LEAST_WASTE: lambda context: LeastWaste(),
    ExpanderName.MOST_PODS: lambda context: MostPods(),
    ExpanderName.LEAST_NODES: lambda context: LeastNodes(),
    ExpanderName.PRIORITY: lambda context: Priority(context.priority_tiers),
    ExpanderName.PRICE: lambda context: Price(context.cluster_nodes, context.pod_prices),
    ExpanderName.RANDOM: lambda context: Random(context.lots),
}
