"""The computation behind a decision as small tables: the inputs, the steps, and the choice."""

from dataclasses import dataclass

from planner.record.decisions import Decision
from planner.record.details.karpenter import KarpenterDetails
from planner.record.details.node_groups import NodeGroupDetails
from planner.record.details.nodes import NodeDetails
from planner.record.details.replicas import ReplicaDetails
from planner.record.details.requests import RequestDetails
from planner.record.details.scheduling import SchedulingDetails
from planner.record.text import karpenter, node_groups, nodes, requests, scheduling, work
from planner.record.text.headline import headline
from planner.record.text.replicas import replicas
from planner.record.text.tables import Grid


@dataclass(frozen=True)
class Reasoning:
    """The tables behind one decision under its subject and headline."""

    title: str
    grids: tuple[Grid, ...]


def reasoning(decision: Decision) -> Reasoning:
    """What led to a decision, as far as it was recorded."""
    grids = tuple(grid for grid in _grids(decision) if grid.rows)
    return Reasoning(f"{decision.subject}: {headline(decision)}", grids)


def _grids(decision: Decision) -> tuple[Grid, ...]:
    details = decision.details
    if details is None:
        return ()
    if isinstance(details, SchedulingDetails):
        return scheduling.tables(decision, details)
    if isinstance(details, ReplicaDetails):
        return replicas.tables(details)
    if isinstance(details, RequestDetails):
        return requests.tables(details)
    if isinstance(details, NodeGroupDetails):
        return node_groups.tables(decision, details)
    if isinstance(details, NodeDetails):
        return nodes.tables(decision, details)
    if isinstance(details, KarpenterDetails):
        return karpenter.tables(details)
    return work.tables(details)
