"""Bin packing of pending pods on new nodes of one template.

First fit among groups of equal pods, next fit inside a group (Cluster Autoscaler 1.36.1,
estimator/binpacking_estimator.go). Equal pods are placed in one step if only free resources decide,
otherwise one by one.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from planner.autoscaler.estimator.fast_path import order_for_fast_path
from planner.autoscaler.estimator.new_node_rules import NewNodeRules
from planner.autoscaler.estimator.new_nodes import NewNodes
from planner.autoscaler.estimator.one_by_one import place_one_by_one
from planner.autoscaler.snapshot.round_robin import SearchCursor, fill_rounds, room_for, visiting_order
from planner.state.resources import CPU, MEMORY, Amounts
from planner.state.specs import PodSpec


@dataclass(frozen=True, slots=True, eq=False)
class PodBatch:
    """Equal pending pods."""

    need: Amounts
    """Effective requests of one pod, the pod itself counted; shape (resources,)."""
    count: int
    fits_template: bool = True
    """Passes the filters that depend on neither room nor other pods."""
    container_cpu_milli: int = 0
    container_memory_bytes: int = 0
    """Requests of the first container, which the fast path looks at."""
    spec: PodSpec | None = None
    """The template, for rules on other pods; None when there are none."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """New nodes that hold at least one pod, and how many pods of each batch (as given) they hold."""

    node_count: int
    placed: tuple[int, ...]
    order: tuple[int, ...] = field(default=(), compare=False)
    """The batches, by number, in the order in which they were packed."""


def estimate_nodes(
    batches: Sequence[PodBatch],
    allocatable: Amounts,
    free: Amounts,
    limit: int | None,
    cursor: SearchCursor,
    *,
    cluster_nodes: int = 0,
    fast_path: bool = False,
    capacity: Amounts | None = None,
    rules: NewNodeRules | None = None,
) -> Estimate:
    """Nodes with `free` room each (of `allocatable`) that the batches need, at most `limit`.

    `cluster_nodes` is the number of nodes listed before the new ones: the cursor counts them too. `capacity`: of a
    whole node, for the fast path; None where all of it is allocatable. `rules`: the filters on other pods; None when
    the batches have no template.
    """
    order = sorted(range(len(batches)), key=lambda at: -_score(batches[at], allocatable))
    last = None
    if fast_path:
        order, last = order_for_fast_path(order, batches, allocatable if capacity is None else capacity)
    nodes = NewNodes(free, limit, cursor, cluster_nodes, rules)
    placed = [0] * len(batches)
    for at in order:
        batch = batches[at]
        if not batch.fits_template:
            _try_in_vain(nodes)
        elif rules is not None and batch.spec is not None and not rules.is_plain(batch.spec):
            placed[at] = place_one_by_one(nodes, rules, batch.spec, batch.need, batch.count, extrapolate=at == last)
        else:
            placed[at] = _reuse_nodes(nodes, batch, batch.count)
            placed[at] += _add_nodes(nodes, batch, batch.count - placed[at], extrapolate=at == last)
    return Estimate(nodes.used, tuple(placed), tuple(order))


def _score(batch: PodBatch, allocatable: Amounts) -> float:
    """Share of a node that one pod takes, CPU plus memory."""
    return sum(
        float(batch.need[column]) / float(allocatable[column]) for column in (CPU, MEMORY) if allocatable[column] > 0
    )


def _try_in_vain(nodes: NewNodes) -> None:
    """A pod that fits no node of the template still makes the estimate add an empty one."""
    if not nodes.newest_is_empty and nodes.may_add:
        nodes.grow(1)


def _reuse_nodes(nodes: NewNodes, batch: PodBatch, count: int) -> int:
    """Put pods on nodes added before; how many found room."""
    if not len(nodes) or count == 0:
        return 0
    start = nodes.search_start()
    placed = fill_rounds(room_for(nodes.free, batch.need), start, count)
    total = int(placed.sum())
    if total:
        nodes.take(placed, 0, batch.need, batch.spec)
        nodes.found_at(int(visiting_order(placed, start)[-1]))
    return total


def _add_nodes(nodes: NewNodes, batch: PodBatch, count: int, *, extrapolate: bool) -> int:
    """Put pods on nodes added for them; how many found room."""
    if count == 0 or nodes.newest_is_empty or not nodes.may_add:
        return 0
    per_node = int(room_for(nodes.fresh[None, :], batch.need)[0])
    if per_node == 0:
        _try_in_vain(nodes)
        return 0
    wanted = -(-count // per_node)
    if extrapolate and wanted > 1:
        if not nodes.grow(1):
            return 0
        nodes.take(np.array([per_node]), len(nodes) - 1, batch.need, batch.spec)
        return min(count, (1 + nodes.extrapolate(wanted - 1)) * per_node)
    added = nodes.grow(wanted)
    placed = min(count, added * per_node)
    if added:
        per_new = np.full(added, per_node, dtype=np.int64)
        per_new[-1] = placed - per_node * (added - 1)
        nodes.take(per_new, len(nodes) - added, batch.need, batch.spec)
    return placed
