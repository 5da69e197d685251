"""How often numbers of pods and nodes changed."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from planner.metrics.figures.inputs import FigureInputs
from planner.metrics.figures.named import Named
from planner.record.decisions import Actor, Decision, Verdict
from planner.record.details.replicas import Evaluation
from planner.record.result import Figure
from planner.state.nodes import NONE
from planner.units import US_PER_H


def scaling(inputs: FigureInputs) -> Named:
    """Rescales of the HPAs, and steps in which pools grew and shrank."""
    rescales = [d for d in inputs.other_decisions if d.actor is Actor.HPA and d.verdict is Verdict.SCALED]
    yield "rescales", Figure(float(sum(1 + d.repeats for d in rescales)), "count")
    yield "flapping_index", Figure(_turns(rescales) * US_PER_H / max(1, inputs.until_us), "per_h")
    nodes = inputs.cluster.nodes
    added, removed = nodes.requested_us > 0, nodes.delete_requested_us != NONE
    yield "scale_ups", Figure(_steps(nodes.requested_us[added], nodes.group[added]), "count")
    yield "nodes_added", Figure(float(added.sum()), "nodes")
    yield "scale_downs", Figure(_steps(nodes.delete_requested_us[removed], nodes.group[removed]), "count")
    yield "nodes_removed", Figure(float(removed.sum()), "nodes")


def _steps(time_us: NDArray[np.int64], group: NDArray[np.int32]) -> float:
    """How many times a group changed its size: nodes requested or deleted in one instant are one step."""
    return float(len(frozenset(zip(time_us.tolist(), group.tolist(), strict=True))))


def _turns(rescales: Sequence[Decision]) -> int:
    """Changes of direction between one rescale of a workload and its next."""
    turns, last = 0, dict[str, bool]()
    for decision in rescales:
        evaluation = decision.details
        if not isinstance(evaluation, Evaluation) or evaluation.current == evaluation.desired:
            continue
        grows = evaluation.desired > evaluation.current
        turns += last.get(decision.subject, grows) is not grows
        last[decision.subject] = grows
    return turns
