"""Expander that picks one option at random."""

from collections.abc import Sequence

import numpy as np

from planner.autoscaler.expander.option import ExpansionOption, GroupLots
from planner.engine.draws import key_of
from planner.plan.model.autoscalers.expanders import ExpanderName


class Random:
    """One of the options, all equally likely; the first by name of the group where nothing is drawn."""

    name = ExpanderName.RANDOM
    prefers_high = False

    def __init__(self, lots: GroupLots | None) -> None:
        self._lots = lots

    def best_options(self, options: Sequence[ExpansionOption]) -> list[ExpansionOption]:
        """A list of one option (empty when there is none)."""
        if len(options) < 2:
            return list(options)
        if self._lots is None:
            return [min(options, key=lambda option: option.group_id)]
        keys = np.array([key_of(option.group_id) for option in options], np.uint64)
        return [options[self._lots.draws.first(self._lots.now_us, keys)]]

    def figure(self, option: ExpansionOption) -> float | None:
        """Chance has no figure."""
        return None
