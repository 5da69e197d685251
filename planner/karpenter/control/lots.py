"""Chance where Karpenter takes one of several equally good domains or values.

The real program walks a hash map, whose order is random.
"""

from collections.abc import Sequence

from planner.engine.draws import Draws, key_of


class DomainLots:
    """Draws that belong to the domains and to the number of the draw."""

    def __init__(self, draws: Draws) -> None:
        self._draws = draws.of("karpenter/domains")
        self._count = 0

    def choose(self, choices: Sequence[str]) -> str:
        """One of equally good domains."""
        self._count += 1
        return choices[int(self._draws.uniform(key_of(*choices), self._count) * len(choices))]
