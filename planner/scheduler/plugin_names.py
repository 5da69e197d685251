"""Names of the scheduler's plugins, as Kubernetes and its messages spell them."""

from planner.plan.scheduler import PluginName

__all__ = ["PluginName"]
