"""Expander that keeps the options with the fewest new nodes."""

from collections.abc import Sequence

from planner.autoscaler.expander.option import ExpansionOption, keep_lowest
from planner.plan.model.autoscalers.expanders import ExpanderName


class LeastNodes:
    """Fewest nodes; options that add none are ignored (Cluster Autoscaler 1.36.1, expander/leastnodes)."""

    name = ExpanderName.LEAST_NODES
    prefers_high = False

    def best_options(self, options: Sequence[ExpansionOption]) -> list[ExpansionOption]:
        """The options with the fewest nodes."""
        return keep_lowest(options, [self.figure(option) for option in options])

    def figure(self, option: ExpansionOption) -> float | None:
        """Number of nodes; None when the option adds none."""
        return float(option.node_count) if option.node_count else None
