"""A comma-separated list of expanders: each filters in turn, and a remaining tie is broken at random."""

from collections.abc import Sequence
from dataclasses import dataclass

from planner.autoscaler.expander.option import ExpanderContext, ExpansionOption
from planner.autoscaler.expander.registry import EXPANDERS
from planner.plan.model.autoscalers.cluster_autoscaler import ExpanderName


@dataclass(frozen=True, slots=True)
class ExpanderStep:
    """What one filter of the chain did: figures by option (as given to it) and what it kept."""

    name: ExpanderName
    given: tuple[ExpansionOption, ...]
    figures: tuple[float | None, ...]
    kept: tuple[ExpansionOption, ...]


@dataclass(frozen=True, slots=True)
class ExpanderChoice:
    """The chosen option, those it tied with (itself included), and how the filters got there.

    `chosen` is None when the filters dropped every option.
    """

    chosen: ExpansionOption | None
    finalists: tuple[ExpansionOption, ...]
    steps: tuple[ExpanderStep, ...]


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
        steps.append(ExpanderStep(name, left, tuple(expander.figure(option) for option in left), kept))
        left = kept
        if len(left) == 1:
            break
    picked = EXPANDERS[ExpanderName.RANDOM](context).best_options(left)
    return ExpanderChoice(picked[0] if picked else None, left, tuple(steps))
