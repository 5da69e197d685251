"""Removing the chosen nodes: taint and cordon, wait, evict, poll, delete at the cloud."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum, StrEnum, auto

from planner.autoscaler.cloud import CloudProvider, CloudRefusal, PodEvictor
from planner.autoscaler.groups.group_options import GroupOptions
from planner.autoscaler.scaledown.drain.node_pods import PodsNow
from planner.autoscaler.scaledown.taints import TO_BE_DELETED
from planner.plan.model.autoscalers.cluster_autoscaler import ClusterAutoscalerSettings
from planner.state.cluster import Cluster
from planner.state.nodes import NONE
from planner.state.pods import PodPhase
from planner.units import US_PER_S

POLL_INTERVAL_US = 5 * US_PER_S
EVICTION_RETRY_US = 10 * US_PER_S
EVICTION_HEADROOM_US = 30 * US_PER_S


class RemovalFailure(StrEnum):
    """Why a removal was given up."""

    NEW_PODS = "NewPods"
    """Pods came to a node that was thought empty."""
    BLOCKED = "Blocked"
    """A pod keeps the node by now, for example because a budget is used up."""
    EVICTION_REFUSED = "EvictionRefused"
    PODS_REMAIN = "PodsRemain"
    CLOUD_REFUSED = "CloudRefused"
    GROUP_STAYS = "GroupStays"
    """Another node of a group that goes as a whole could not be removed."""


class _Stage(Enum):
    TAINTED = auto()
    EVICTING = auto()
    POLLING = auto()
    HELD = auto()
    """Only an annotation delay-deletion keeps the node."""
    QUEUED = auto()
    """Ready to be deleted together with the rest of its group."""


@dataclass(slots=True)
class _Batch:
    """Nodes of a group that goes as a whole: deleted together, or not at all."""

    size: int
    is_given_up: bool = False


@dataclass(slots=True)
class Removal:
    """One removal in progress."""

    node: int
    is_drain: bool
    due_us: int
    stage: _Stage = _Stage.TAINTED
    until_us: int = 0
    """When the present stage fails."""
    pods: tuple[int, ...] = ()
    """Pods that have to be gone before the node is deleted."""
    to_evict: list[int] = field(default_factory=list)
    """Pods whose eviction was not accepted yet."""
    best_effort: list[int] = field(default_factory=list)
    """DaemonSet pods that are evicted too: the drain waits for them, but they do not keep the node in the end."""
    batch: _Batch | None = None
    """None for nodes that go one by one."""


@dataclass(frozen=True, slots=True)
class RemovalEnd:
    """How a removal ended: `failure` says why the node stays, None when it was deleted."""

    node: int
    is_drain: bool
    failure: RemovalFailure | None = None
    pods: tuple[int, ...] = ()
    """Pods whose eviction was refused."""


class Actuator:
    """Carries out removals step by step at its timers (Cluster Autoscaler 1.36.1, core/scaledown/actuation).

    `pods_now`: what is on a node at a moment.
    """

    def __init__(
        self,
        cluster: Cluster,
        cloud: CloudProvider,
        evictor: PodEvictor,
        settings: ClusterAutoscalerSettings,
        pods_now: Callable[[int, int], PodsNow],
        options: Sequence[GroupOptions],
    ) -> None:
        self._cluster = cluster
        self._cloud = cloud
        self._evictor = evictor
        self._settings = settings
        self._pods_now = pods_now
        self._options = options
        self._removals: dict[int, Removal] = {}
        self._ended: list[Removal] = []
        self._ended_us = NONE

    def in_progress(self) -> tuple[list[int], list[int]]:
        """Nodes in removal: empty ones, and those being drained; `just_ended` ones still count."""
        removals = [*self._removals.values(), *self._ended_now()]
        return [each.node for each in removals if not each.is_drain], [each.node for each in removals if each.is_drain]

    def just_ended(self) -> list[int]:
        """Nodes whose removal ended at this very moment.

        A loop that begins now has looked before their worker reports: it sees the taint and the target of before.
        """
        return [each.node for each in self._ended_now()]

    def _ended_now(self) -> Sequence[Removal]:
        return self._ended if self._ended_us == self._cluster.clock.now_us else ()

    def next_timer_us(self) -> int | None:
        """When `run_timers` has something to do next."""
        acting = (removal for removal in self._removals.values() if removal.stage is not _Stage.QUEUED)
        return min((removal.due_us for removal in acting), default=None)

    def start(self, empty: Sequence[int], drain: Sequence[int], now_us: int) -> None:
        """Taint and cordon the nodes; the rest follows after the delay."""
        due_us = now_us + self._settings.node_delete_delay_after_taint
        batches = self._batches((*empty, *drain))
        for node, is_drain in [*((node, False) for node in empty), *((node, True) for node in drain)]:
            batch = batches.get(int(self._cluster.nodes.group[node]))
            self._removals[node] = Removal(node, is_drain, due_us, batch=batch)
            self._cluster.begin_node_deletion(node)
            self._cluster.set_taints(node, (*self._cluster.node_taints(node), TO_BE_DELETED))
            if self._settings.cordon_node_before_terminating:
                self._cluster.set_unschedulable(node, True)

    def _batches(self, nodes: Sequence[int]) -> dict[int, _Batch]:
        """By group, for the groups among these nodes' that go as a whole."""
        groups = [int(self._cluster.nodes.group[node]) for node in nodes]
        return {group: _Batch(groups.count(group)) for group in groups if self._options[group].zero_or_max}

    def run_timers(self, now_us: int) -> list[RemovalEnd]:
        """Do everything that is due; the removals that ended."""
        due = [each for each in self._removals.values() if each.due_us <= now_us and each.stage is not _Stage.QUEUED]
        ends: list[RemovalEnd] = []
        for removal in due:
            if removal.stage is _Stage.TAINTED:
                self._after_delay(removal, now_us, ends)
        self._evict(due, now_us)
        for removal in due:
            if removal.node in self._removals and removal.stage is not _Stage.QUEUED:
                self._advance(removal, now_us, ends)
        return ends

    def _after_delay(self, removal: Removal, now_us: int, ends: list[RemovalEnd]) -> None:
        pods = self._pods_now(removal.node, now_us)
        if pods.is_kept:
            self._give_up(removal, RemovalFailure.BLOCKED, ends)
            return
        if not removal.is_drain:
            if pods.is_filled:
                self._give_up(removal, RemovalFailure.NEW_PODS, ends)
                return
            for pod in self._daemon_pods(removal.node, by_default=self._settings.daemonset_eviction_for_empty_nodes):
                self._evictor.evict(pod)
            self._delete(removal, ends)
            return
        removal.stage, removal.pods = _Stage.EVICTING, pods.evicted
        removal.to_evict = list(pods.evicted)
        by_default = self._settings.daemonset_eviction_for_occupied_nodes
        removal.best_effort = self._daemon_pods(removal.node, by_default=by_default)
        removal.until_us = now_us + max(self._settings.max_pod_eviction_time, 1)

    def _evict(self, removals: Sequence[Removal], now_us: int) -> None:
        """All evictions of this instant, in order of pod creation."""
        evicting = [each for each in removals if each.stage is _Stage.EVICTING and now_us < each.until_us]
        asked = sorted((pod, each.node) for each in evicting for pod in (*each.to_evict, *each.best_effort))
        for pod, node in asked:
            removal = self._removals[node]
            gone = self._is_gone(pod, node) or self._cluster.pods.deletion_us[pod] != NONE
            if gone or self._evictor.evict(pod):
                (removal.to_evict if pod in removal.to_evict else removal.best_effort).remove(pod)

    def _advance(self, removal: Removal, now_us: int, ends: list[RemovalEnd]) -> None:
        if removal.stage is _Stage.HELD:
            if now_us >= removal.due_us:
                self._delete(removal, ends)
            return
        if removal.stage is _Stage.EVICTING:
            is_over = now_us >= removal.until_us
            if removal.to_evict and is_over:
                self._give_up(removal, RemovalFailure.EVICTION_REFUSED, ends, removal.to_evict)
                return
            if not is_over and (removal.to_evict or removal.best_effort):
                removal.due_us = now_us + EVICTION_RETRY_US
                return
            removal.stage = _Stage.POLLING
            removal.until_us = now_us + self._settings.max_graceful_termination + EVICTION_HEADROOM_US
        if now_us >= removal.until_us:
            self._give_up(removal, RemovalFailure.PODS_REMAIN, ends)
        elif all(self._is_gone(pod, removal.node) for pod in removal.pods):
            self._delete(removal, ends)
        else:
            removal.due_us = now_us + POLL_INTERVAL_US

    def _daemon_pods(self, node: int, *, by_default: bool) -> list[int]:
        """Evicted too before a node is deleted: those that say so, and by default those that say nothing."""
        cluster, pods, found = self._cluster, self._cluster.pods, []
        for pod in cluster.node_pods[node]:
            spec = cluster.pod_specs[pods.spec[pod]]
            own = spec.scaling.enable_ds_eviction
            if spec.is_daemon and pods.deletion_us[pod] == NONE and (by_default if own is None else own):
                found.append(pod)
        return found

    def _is_gone(self, pod: int, node: int) -> bool:
        pods = self._cluster.pods
        return bool(pods.phase[pod] == PodPhase.GONE or pods.node[pod] != node)

    def _delete(self, removal: Removal, ends: list[RemovalEnd]) -> None:
        hold_us = self._options[int(self._cluster.nodes.group[removal.node])].hold_us
        if hold_us > 0 and removal.stage is not _Stage.HELD:
            removal.stage, removal.due_us = _Stage.HELD, self._cluster.clock.now_us + hold_us
            return
        if removal.batch is not None and removal.batch.is_given_up:
            self._give_up(removal, RemovalFailure.GROUP_STAYS, ends)
            return
        removal.stage = _Stage.QUEUED
        ready = [removal] if removal.batch is None else self._queued(removal.batch)
        if removal.batch is None or len(ready) == removal.batch.size:
            for each in ready:
                self._delete_at_cloud(each, ends)

    def _queued(self, batch: _Batch) -> list[Removal]:
        return [each for each in self._removals.values() if each.batch is batch and each.stage is _Stage.QUEUED]

    def _delete_at_cloud(self, removal: Removal, ends: list[RemovalEnd]) -> None:
        if removal.node not in self._removals:
            return  # given up with the group
        try:
            self._cloud.delete_node(removal.node)
        except CloudRefusal:
            self._give_up(removal, RemovalFailure.CLOUD_REFUSED, ends)
            return
        self._end(removal)
        ends.append(RemovalEnd(removal.node, removal.is_drain))

    def _end(self, removal: Removal) -> None:
        del self._removals[removal.node]
        now_us = self._cluster.clock.now_us
        self._ended = [*(self._ended if self._ended_us == now_us else ()), removal]
        self._ended_us = now_us

    def _give_up(
        self, removal: Removal, failure: RemovalFailure, ends: list[RemovalEnd], pods: Sequence[int] = ()
    ) -> None:
        self._end(removal)
        self._release(removal.node)
        ends.append(RemovalEnd(removal.node, removal.is_drain, failure, tuple(pods)))
        if removal.batch is not None and not removal.batch.is_given_up:
            removal.batch.is_given_up = True
            for each in self._queued(removal.batch):
                self._give_up(each, RemovalFailure.GROUP_STAYS, ends)

    def _release(self, node: int) -> None:
        taints = tuple(taint for taint in self._cluster.node_taints(node) if taint != TO_BE_DELETED)
        self._cluster.set_taints(node, taints)
        if self._settings.cordon_node_before_terminating:
            self._cluster.set_unschedulable(node, False)
        self._cluster.abandon_node_deletion(node)
