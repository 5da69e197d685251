"""The cluster as simulated in one loop of the autoscaler; nothing here changes the real one.

Positions are the order in which searches walk the nodes: existing nodes by name, then placeholders of
upcoming nodes, by group.
"""

from collections.abc import Iterable, Sequence
from weakref import proxy

import numpy as np
from numpy.typing import NDArray

from planner.autoscaler.groups.templates import GroupTemplate, TemplateFits
from planner.autoscaler.snapshot.domain_counts import Mask
from planner.autoscaler.snapshot.dropped_positions import DroppedPositions
from planner.autoscaler.snapshot.free_room import FreeRoom
from planner.autoscaler.snapshot.listed_nodes import ListedNodes, Rows
from planner.autoscaler.snapshot.position_rules import PositionRules
from planner.scheduler.feasibility.static_fit import StaticFit
from planner.scheduler.topology.matchers import Matcher
from planner.state.cluster import Cluster
from planner.state.specs import PodSpec


class Snapshot(ListedNodes, FreeRoom):
    """Nodes and placeholders by position, and the pods placed there on trial."""

    def __init__(
        self,
        cluster: Cluster,
        rows: Rows,
        upcoming: Sequence[tuple[GroupTemplate, int]],
        static: StaticFit,
        template_fits: TemplateFits,
        expendable: Sequence[PodSpec] = (),
        placeholder_keys: Sequence[int] = (),
    ) -> None:
        ListedNodes.__init__(self, cluster, rows, upcoming, static, template_fits, placeholder_keys)
        allocatable = cluster.nodes.allocatable.take(rows, axis=0)
        free = allocatable - cluster.nodes.requested.take(rows, axis=0)
        if self.upcoming:
            allocatable = np.vstack([allocatable, *(each.node.allocatable for each in self.upcoming)])
            free = np.vstack([free, *(each.free for each in self.upcoming)])
        FreeRoom.__init__(self, allocatable, free)
        self._expendable = {spec.index: None for spec in expendable}
        self.placed: dict[int, list[int]] = {}
        """Pods placed on a position on trial, in that order."""
        self._absent: dict[int, dict[int, None]] = {}
        """Pods that have left on trial, by position."""
        self.dropped = DroppedPositions()
        """Positions whose node is taken as gone."""
        self.rules = self._fresh_rules()
        """Filters that depend on other pods."""

    def __len__(self) -> int:
        return len(self.free)

    def allowed(self, spec: PodSpec) -> Mask:
        """Positions that accept the template and pass the filters on other pods, at this moment."""
        passes = self.rules.of(spec).passes()
        return self.accepts(spec) if passes is None else self.accepts(spec) & passes

    def is_plain(self, spec: PodSpec) -> bool:
        """Whether only room decides where pods of the template may go next."""
        return not self.rules.of(spec).rules

    def only_room_decides(self, pods: Sequence[int]) -> bool:
        """Whether that is so for all these pods, and they do not count for where others may go."""
        if not pods:
            return True
        return not self.rules.in_use and all(self.is_plain(self.spec(each)) for each in {*self.templates_of(pods)})

    def taken_on_trial(self) -> NDArray[np.int64]:
        """What is taken on each real node beyond what its own pods request."""
        nodes, rows = self._cluster.nodes, self.rows
        taken: NDArray[np.int64] = self.allocatable - self.free
        return taken[: len(rows)] - nodes.requested.take(rows, axis=0)

    def pods_there(self, matcher: Matcher) -> Iterable[tuple[int, int]]:
        """Chosen pods: real ones, those placed on trial, and DaemonSet pods of placeholders."""
        pods, counts_terminating = self._cluster.pods, matcher.counts_terminating
        for spec in self._cluster.pod_specs:
            if spec.index in self._expendable or not matcher.matches(spec):
                continue
            for pod in self._cluster.workload_pods[spec.workload]:
                if pods.node[pod] < 0 or pods.spec[pod] != spec.index:
                    continue
                position = self.position(int(pods.node[pod]))
                if position is None or pod in self._absent.get(position, ()):
                    continue
                if counts_terminating or pods.deletion_us[pod] < 0:
                    yield position, 1
        for position, placed in self.placed.items():
            for pod in placed:
                if matcher.matches(self.spec_of(pod)) and pod not in self._absent.get(position, ()):
                    if counts_terminating or pods.deletion_us[pod] < 0:
                        yield position, 1
        for position, template in enumerate(self.upcoming, self.real_count):
            for daemon in template.daemons:
                if matcher.matches(daemon):
                    yield position, 1

    # -- on trial -----------------------------------------------------------------------------

    def take_off(self, pod: int, position: int) -> None:
        """A pod leaves its position on trial: the rules no longer count it there. Its room stays taken."""
        self._absent.setdefault(position, {})[pod] = None
        if self.rules.in_use:
            self._count_pod(pod, position, -1)

    def take_all_off(self, pods: Sequence[int], position: int) -> None:
        """Pods leave their position on trial."""
        if self.rules.in_use:
            for pod in pods:
                self.take_off(pod, position)
        else:
            self._absent.setdefault(position, {}).update(dict.fromkeys(pods))

    def put_back(self, pod: int, position: int) -> None:
        """Undo `take_off`."""
        del self._absent[position][pod]
        self._count_pod(pod, position, 1)

    def grow(self, template: GroupTemplate, count: int) -> None:
        """More nodes are on their way: they are listed last."""
        self.list_more(template, count)
        self.allocatable = np.vstack([self.allocatable, *[template.node.allocatable] * count])
        self.free = np.vstack([self.free, *[template.free] * count])
        self.rules = self._fresh_rules()

    def drop(self, position: int) -> None:
        """A node is taken as gone: spread constraints no longer see it. Its position stays, searched last."""
        self.dropped.add(position)
        self.rules.drop(position)

    @property
    def listed(self) -> int:
        """How many positions searches list: all but the dropped ones."""
        return len(self) - len(self.dropped)

    def _count_pod(self, pod: int, position: int, change: int) -> None:
        spec = self.spec_of(pod)
        if self.rules.in_use and self.rules.counts_any(spec):
            self.rules.change(spec, position, change, terminating=bool(self._cluster.pods.deletion_us[pod] >= 0))

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

    def spec(self, template: int) -> PodSpec:
        """A template by its number."""
        return self._cluster.pod_specs[template]

    def spec_of(self, pod: int) -> PodSpec:
        """The pod's template."""
        return self._cluster.pod_specs[self._cluster.pods.spec.item(pod)]

    def templates_of(self, pods: Sequence[int]) -> list[int]:
        """The numbers of the pods' templates."""
        found: list[int] = self._cluster.pods.spec[list(pods)].tolist()
        return found

    def put(self, pod: int, position: int, spec: PodSpec | None = None) -> None:
        """Place a pod on trial. `spec`: its template, where that is known."""
        spec = spec or self.spec_of(pod)
        self.free[position] -= self._need(spec).amounts
        self.placed.setdefault(position, []).append(pod)
        if self.rules.in_use:
            self._count_pod(pod, position, 1)

    def note_placed(self, pods: Iterable[int], positions: Iterable[int]) -> None:
        """Pods, of which there may be more than positions, are placed on trial; their room is taken already."""
        placed = self.placed
        for pod, position in zip(pods, positions, strict=False):
            placed.setdefault(position, []).append(pod)

    def count_placed(self, pods: Iterable[int], positions: Iterable[int]) -> None:
        """The rules count these pods on their positions."""
        if self.rules.in_use:
            for pod, position in zip(pods, positions, strict=False):
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

    def _fresh_rules(self) -> PositionRules:
        cluster, fits = self._cluster, self._template_fits
        return PositionRules(  # without a cycle: a snapshot goes when its loop ends
            proxy(self), cluster.pod_specs, cluster.namespace_labels, lambda spec, template: fits(spec, template)[1:]
        )
