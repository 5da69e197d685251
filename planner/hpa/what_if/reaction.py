"""The reaction of a single autoscaler to a step or a spike of load, for the plot next to its form.

No nodes, no scheduler, no queue: pods start after a fixed time and share the load evenly. The evaluations are
those of a run. Times are microseconds, CPU is milli-CPU.
"""

from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from planner.hpa.rules.history import HpaMemory
from planner.hpa.rules.multi_metric import MetricsResult, combine, effective_tolerance, outcome_of
from planner.hpa.rules.reconcile import EvaluationInputs, HpaStatus, evaluate
from planner.hpa.rules.replica_calculator import known_value
from planner.hpa.rules.settings import HpaSettings
from planner.hpa.rules.spec import HpaSpec
from planner.hpa.what_if.played_pods import Clockwork, LoadShape, PlayedPods, WhatIfPods
from planner.units import US_PER_MIN

Ints = NDArray[np.int64]
_LONG_AGO_US = 10 * US_PER_MIN
_NO_LIMIT = 1 << 40


class ReactionStep(NamedTuple):
    """The state after one evaluation. `observed`: percent for Utilization, else in units of the metric."""

    time_us: int
    load: float
    replicas: int
    ready: int
    observed: float | None
    limited: str


def react(
    spec: HpaSpec,
    settings: HpaSettings,
    pods: WhatIfPods,
    load: LoadShape,
    clock: Clockwork | None = None,
    duration_us: int = 30 * US_PER_MIN,
) -> list[ReactionStep]:
    """Play the first metric of the autoscaler against the load; one step an evaluation."""
    stage = PlayedPods(spec.metrics[0], pods, load, clock or Clockwork())
    tolerance = effective_tolerance(spec, settings)
    current, status, memory, steps = pods.replicas, HpaStatus(), HpaMemory(), list[ReactionStep]()
    for now_us in stage.syncs(duration_us):

        def read(current: int = current, now_us: int = now_us) -> MetricsResult:
            compute = partial(stage.propose, current, now_us, tolerance, settings)
            return combine([outcome_of(stage.metric, compute)], current)

        outcome = evaluate(EvaluationInputs(now_us, spec, settings, current, read), status, memory)
        status, memory = outcome.status, outcome.memory
        current = current if outcome.replicas is None else outcome.replicas
        stage.resize(current, now_us)
        limited = str(outcome.normalized.limited) if outcome.normalized and outcome.normalized.is_limited else ""
        observed = _observed(outcome.metrics)
        steps.append(ReactionStep(now_us, load.at(now_us), current, stage.ready_count(now_us), observed, limited))
    return steps


def _observed(result: MetricsResult | None) -> float | None:
    proposal = None if result is None else result.outcomes[0].proposal
    if proposal is None:
        return None
    if proposal.utilization_pct is not None:
        return float(proposal.utilization_pct)
    value_milli = known_value(proposal.value_milli)
    return None if value_milli is None else value_milli / 1000
