"""Expander that picks one option by chance."""

from collections.abc import Sequence

import numpy as np

from planner.autoscaler.expander.option import ExpansionOption
from planner.plan.model.autoscalers.cluster_autoscaler import ExpanderName


class Random:
    """One of the options, all equally likely; the first by name of the group when there is no generator."""

    name = ExpanderName.RANDOM

    def __init__(self, generator: np.random.Generator | None) -> None:
        self._generator = generator

    def best_options(self, options: Sequence[ExpansionOption]) -> list[ExpansionOption]:
        """A list of one option (empty when there is none)."""
        # One option needs no draw: chance is used only where there is a choice.
        if len(options) < 2:
            return list(options)
        if self._generator is None:
            return [min(options, key=lambda option: option.group_id)]
        return [options[int(self._generator.integers(len(options)))]]

    def figure(self, option: ExpansionOption) -> float | None:
        """Chance has no figure."""
        return None
