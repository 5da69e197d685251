"""Expander that keeps the options of the most preferred node groups."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from planner.autoscaler.expander.option import ExpansionOption
from planner.plan.model.autoscalers.expanders import ExpanderName, PriorityTier
from planner.plan.values.patterns import compile_go_pattern

LOWEST_WINNING_PRIORITY = -1


@dataclass(frozen=True, slots=True)
class PriorityChoice:
    """What the priorities say: the options kept and the groups that no pattern matched."""

    kept: tuple[ExpansionOption, ...]
    unmatched: tuple[ExpansionOption, ...]
    no_group_matched: bool
    """No option can win by its priority, so nothing was filtered."""


class Priority:
    """Highest priority whose patterns match the group's id (Cluster Autoscaler 1.36.1, expander/priority).

    Without any tier nothing is filtered.
    """

    name = ExpanderName.PRIORITY
    prefers_high = True

    def __init__(self, tiers: Iterable[PriorityTier]) -> None:
        self._tiers = [(tier.priority, [compile_go_pattern(text) for text in tier.groups]) for tier in tiers]

    def best_options(self, options: Sequence[ExpansionOption]) -> list[ExpansionOption]:
        """The options of the highest priority, or all when none matches."""
        return list(self.choose(options).kept)

    def choose(self, options: Sequence[ExpansionOption]) -> PriorityChoice:
        """The kept options and what the autoscaler would warn about."""
        if not self._tiers:
            return PriorityChoice(tuple(options), (), no_group_matched=False)
        figures = [self.figure(option) for option in options]
        highest = max((figure for figure in figures if figure is not None), default=LOWEST_WINNING_PRIORITY - 1)
        unmatched = tuple(option for option, figure in zip(options, figures, strict=True) if figure is None)
        if highest < LOWEST_WINNING_PRIORITY:
            return PriorityChoice(tuple(options), unmatched, no_group_matched=bool(options))
        kept = tuple(option for option, figure in zip(options, figures, strict=True) if figure == highest)
        return PriorityChoice(kept, unmatched, no_group_matched=False)

    def figure(self, option: ExpansionOption) -> float | None:
        """The highest priority that matches the group; None when none does."""
        matching = [
            priority
            for priority, patterns in self._tiers
            if any(pattern.search(option.group_id) for pattern in patterns)
        ]
        return float(max(matching)) if matching else None
