"""Filters that no pod can change are prepared once, and again when a node has come, changed or gone."""

from planner.plan.model.scheduler import PluginName
from planner.scheduler.interface import FilterPlugin, PreparedFilter, SchedulerContext
from planner.state.specs import PodSpec


class LastingFilter:
    """A filter that does not look at pods, with its answers kept for templates that all nodes answer alike."""

    looks_at_pods = False

    def __init__(self, plugin: FilterPlugin, context: SchedulerContext) -> None:
        self.name: PluginName = plugin.name
        self.is_node_local = plugin.is_node_local
        self._plugin = plugin
        self._context = context
        self._present = (-1, -1)
        self._known: dict[int, PreparedFilter | None] = {}

    def may_refuse(self, spec: PodSpec) -> bool:
        """Whether it can ever refuse a node for the template."""
        return self._plugin.may_refuse(spec)

    def prepare(self, spec: PodSpec) -> PreparedFilter | None:
        """Answers for a template; None if the filter has nothing to say."""
        present = self._context.nodes_version(), self._context.cluster.nodes.count
        if present != self._present:
            self._known.clear()
            self._present = present
        rules = self._context.rules.of_nodes(spec)
        try:
            return self._known[rules]
        except KeyError:
            known = self._known[rules] = self._plugin.prepare(spec)
            return known
