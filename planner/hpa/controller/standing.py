"""Evaluations that keep the size for the same reasons as the previous one and differ only in what they measured.

Proof. Let an evaluation of one metric have followed it, kept the size c, and sent no event. The next one at the same
c takes the same branch. If normalization gives c again with the same reasons (AbleToScale, ScalingLimited), every
condition keeps its value, so that only the metric's entry in the status, the memory and the figures of the
decision differ. The record folds such decisions into one (`Recorder.decide`) as long as the same pods count, and
keeps the range of what was measured. So it is enough to read the metric and to normalize (`_read` and `_fold` in
`controller`), and where only the reasons differ, or the pods that count, to record these (`kept`).
"""

from typing import NamedTuple

from planner.hpa.rules.conditions import ConditionReason
from planner.hpa.rules.normalization import Normalized
from planner.hpa.rules.reconcile import EvaluationOutcome
from planner.hpa.rules.replica_calculator import Proposal


class Standing(NamedTuple):
    """What the next evaluation has to repeat to be folded into the last one."""

    current: int
    able: ConditionReason
    limited: ConditionReason
    is_held: bool
    """Windows changed the proposal."""
    ready: int
    unready: int
    missing: int

    @classmethod
    def of(cls, current: int, proposal: Proposal, normalized: Normalized) -> "Standing":
        """For the proposal of a single metric at this size."""
        is_held = normalized.stabilized != proposal.replicas
        counts = proposal.ready, proposal.unready, proposal.missing
        return cls(current, normalized.able, normalized.limited, is_held, *counts)


def standing_of(outcome: EvaluationOutcome, current: int) -> Standing | None:
    """What the next evaluation may repeat; None if it has to be made in full."""
    metrics, normalized = outcome.metrics, outcome.normalized
    if metrics is None or normalized is None or len(metrics.outcomes) != 1:
        return None
    proposal = metrics.outcomes[0].proposal
    if proposal is None or outcome.events or outcome.has_error or current == 0 or outcome.replicas != current:
        return None
    return Standing.of(current, proposal, normalized)
