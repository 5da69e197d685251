"""An evaluation that keeps the size as the last one did, but for other reasons, such as that a window holds it now, or
with other pods that count.

Of the evaluation by `reconcile.evaluate` only that is made which can differ: see `standing`.
"""

from planner.hpa.controller.tracked import TrackedAutoscaler
from planner.hpa.rules.conditions import Conditions
from planner.hpa.rules.multi_metric import MetricOutcome, combine
from planner.hpa.rules.normalization import Normalized
from planner.hpa.rules.reconcile import EvaluationOutcome, HpaStatus, MetricStatus, set_limits
from planner.hpa.rules.replica_calculator import Proposal


def kept_outcome(
    hpa: TrackedAutoscaler, proposal: Proposal, normalized: Normalized, current: int, now_us: int
) -> EvaluationOutcome:
    """For an autoscaler that follows a single metric."""
    conditions = Conditions(hpa.status.conditions, now_us)
    set_limits(conditions, normalized)
    outcome = MetricOutcome(hpa.spec.metrics[0], proposal)
    measured = (MetricStatus.of(outcome),)
    status = HpaStatus(current, current, hpa.status.last_scale_us, conditions.all(), measured)
    metrics = combine((outcome,), current)
    return EvaluationOutcome(current, status, hpa.memory, True, metrics=metrics, normalized=normalized)
