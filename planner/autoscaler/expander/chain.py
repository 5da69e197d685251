"""A comma-separated list of expanders: each filters in turn, and a remaining tie is broken at random."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from planner.autoscaler.expander.option import ExpanderContext, ExpansionOption
from planner.autoscaler.expander.registry import EXPANDERS
from planner.plan.model.autoscalers.expanders import ExpanderName


@dataclass(frozen=True, slots=True)
class ExpanderStep:
    """What one filter of the chain did: figures by option (as given to it) and what it kept."""

    name: ExpanderName
    given: tuple[ExpansionOption, ...]
    figures: tuple[float | None, ...]
    kept: tuple[ExpansionOption, ...]
    prefers_high: bool = False


@dataclass(frozen=True, slots=True)
class ExpanderChoice:
    """The chosen option, those it tied with (itself included), and how the filters got there.

    `chosen` is None when the filters dropped every option.
    """

    chosen: ExpansionOption | None
    finalists: tuple[ExpansionOption, ...]
    steps: tuple[ExpanderStep, ...]
    is_drawn: bool = False
    """Chance decided among the finalists; otherwise the first by name of its group, where they are several."""

    def ranks(self, options: Sequence[ExpansionOption]) -> list[int]:
        """The place of every option, from 1: by the filter that dropped it and its figure there; equals share one."""
        keys = [self._standing(option) for option in options]
        return [1 + sum(other < key for other in keys) for key in keys]

    def _standing(self, option: ExpansionOption) -> tuple[bool, int, float]:
        for number, step in enumerate(self.steps):
            if not any(kept is option for kept in step.kept):
                figures = [value for given, value in zip(step.given, step.figures, strict=True) if given is option]
                if not figures or figures[0] is None:
                    return True, -number, math.inf
                return True, -number, -figures[0] if step.prefers_high else figures[0]
        return option is not self.chosen, -len(self.steps), 0.0


def choose_option(
    names: Sequence[ExpanderName], options: Sequence[ExpansionOption], context: ExpanderContext
) -> ExpanderChoice:
    """The option the expanders pick (Cluster Autoscaler 1.36.1, expander/factory/chain.go).

    The chain stops as soon as one option is left, so a later filter cannot drop it.
    """
    left = tuple(options)
    steps = []
    for name in names:
        if name is ExpanderName.RANDOM:
            break  # always last and the same as the final tie break
        expander = EXPANDERS[name](context)
        kept = tuple(expander.best_options(left))
        figures = tuple(expander.figure(option) for option in left)
        steps.append(ExpanderStep(name, left, figures, kept, expander.prefers_high))
        left = kept
        if len(left) == 1:
            break
    picked = EXPANDERS[ExpanderName.RANDOM](context).best_options(left)
    is_drawn = len(left) > 1 and context.lots is not None
    return ExpanderChoice(picked[0] if picked else None, left, tuple(steps), is_drawn)
