"""Views of the pods of a run, made again only where something has changed."""

from collections.abc import Iterable, Iterator, Sequence
from typing import overload

import numpy as np
from numpy.typing import NDArray

from planner.karpenter.control.claims import FOREVER_US
from planner.karpenter.pod_view import BoundViews, PlainPods, PodView
from planner.karpenter.pods.annotations import keeps_node
from planner.karpenter.pods.volumes import volume_alternatives
from planner.karpenter.requirements.requirement import one_of
from planner.karpenter.requirements.requirements import Requirements
from planner.plan.model.node_groups import ZONE_LABEL
from planner.state.changes import ClusterEvent, ClusterEventKind
from planner.state.cluster import Cluster
from planner.state.nodes import NONE
from planner.state.pods import PodPhase
from planner.state.scaling import ControllerKind
from planner.state.specs import PodSpec
from planner.units import US_PER_MIN, US_PER_S

POD_CHANGES = (
    ClusterEventKind.POD_BOUND,
    ClusterEventKind.POD_RUNNING,
    ClusterEventKind.POD_DELETING,
    ClusterEventKind.POD_GONE,
    ClusterEventKind.POD_READINESS,
    ClusterEventKind.POD_RESIZED,
    ClusterEventKind.NODE_ADDED,
)
_STARTS = (ClusterEventKind.POD_RUNNING, ClusterEventKind.POD_READINESS)


_Read = tuple[tuple[PodView, ...], int]
"""The pods of a node, and the last moment at which they are so unless something happens."""


class ViewedPods(BoundViews):
    """The pods of a node, read when they are first looked at, which is before anything else happens on the node."""

    def __init__(self, views: "PodViews", node: int) -> None:
        self._views, self._node = views, node
        self._read: tuple[PodView, ...] | None = None
        self.until_us = FOREVER_US
        """The last moment at which they are as they were read."""

    @property
    def _all(self) -> tuple[PodView, ...]:
        if self._read is None:
            self._read, self.until_us = self._views.on_node(self._node)
        return self._read

    @property
    def plain(self) -> PlainPods | None:
        """What tells of plain pods without a look at each; None if some are not plain."""
        return self._views.plain_on(self._node)

    def __len__(self) -> int:
        return len(self._all)

    @overload
    def __getitem__(self, at: int) -> PodView: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[PodView]: ...
    def __getitem__(self, at: int | slice) -> PodView | Sequence[PodView]:
        return self._all[at]

    def __iter__(self) -> Iterator[PodView]:
        return iter(self._all)


class _PodSorts:
    """Of which templates pods are plain, and which are those of DaemonSets."""

    def __init__(self) -> None:
        self.is_plain: NDArray[np.bool_] = np.zeros(0, dtype=np.bool_)
        self.is_daemon: NDArray[np.bool_] = np.zeros(0, dtype=np.bool_)

    def update(self, specs: Sequence[PodSpec]) -> None:
        """Look at templates that are new."""
        new = specs[len(self.is_plain) :]
        if new:
            self.is_plain = np.append(self.is_plain, list(map(_is_plain, new)))
            self.is_daemon = np.append(self.is_daemon, [spec.is_daemon for spec in new])


def _is_plain(spec: PodSpec) -> bool:
    """Whether pods of a template count the same in everything but their kind and age."""
    pod, scaling = spec.template, spec.scaling
    is_kept = scaling.is_mirror or scaling.controller is ControllerKind.STATEFUL_SET or spec.placement.volume_zone
    return not (pod.do_not_disrupt or pod.deletion_cost or spec.priority or is_kept)


