"""Names of the scheduler's plugins, as Kubernetes and its messages spell them."""

from planner.plan.model.scheduler import PluginName

__all__ = ["PluginName"]
