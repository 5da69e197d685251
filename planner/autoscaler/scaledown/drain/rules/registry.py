"""All drain rules in order of precedence, and their outcome for a whole node."""

from collections.abc import Sequence
from dataclasses import dataclass

from planner.autoscaler.scaledown.drain.rules.annotations import (
    disruption_budget,
    local_storage,
    not_safe_to_evict,
    safe_to_evict,
    safe_to_evict_on_completion,
    system_pod,
)
from planner.autoscaler.scaledown.drain.rules.pod import (
    MOVE,
    DrainContext,
    DrainOutcome,
    DrainPod,
    DrainRule,
    PodDrain,
)
from planner.autoscaler.scaledown.drain.rules.recreation import (
    controller_exists,
    daemon_set_pod,
    long_terminating_pod,
    mirror_pod,
    not_replicated,
    terminal_pod,
)
from planner.autoscaler.scaledown.reasons import BlockingReason

DRAIN_RULES: tuple[DrainRule, ...] = (
    mirror_pod,
    long_terminating_pod,
    controller_exists,
    daemon_set_pod,
    safe_to_evict,
    terminal_pod,
    safe_to_evict_on_completion,
    not_replicated,
    system_pod,
    not_safe_to_evict,
    local_storage,
    disruption_budget,
)
"""In the order of Cluster Autoscaler 1.36.1, simulator/drainability/rules/rules.go."""


@dataclass(frozen=True, slots=True)
class NodeDrain:
    """What removing a node would do to its pods; numbers are positions in the list given."""

    moving: tuple[int, ...]
    blocking: int | None = None
    """The first pod that keeps the node; nothing moves then."""
    reason: BlockingReason | None = None
    waits_for_completion: bool = False
    is_risky: bool = False
    """The moving pods together exceed a disruption budget, so the node is taken last."""


def drain_outcome(pod: DrainPod, context: DrainContext) -> DrainOutcome:
    """The first decisive rule's answer; a pod that no rule objects to moves."""
    for rule in DRAIN_RULES:
        outcome = rule(pod, context)
        if outcome is not None:
            return outcome
    return MOVE


def drain_of_outcomes(
    outcomes: Sequence[DrainOutcome], budgets: Sequence[tuple[int, ...]], disruptions_allowed: Sequence[int]
) -> NodeDrain:
    """Which pods of a node would move, or which one blocks its removal first (in list order).

    `outcomes`: the answer for every pod; `budgets`: those that cover each of them.
    """
    moving: list[int] = []
    waits = False
    for position, outcome in enumerate(outcomes):
        drain = outcome.drain
        if drain is PodDrain.BLOCK:
            return NodeDrain((), position, outcome.reason)
        if drain is PodDrain.MOVE:
            moving.append(position)
        waits = waits or drain is PodDrain.WAIT
    used: dict[int, int] = {}
    for position in moving:
        for budget in budgets[position]:
            used[budget] = used.get(budget, 0) + 1
    risky = any(count > disruptions_allowed[budget] for budget, count in used.items())
    return NodeDrain(tuple(moving), waits_for_completion=waits, is_risky=risky)
