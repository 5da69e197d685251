"""What matters for a pod template, judging by templates alone."""

from dataclasses import dataclass

from planner.plan.model.scheduler import PluginName
from planner.scheduler.interface import FilterPlugin, ScorePlugin

# Plain text as keys of the points: dictionaries of it are smaller and faster than those of members of an enum.
FIT, BALANCE = PluginName.NODE_RESOURCES_FIT.value, PluginName.NODE_RESOURCES_BALANCED_ALLOCATION.value
RESOURCE_SCORES = (FIT, BALANCE)


@dataclass(frozen=True, slots=True)
class TemplatePlan:
    """What matters for one template, judging by templates alone."""

    version: int
    """Of what templates say about others, when this was made."""
    filters: tuple[FilterPlugin, ...]
    """Those that may refuse, in order, as far as that is known."""
    with_pods: tuple[FilterPlugin, ...]
    """Those of them that look at pods."""
    score_order: tuple[str, ...]
    """Plugins that may give points."""
    scores: tuple[tuple[ScorePlugin, str, int], ...]
    """Without those that `ResourceShape.points` holds; with their names and weights."""
    names_nodes: bool
    """Required terms on node names may narrow the search."""
    is_node_local: bool
    """Pods matter on their own node only."""
