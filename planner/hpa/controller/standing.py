"""Evaluations that keep the size for the same reasons as the previous one and differ only in what they measured.

Proof. Let an evaluation of one metric have followed it, kept the size c, and sent no event. The next one at the same
c takes the same branch. If normalization gives c again with the same reasons (AbleToScale, ScalingLimited), every
condition keeps its value, so that only the metric's entry in the status, the memory and the figures of the
decision differ. The record folds such decisions into one (`Recorder.decide`) as long as the same pods count, and
keeps the range of what was measured. So it is enough to read the metric and to normalize (`_fold` in `controller`).
"""

from dataclasses import dataclass
from typing import NamedTuple

from planner.hpa.rules.conditions import ConditionReason
from planner.hpa.rules.normalization import Normalized
from planner.hpa.rules.reconcile import EvaluationOutcome
from planner.hpa.rules.replica_calculator import Proposal
from planner.record.details.replicas import Range


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


@dataclass(slots=True)
class Measured:
    """The number of folded evaluations, and the ranges of their ratios and proposals."""

    times: int = 0
    lowest_ratio: float = 0.0
    highest_ratio: float = 0.0
    lowest: int = 0
    highest: int = 0

    def add(self, proposal: Proposal) -> None:
        """Count one more evaluation."""
        if self.times == 0:
            self.lowest_ratio = self.highest_ratio = proposal.ratio
            self.lowest = self.highest = proposal.replicas
        self.times += 1
        if proposal.ratio < self.lowest_ratio:
            self.lowest_ratio = proposal.ratio
        elif proposal.ratio > self.highest_ratio:
            self.highest_ratio = proposal.ratio
        if proposal.replicas < self.lowest:
            self.lowest = proposal.replicas
        elif proposal.replicas > self.highest:
            self.highest = proposal.replicas

    @property
    def ranges(self) -> tuple[Range, Range] | None:
        """Lowest and highest ratio and raw proposal; None if there was none."""
        if self.times == 0:
            return None
        return (self.lowest_ratio, self.highest_ratio), (self.lowest, self.highest)
