"""Expander that keeps the options leaving the smallest share of CPU plus memory unused."""

import math
from collections.abc import Sequence

from planner.autoscaler.expander.option import ExpansionOption, keep_lowest
from planner.plan.model.autoscalers.expanders import ExpanderName


class LeastWaste:
    """Smallest wasted CPU share plus wasted memory share (Cluster Autoscaler 1.36.1, expander/waste)."""

    name = ExpanderName.LEAST_WASTE
    prefers_high = False

    def best_options(self, options: Sequence[ExpansionOption]) -> list[ExpansionOption]:
        """The least wasteful options; an option without template is dropped."""
        return keep_lowest(options, [self.figure(option) for option in options])

    def figure(self, option: ExpansionOption) -> float | None:
        """0.0 = new nodes full, 2.0 = both resources untouched."""
        if not option.has_template:
            return None
        cpu = _wasted_share(option.node_count * option.capacity_cpu_milli, option.requested_cpu_milli)
        memory = _wasted_share(option.node_count * option.capacity_memory_bytes, option.requested_memory_bytes)
        return cpu + memory


def _wasted_share(offered: int, requested: int) -> float:
    """Unused share of what is offered, with Go's results for a division by zero."""
    if offered == 0:
        return -math.inf if requested else math.nan
    return (offered - requested) / offered
