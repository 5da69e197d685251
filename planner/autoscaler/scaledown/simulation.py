"""Simulates, node by node, whether the pods of a node would fit elsewhere.

Source: Cluster Autoscaler 1.36.1, simulator/cluster.go.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from planner.autoscaler.scaledown.drain.node_pods import Residents
from planner.autoscaler.scaledown.reasons import BlockingReason, NodeVerdict
from planner.autoscaler.snapshot.hints import Hints
from planner.autoscaler.snapshot.place_together import PlaceTogether
from planner.autoscaler.snapshot.round_robin import SearchCursor
from planner.autoscaler.snapshot.snapshot import Snapshot

DrainOf = Callable[[int, Sequence[int]], Residents]


@dataclass(frozen=True, slots=True)
class RemovableNode:
    """A node whose pods fit elsewhere."""

    node: int
    moving: tuple[int, ...]
    is_risky: bool
    waits_for_completion: bool


@dataclass(slots=True)
class RemovalSimulation:
    """What one loop found; in order of simulation."""

    removable: list[RemovableNode] = field(default_factory=list)
    unremovable: dict[int, tuple[NodeVerdict, tuple[int, BlockingReason] | None]] = field(default_factory=dict)
    """By node; the pod that keeps it and why, if a pod does."""
    beyond_limit: list[int] = field(default_factory=list)
    moved_on: bool = False
    """Some pods were put on a node that had to give them away again; in the next loop they go elsewhere at once."""


def simulate_removals(
    positions: Sequence[int],
    destinations: NDArray[np.bool_],
    limit: int,
    snapshot: Snapshot,
    drain_of: DrainOf,
    cursor: SearchCursor,
    hints: Hints,
    use_budgets: Callable[[Sequence[int]], None],
    goes_as_part: Callable[[int], bool] = lambda node: False,
) -> RemovalSimulation:
    """Try to empty the nodes at `positions` in order until `limit` are found removable.

    Nodes for which `goes_as_part` holds, of groups that go as a whole, do not count for the limit. A success stays
    in the snapshot for those that follow; a removable node is no destination any more, and with the last node of a
    spread domain the domain goes. Its pods use up disruption budgets.
    `destinations` is changed.
    """
    found, counted, place_all = RemovalSimulation(), 0, PlaceTogether(snapshot, cursor, hints)
    for at, position in enumerate(positions):
        node = int(snapshot.rows[position])
        if counted >= limit:
            found.beyond_limit = [int(snapshot.rows[each]) for each in positions[at:]]
            break
        extra = snapshot.placed.get(position, ())
        pods, drain, templates = drain_of(node, extra)
        if drain.blocking is not None and drain.reason is not None:
            found.unremovable[node] = (NodeVerdict.BLOCKED_BY_POD, (pods[drain.blocking], drain.reason))
            continue
        moving = pods if len(drain.moving) == len(pods) else tuple([pods[each] for each in drain.moving])
        templates = snapshot.templates_of(moving) if templates is None else templates
        destinations[position] = False
        snapshot.take_all_off(moving, position)
        if place_all(moving, templates, destinations):
            snapshot.drop(position)
            use_budgets(moving)
            counted += not goes_as_part(node)
            found.moved_on |= bool(extra)
            found.removable.append(RemovableNode(node, moving, drain.is_risky, drain.waits_for_completion))
        else:
            destinations[position] = True
            for pod in moving:
                snapshot.put_back(pod, position)
            found.unremovable[node] = (NodeVerdict.NO_PLACE_TO_MOVE_PODS, None)
    return found
