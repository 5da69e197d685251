"""Bin packing of pending pods on new nodes of one template.

First fit among groups of equal pods, next fit inside a group (spec/cluster-autoscaler.md section 5,
Kubernetes 1.36 estimator/binpacking_estimator.go). Equal pods are placed in one step, not one by one.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from planner.autoscaler.estimator.fast_path import order_for_fast_path
from planner.autoscaler.round_robin import SearchCursor, fill_rounds, room_for, visiting_order
from planner.autoscaler.spread import SpreadTrack
from planner.state.resources import CPU, MEMORY, Amounts


@dataclass(frozen=True, slots=True, eq=False)
class PodBatch:
    """Equal pending pods."""

    need: Amounts
    """Effective requests of one pod, the pod itself counted; shape (resources,)."""
    count: int
    fits_template: bool = True
    """Passes the filters that do not depend on what is free."""
    container_cpu_milli: int = 0
    container_memory_bytes: int = 0
    """Requests of the first container, which the fast path looks at."""
    spreads: tuple[SpreadTrack, ...] = ()
    """Hard spread constraints that a placement has to keep."""
    counted_in: tuple[SpreadTrack, ...] = ()
    """Constraints that count these pods."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """New nodes that hold at least one pod, and how many pods of each batch (as given) they hold."""

    node_count: int
    placed: tuple[int, ...]


def estimate_nodes(
    batches: Sequence[PodBatch],
    allocatable: Amounts,
    free: Amounts,
    limit: int | None,
    cursor: SearchCursor,
    *,
    cluster_nodes: int = 0,
    fast_path: bool = False,
) -> Estimate:
    """Nodes with `free` room each (of `allocatable`) that the batches need, at most `limit`.

    `cluster_nodes` is the number of nodes listed before the new ones: the cursor counts them too.
    """
    order = sorted(range(len(batches)), key=lambda at: -_score(batches[at], allocatable))
    last = None
    if fast_path:
        order, last = order_for_fast_path(order, batches, allocatable)
    tracks = {id(track): track for batch in batches for track in (*batch.spreads, *batch.counted_in)}
    packing = _Packing(free, limit, cursor, cluster_nodes, list(tracks.values()))
    placed = [0] * len(batches)
    for at in order:
        batch = batches[at]
        if not batch.fits_template:
            packing.try_in_vain()
            continue
        if batch.spreads:
            placed[at] = packing.place_spread(batch)
            continue
        placed[at] = packing.reuse_nodes(batch, batch.count)
        placed[at] += packing.add_nodes(batch, batch.count - placed[at], extrapolate=at == last)
    return Estimate(packing.used_nodes(), tuple(placed))


def _score(batch: PodBatch, allocatable: Amounts) -> float:
    """Share of a node that one pod takes, CPU plus memory."""
    return sum(
        float(batch.need[column]) / float(allocatable[column]) for column in (CPU, MEMORY) if allocatable[column] > 0
    )


class _Packing:
    """New nodes so far. An empty node, if any, is the newest one."""

    def __init__(
        self,
        free: Amounts,
        limit: int | None,
        cursor: SearchCursor,
        cluster_nodes: int,
        tracks: Sequence[SpreadTrack],
    ) -> None:
        self._tracks = tracks
        self._fresh = free
        self._free: NDArray[np.int64] = np.zeros((0, len(free)), dtype=np.int64)
        self._newest_is_empty = False
        self._limit = limit
        self._may_add = True
        self._cursor = cursor
        self._before = cluster_nodes
        self._extrapolated = 0

    def used_nodes(self) -> int:
        """Nodes that hold a pod."""
        return len(self._free) - self._newest_is_empty + self._extrapolated

    def try_in_vain(self) -> None:
        """A pod that fits no node of the template still makes the estimate add an empty one."""
        if not self._newest_is_empty and self._may_add:
            self._grow(1)
            self._newest_is_empty = self._may_add

    def reuse_nodes(self, batch: PodBatch, count: int) -> int:
        """Put pods on nodes added before; how many found room."""
        need, nodes = batch.need, len(self._free)
        if nodes == 0 or count == 0:
            return 0
        room = room_for(self._free, need)
        start = self._cursor.position % (self._before + nodes) - self._before
        placed = fill_rounds(room, max(start, 0), count)
        total = int(placed.sum())
        if total:
            self._free -= placed[:, None] * need[None, :]
            last = int(visiting_order(placed, max(start, 0))[-1])
            self._cursor.position = (self._before + last + 1) % (self._before + nodes)
            self._newest_is_empty = self._newest_is_empty and placed[-1] == 0
            self._count(batch, 0, placed)
        return total

    def add_nodes(self, batch: PodBatch, count: int, *, extrapolate: bool) -> int:
        """Put pods on nodes added for them; how many found room."""
        need = batch.need
        if count == 0 or self._newest_is_empty or not self._may_add:
            return 0
        per_node = int(room_for(self._fresh[None, :], need)[0])
        if per_node == 0:
            self.try_in_vain()
            return 0
        wanted = -(-count // per_node)
        if extrapolate and wanted > 1:
            return self._extrapolate(need, count, per_node, wanted)
        added = self._grow(wanted)
        placed = min(count, added * per_node)
        if added:
            per_new = np.full(added, per_node, dtype=np.int64)
            per_new[-1] = placed - per_node * (added - 1)
            self._free[-added:] -= per_new[:, None] * need[None, :]
            self._count(batch, len(self._free) - added, per_new)
        return placed

    def place_spread(self, batch: PodBatch) -> int:
        """Pods with hard spread, one by one: old nodes until one fails, then the newest, then a new one."""
        placed = 0
        while placed < batch.count and self._put_on_any(batch):
            placed += 1
        while placed < batch.count:
            if not self._put_on_newest(batch) and not self._put_after_skew(batch):
                if self._newest_is_empty or not self._may_add or not self._grow(1):
                    break
                self._newest_is_empty = True
                if not self._put_on_newest(batch):
                    break
            placed += 1
        return placed

    def _put_after_skew(self, batch: PodBatch) -> bool:
        """When only the skew between nodes keeps a pod off the newest node, other nodes are tried."""
        if not len(self._free) or not any(track.is_hostname for track in batch.spreads):
            return False
        return bool((self._free[-1] >= batch.need)[batch.need > 0].all()) and self._put_on_any(batch)

    def _put_on_newest(self, batch: PodBatch) -> bool:
        newest = len(self._free) - 1
        if newest < 0 or not self._fits(batch, newest):
            return False
        self._put(batch, newest)
        return True

    def _put_on_any(self, batch: PodBatch) -> bool:
        nodes = len(self._free)
        start = max(self._cursor.position % max(self._before + nodes, 1) - self._before, 0)
        for step in range(nodes):
            node = (start + step) % nodes
            if self._fits(batch, node):
                self._put(batch, node)
                self._cursor.position = (self._before + node + 1) % (self._before + nodes)
                return True
        return False

    def _fits(self, batch: PodBatch, node: int) -> bool:
        has_room = bool((self._free[node] >= batch.need)[batch.need > 0].all())
        return has_room and all(track.fits(node) for track in batch.spreads)

    def _put(self, batch: PodBatch, node: int) -> None:
        self._free[node] -= batch.need
        for track in batch.counted_in:
            track.put(node, 1)
        if node == len(self._free) - 1:
            self._newest_is_empty = False

    def _count(self, batch: PodBatch, first: int, counts: NDArray[np.int64]) -> None:
        for track in batch.counted_in:
            for node, count in enumerate(counts.tolist(), first):
                track.put(node, count)

    def _extrapolate(self, need: Amounts, count: int, per_node: int, wanted: int) -> int:
        """Fill one node and compute the rest; the limit is asked for every node."""
        added = self._grow(1)
        if not added:
            return 0
        self._free[-1] -= per_node * need
        more = wanted - 1
        if self._limit is not None:
            more = min(more, self._limit - len(self._free))
        self._extrapolated += more
        return min(count, (1 + more) * per_node)

    def _grow(self, wanted: int) -> int:
        room = wanted if self._limit is None else max(self._limit - len(self._free) - self._extrapolated, 0)
        if room < wanted:
            self._may_add = False
        added = min(wanted, room)
        if added:
            self._free = np.concatenate([self._free, np.repeat(self._fresh[None, :], added, axis=0)])
            for track in self._tracks:
                track.add_nodes(added)
        return added