class PodViews:
    """The pods of each node as Karpenter sees them."""

    def __init__(self, cluster: Cluster, daemons: Iterable[PodSpec] = ()) -> None:
        self._cluster = cluster
        self._daemons = {spec.workload: spec for spec in daemons}
        """What stands for the pods of each DaemonSet, by workload."""
        self.daemons: Sequence[PodSpec] = list(self._daemons.values())
        """The template of the newest pod of each DaemonSet, or that of the set as long as there is none.

        Another list once one has changed. Karpenter 1.13, pkg/controllers/state/cluster.go (UpdateDaemonSet) and
        pkg/controllers/provisioning/provisioner.go (getDaemonSetPods).
        """
        self._podless = {spec.workload: spec.index for spec in daemons}
        """Templates of DaemonSets without a pod so far, by workload."""
        self._newest_us: dict[int, int] = {}
        """When the pod was created that stands for a DaemonSet."""
        self.follows_readiness = False
        """Budgets of pods may ask whether pods are Ready."""
        self._sorts = _PodSorts()
        self._by_node: dict[int, _Read] = {}
        self._passing_us: dict[int, int] = {}
        """The last moment at which the pods of a node (row) are as they were read, where that ends by itself."""
        self._known: dict[int, tuple[PodView, int]] = {}
        self._bare: dict[int, None] = {}
        """Nodes without a pod that surely needs another node."""
        self._unsure: dict[int, None] = {}
        """Nodes that may have come among them, or left them."""
        cluster.subscribe(self._on_change, POD_CHANGES)
        cluster.subscribe(self._on_bound, (ClusterEventKind.POD_BOUND,))
        cluster.subscribe(self._on_node_gone, (ClusterEventKind.NODE_GONE,))

    def is_unseen(self, event: ClusterEvent) -> bool:
        """Whether what happened to a pod does not show: where no budget asks whether pods are Ready, and no annotation
        counts from its start, a pod that starts looks as before.
        """
        if event.kind not in _STARTS or self.follows_readiness:
            return False
        spec = self._cluster.pod_specs[self._cluster.pods.spec.item(event.pod)]
        return spec.template.do_not_disrupt == ""

    def _on_change(self, event: ClusterEvent) -> None:
        if self.is_unseen(event):
            return
        self._by_node.pop(event.node, None)
        self._passing_us.pop(event.node, None)
        self._known.pop(event.pod, None)
        self._unsure[event.node] = None

    def _on_bound(self, event: ClusterEvent) -> None:
        pods = self._cluster.pods
        spec = self._cluster.pod_specs[pods.spec.item(event.pod)]
        workload, created_us = spec.workload, pods.created_us.item(event.pod)
        newest_us = self._newest_us.get(workload)
        if workload not in self._daemons or (newest_us is not None and created_us <= newest_us):
            return
        self._podless.pop(workload, None)
        self._newest_us[workload] = created_us
        if self._daemons[workload] is not spec:
            self._daemons[workload] = spec
            self.daemons = list(self._daemons.values())

    @property
    def bare_daemons(self) -> frozenset[int]:
        """Numbers of the templates of DaemonSets of which no pod has been bound yet."""
        return frozenset(self._podless.values())

    def _on_node_gone(self, event: ClusterEvent) -> None:
        self._unsure[event.node] = None

    def on_node(self, node: int) -> _Read:
        """The pods that are bound to a node."""
        known, now_us = self._by_node.get(node), self._cluster.clock.now_us
        if known is None or known[1] < now_us:
            read = [self._read(pod, now_us) for pod in self._cluster.node_pods[node]]
            until_us = min((until_us for _, until_us in read), default=FOREVER_US)
            known = self._by_node[node] = tuple(view for view, _ in read), until_us
            self._passing_us.pop(node, None)
            if until_us < FOREVER_US:
                self._passing_us[node] = until_us
        return known

    def plain_on(self, node: int) -> PlainPods | None:
        """The pods that are bound to a node, if they are plain."""
        cluster, pods = self._cluster, self._cluster.pods
        there = cluster.node_pods[node]
        rows = np.fromiter(there, np.int64, len(there))
        specs = pods.spec[rows].astype(np.int64)
        self._sorts.update(cluster.pod_specs)
        if not self._sorts.is_plain[specs].all():
            return None
        is_mover = (pods.deletion_us[rows] == NONE) & ~self._sorts.is_daemon[specs]
        created_us = pods.created_us[rows[is_mover]]
        return PlainPods(len(rows), specs[is_mover], created_us - created_us % US_PER_S, cluster.pod_specs)

    def known(self, pod: int) -> PodView:
        """One pod as it was read last, if it still is so."""
        return self._read(pod, self._cluster.clock.now_us)[0]

    def _read(self, pod: int, now_us: int) -> tuple[PodView, int]:
        known = self._known.get(pod)
        if known is None or known[1] < now_us:
            view = self.view(pod)
            known = self._known[pod] = view, self._until_us(view)
        return known

    def _until_us(self, pod: PodView) -> int:
        """The last moment at which a pod is as it was read, unless something happens to it."""
        if pod.spec.template.do_not_disrupt not in ("", "true"):
            return self._cluster.clock.now_us
        deletion_us = self._cluster.pods.deletion_us.item(pod.row)
        return FOREVER_US if deletion_us == NONE or pod.is_stuck else _stuck_after_us(pod.spec, deletion_us)

    def passed(self, now_us: int) -> list[int]:
        """Nodes whose pods have changed by themselves since they were read."""
        return [node for node, until_us in self._passing_us.items() if until_us < now_us]

    def bare_nodes(self) -> Iterable[int]:
        """Nodes of which no pod surely needs another one: those of DaemonSets and kubelets do not, and those that end
        may not.
        """
        for node in self._unsure:
            if self._cluster.nodes.exists[node] and self._is_bare(node):
                self._bare[node] = None
            else:
                self._bare.pop(node, None)
        self._unsure.clear()
        return self._bare

    def _is_bare(self, node: int) -> bool:
        pods, specs = self._cluster.pods, self._cluster.pod_specs
        return not any(
            pods.deletion_us[pod] == NONE and not (spec.is_daemon or spec.scaling.is_mirror)
            for pod in self._cluster.node_pods[node]
            for spec in (specs[pods.spec[pod]],)
        )

    def view(self, pod: int) -> PodView:
        """One pod."""
        cluster, pods, now_us = self._cluster, self._cluster.pods, self._cluster.clock.now_us
        spec = cluster.pod_specs[pods.spec.item(pod)]
        started_us, deletion_us = pods.running_us.item(pod), pods.deletion_us.item(pod)
        mark = spec.template.do_not_disrupt
        return PodView(
            row=pod,
            uid=f"{spec.namespace}/{cluster.pod_name(pod)}",
            spec=spec,
            created_us=pods.created_us.item(pod) // US_PER_S * US_PER_S,
            is_active=deletion_us == NONE,
            is_ready=bool(pods.ready[pod]) or pods.phase[pod] != PodPhase.RUNNING,
            is_stateful=spec.scaling.controller is ControllerKind.STATEFUL_SET,
            is_static=spec.scaling.is_mirror,
            keeps_node=mark != "" and keeps_node(mark, None if started_us == NONE else started_us, now_us),
            is_stuck=deletion_us != NONE and now_us > _stuck_after_us(spec, deletion_us),
            deletion_cost=spec.template.deletion_cost,
            volumes=_volumes(spec.placement.volume_zone),
        )


def _stuck_after_us(spec: PodSpec, deletion_us: int) -> int:
    """A pod that is deleted counts as stuck after this moment."""
    return deletion_us + spec.running.grace_us + US_PER_MIN


def _volumes(zone: str) -> tuple[Requirements, ...]:
    return volume_alternatives([[{ZONE_LABEL: one_of(zone)}]]) if zone else ()
