"""The cluster as one loop of the autoscaler imagines it; nothing here touches the real one.

Positions are the order in which searches walk the nodes: existing nodes by name, then placeholders of
nodes on their way, by group.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from planner.autoscaler.round_robin import pod_amounts, room_for
from planner.autoscaler.spread import SpreadDomains, hard_spreads, spread_counts
from planner.autoscaler.templates import GroupTemplate
from planner.scheduler.spread_constraints import Spread
from planner.state.cluster import Cluster
from planner.state.resources import Amounts
from planner.state.specs import HOSTNAME_LABEL, PodSpec

Mask = NDArray[np.bool_]
Rows = NDArray[np.int64]
_FIRST_LOOK = 64


class StaticRules(Protocol):
    """Filters that do not depend on what is free (the scheduler's)."""

    def node_mask(self, spec: PodSpec) -> Mask:
        """Nodes that the template may go to, by node row."""

    def affinity_mask(self, spec: PodSpec) -> Mask:
        """Nodes that match node selector and required affinity, by node row."""

    def taint_mask(self, spec: PodSpec) -> Mask:
        """Nodes whose hard taints are tolerated, by node row."""


class Snapshot:
    """Free room per position, and the pods that were put there in thought."""

    def __init__(
        self,
        cluster: Cluster,
        rows: Rows,
        upcoming: Sequence[tuple[GroupTemplate, int]],
        static: StaticRules,
        accepts_template: Callable[[PodSpec, int], bool],
    ) -> None:
        self._cluster = cluster
        self._static = static
        self._accepts_template = accepts_template
        self.real_count = len(rows)
        self.rows = rows
        """Node row by position, real nodes only."""
        self.upcoming_groups = [template.group for template, count in upcoming for _ in range(count)]
        self._keys = self._placeholder_keys(upcoming)
        waiting = [template for template, count in upcoming for _ in range(count)]
        nodes = cluster.nodes
        self.allocatable: NDArray[np.int64] = nodes.allocatable[rows]
        self.free: NDArray[np.int64] = self.allocatable - nodes.requested[rows]
        if waiting:
            self.allocatable = np.vstack([self.allocatable, *(each.node.allocatable for each in waiting)])
            self.free = np.vstack([self.free, *(each.free for each in waiting)])
        self.placed: dict[int, list[int]] = {}
        """Pods put on a position in thought, in that order."""
        self._accepts: dict[int, Mask] = {}
        self._needs: dict[int, tuple[Amounts, list[int]]] = {}
        self._position: dict[int, int] | None = None
        self._upcoming_labels = [template.node.labels for template in waiting]
        self._spreads: dict[int, list[SpreadDomains]] = {}
        self._absent: dict[tuple[int, int], None] = {}
        self._dropped: list[int] = []

    def __len__(self) -> int:
        return len(self.free)

    def position(self, key: int) -> int | None:
        """Where a node (its row) or placeholder (its key) stands."""
        if self._position is None:
            keys = [*self.rows.tolist(), *self._keys]
            self._position = {each: at for at, each in enumerate(keys)}
        return self._position.get(key)

    def key(self, position: int) -> int:
        """What names a position in the next loop: the node row, or a negative number for a placeholder."""
        real = position < self.real_count
        return int(self.rows[position]) if real else self._keys[position - self.real_count]

    def need(self, spec: PodSpec) -> Amounts:
        """Requests of one pod of the template, the pod itself counted."""
        return self._need(spec)[0]

    def accepts(self, spec: PodSpec) -> Mask:
        """Positions the template may go to, whatever is free there. Nodes that are not ready take nothing."""
        known = self._accepts.get(spec.index)
        if known is None:
            real = self._static.node_mask(spec)[self.rows] & self._cluster.nodes.ready[self.rows]
            planned = [self._accepts_template(spec, group) for group in self.upcoming_groups]
            known = self._accepts[spec.index] = np.concatenate([real, np.array(planned, dtype=np.bool_)])
        return known

    def allowed(self, spec: PodSpec) -> Mask:
        """Positions that accept the template and keep its hard spread, at this moment."""
        allowed = self.accepts(spec)
        for domains in self.spread_domains(spec):
            allowed = allowed & domains.passes()
        return allowed

    def spread_domains(self, spec: PodSpec) -> list[SpreadDomains]:
        """The hard constraints of a template with the pods per domain; empty for most templates."""
        known = self._spreads.get(spec.index)
        if known is None:
            known = [self._domains(spec, spread) for spread in hard_spreads(spec)]
            self._spreads[spec.index] = known
        return known

    def _domains(self, spec: PodSpec, spread: Spread) -> SpreadDomains:
        keys = [each.key for each in hard_spreads(spec)]
        labels = [self._cluster.node_labels(row) for row in self.rows.tolist()]
        for key, own in zip(self._keys, self._upcoming_labels, strict=True):
            labels.append({**own, HOSTNAME_LABEL: f"upcoming{key}"})
        counted = np.array([all(key in each for key in keys) for each in labels], dtype=np.bool_)
        if spread.honor_affinity:
            counted[: self.real_count] &= self._static.affinity_mask(spec)[self.rows]
        if spread.honor_taints:
            counted[: self.real_count] &= self._static.taint_mask(spec)[self.rows]
        domains = SpreadDomains(spread, [each.get(spread.key) for each in labels], counted)
        for position in self._counted_pods(spread):
            domains.change(position, 1)
        for position in self._dropped:
            domains.drop(position)
        return domains

    def _counted_pods(self, spread: Spread) -> Iterator[int]:
        """Positions of all pods that a constraint counts; terminating ones do not count."""
        pods = self._cluster.pods
        for spec in self._cluster.pod_specs:
            if not spread_counts(spread, spec):
                continue
            for pod in self._cluster.workload_pods[spec.workload]:
                if pods.node[pod] >= 0 and pods.deletion_us[pod] < 0 and pods.spec[pod] == spec.index:
                    position = self.position(int(pods.node[pod]))
                    if position is not None and (pod, position) not in self._absent:
                        yield position
        for position, placed in self.placed.items():
            for pod in placed:
                if spread_counts(spread, self.spec_of(pod)) and pods.deletion_us[pod] < 0:
                    if (pod, position) not in self._absent:
                        yield position

    def take_off(self, pod: int, position: int) -> None:
        """A pod leaves its position in thought: spread no longer counts it there. Its room stays taken."""
        self._absent[pod, position] = None
        self._count_pod(pod, position, -1)

    def put_back(self, pod: int, position: int) -> None:
        """Undo `take_off`."""
        del self._absent[pod, position]
        self._count_pod(pod, position, 1)

    def drop(self, position: int) -> None:
        """A node is taken as gone: spread constraints no longer see it. Its position stays."""
        self._dropped.append(position)
        for known in self._spreads.values():
            for domains in known:
                domains.drop(position)

    def _count_pod(self, pod: int, position: int, change: int) -> None:
        """For the constraints in use that count the pod; others count afresh when they are first asked for."""
        if not self._spreads or self._cluster.pods.deletion_us[pod] >= 0:
            return
        for known in self._spreads.values():
            for domains in known:
                if spread_counts(domains.spread, self.spec_of(pod)):
                    domains.change(position, change)

    def accepts_pod(self, pod: int) -> Mask:
        """Positions one pod may go to: DaemonSet pods are pinned to a node."""
        accepts = self.allowed(self.spec_of(pod))
        pinned = int(self._cluster.pods.pinned[pod])
        if pinned < 0:
            return accepts
        only = np.zeros(len(self), dtype=np.bool_)
        at = self.position(pinned)
        if at is not None:
            only[at] = accepts[at]
        return only

    def spec_of(self, pod: int) -> PodSpec:
        """The pod's template."""
        return self._cluster.pod_specs[int(self._cluster.pods.spec[pod])]

    def room(self, spec: PodSpec) -> NDArray[np.int64]:
        """How many pods of the template each position takes."""
        return np.where(self.accepts(spec), room_for(self.free, self.need(spec)), 0)

    def has_room(self, spec: PodSpec, position: int) -> bool:
        """Whether one pod of the template fits there, resources only."""
        need, columns = self._need(spec)
        free = self.free[position]
        return all(free[column] >= need[column] for column in columns)

    def first_fit(self, spec: PodSpec, allowed: Mask, start: int) -> int | None:
        """The first allowed position with room, walking round from `start`."""
        count = len(self.free)
        near = min(start + _FIRST_LOOK, count)
        for begin, end in ((start, near), (near, count), (0, start)):
            hits = self._with_room(spec, allowed, begin, end)
            if len(hits):
                return begin + int(hits[0])
        return None

    def _with_room(self, spec: PodSpec, allowed: Mask, begin: int, end: int) -> NDArray[np.int64]:
        need, columns = self._need(spec)
        fits = allowed[begin:end]
        for column in columns:
            fits = fits & (self.free[begin:end, column] >= need[column])
        return np.flatnonzero(fits)

    def put(self, pod: int, position: int) -> None:
        """Place a pod in thought."""
        self.free[position] -= self.need(self.spec_of(pod))
        self.placed.setdefault(position, []).append(pod)
        self._count_pod(pod, position, 1)

    def take_back(self, pod: int, position: int) -> None:
        """Undo `put`; the last one first."""
        self.free[position] += self.need(self.spec_of(pod))
        self._count_pod(pod, position, -1)
        pods = self.placed[position]
        pods.pop()
        if not pods:
            del self.placed[position]

    def add_room(self, row: int, spec: PodSpec) -> None:
        """A pod bound to a node counts as absent."""
        at = self.position(row)
        if at is not None:
            self.free[at] += self.need(spec)

    def _need(self, spec: PodSpec) -> tuple[Amounts, list[int]]:
        known = self._needs.get(spec.index)
        if known is None:
            need = pod_amounts(spec.request)
            known = self._needs[spec.index] = (need, np.flatnonzero(need).tolist())
        return known

    @staticmethod
    def _placeholder_keys(upcoming: Sequence[tuple[GroupTemplate, int]]) -> list[int]:
        return [-((template.group << 20) + number + 2) for template, count in upcoming for number in range(count)]
