"""The controller's state for each autoscaler, and how an evaluation is shown."""

import math
from dataclasses import dataclass, field
from typing import NamedTuple

from planner.hpa.controller.standing import Measured, Standing
from planner.hpa.metrics.metric_reader import MetricReader
from planner.hpa.rules.conditions import Condition
from planner.hpa.rules.history import HpaMemory
from planner.hpa.rules.reconcile import EvaluationOutcome, HpaStatus, MetricStatus
from planner.hpa.rules.replica_calculator import Proposal, Tolerance, known_value
from planner.hpa.rules.spec import HpaSpec


class HpaSync(NamedTuple):
    """One evaluation as the report shows it."""

    namespace: str
    name: str
    before: int
    after: int
    observed: int | None
    """Utilization in percent, or average in milli-units, of the first metric; None if it failed, was not read, or
    is an average over no pods."""
    conditions: tuple[Condition, ...] = ()
    failed: bool = False
    """The evaluation ended with an error."""


@dataclass(slots=True)
class TrackedAutoscaler:
    """Specification, status and memory of one autoscaler."""

    name: str
    namespace: str
    workload: int
    spec: HpaSpec
    tolerance: Tolerance
    reader: MetricReader
    window_us: int
    """How far back a recommendation may count."""
    is_alone: bool
    """No other autoscaler's decisions are about a workload of this name."""
    rivals: tuple[str, ...] = ()
    """Autoscalers that scale the same workload, this one included; empty if it is the only one."""
    status: HpaStatus = field(default_factory=HpaStatus)
    memory: HpaMemory = field(default_factory=HpaMemory)
    seen_series: tuple[int | None, ...] = ()
    standing: Standing | None = None
    """What the next evaluation has to repeat to be folded into the last one."""
    repeated: int = 0
    """Recommendation of the evaluations that are skipped because they repeat the last one."""
    measured: Measured = field(default_factory=Measured)
    """Of the folded evaluations that are not recorded yet."""

    def forget(self) -> None:
        """Lose what the controller keeps in memory."""
        self.memory = HpaMemory()
        self.standing = None

    def show(self, proposal: Proposal) -> MetricStatus:
        """Put a new value of the only metric into the status; returns its entry."""
        known = self.status
        entry = MetricStatus(self.spec.metrics[0], proposal.value_milli, proposal.utilization_pct)
        self.status = HpaStatus(
            known.current_replicas, known.desired_replicas, known.last_scale_us, known.conditions, (entry,)
        )
        return entry


def shown_value(metric: MetricStatus) -> float:
    """Percent, or units of the metric."""
    value_milli = known_value(metric.value_milli)
    if value_milli is None:
        return math.nan
    return value_milli / 1000 if metric.utilization_pct is None else float(metric.utilization_pct)


def observed_value(outcome: EvaluationOutcome) -> int | None:
    """`HpaSync.observed` after an evaluation."""
    if outcome.metrics is None or not outcome.metrics.outcomes:
        return None
    proposal = outcome.metrics.outcomes[0].proposal
    return None if proposal is None else observed_of(proposal)


def observed_of(proposal: Proposal) -> int | None:
    """`HpaSync.observed` for the proposal of a metric."""
    return known_value(proposal.value_milli) if proposal.utilization_pct is None else proposal.utilization_pct
