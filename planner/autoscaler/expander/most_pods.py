"""Expander that keeps the options that help the most pods."""

from collections.abc import Sequence

from planner.autoscaler.expander.option import ExpansionOption, keep_lowest
from planner.plan.model.autoscalers.expanders import ExpanderName


class MostPods:
    """Most pods (Cluster Autoscaler 1.36.1, expander/mostpods)."""

    name = ExpanderName.MOST_PODS
    prefers_high = True

    def best_options(self, options: Sequence[ExpansionOption]) -> list[ExpansionOption]:
        """The options with the most pods."""
        return keep_lowest(options, [-option.pod_count for option in options])

    def figure(self, option: ExpansionOption) -> float | None:
        """Number of pods."""
        return float(option.pod_count)
