"""Kubelets that run short of memory: eviction passes, the pressure condition and its taint.

A node without pressure is checked again only when growth on it may have reached a threshold, one with room for the
pods that start on it not even then.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from planner.engine.draws import Draws
from planner.engine.phases import Phase
from planner.engine.queue import EventQueue
from planner.nodes.kubelet.container_restarts import OomKiller
from planner.nodes.kubelet.memory_use import PodMemory
from planner.nodes.kubelet.node_disk import NodeDisks
from planner.nodes.kubelet.node_memory import KubeletMemory, NodeMemory
from planner.nodes.kubelet.pressure import (
    EvictionMemory,
    PassResult,
    Pressure,
    choices,
    condition_of,
    eviction_grace_us,
    eviction_pass,
)
from planner.nodes.kubelet.pressure_taints import PressureTaints
from planner.nodes.kubelet.ranking import PodUse, RankedPod, StorageUse, is_critical
from planner.record.decisions import Actor, Decision, Verdict
from planner.record.details.nodes import LimitEviction, PressureEviction, Reclaimed
from planner.state.changes import ClusterEvent, ClusterEventKind
from planner.state.cluster import Cluster
from planner.state.nodes import NONE
from planner.state.pods import EndReason
from planner.state.specs import NodeSpec
from planner.units import US_PER_MS, US_PER_S

PASS_US = 10 * US_PER_S
POLL_US = US_PER_S
LONGEST_WAIT_US = 30 * US_PER_S
LEAST_STOP_US = 2 * US_PER_S
"""The window for SIGTERM is never shorter."""


@dataclass(frozen=True, slots=True)
class PassDue:
    """A kubelet's eviction pass, unless another one was planned since."""

    node: int
    due_us: int


@dataclass(frozen=True, slots=True)
class NodeExhausted:
    """Memory of a node is used up before the next pass, unless something changed."""

    node: int
    due_us: int


@dataclass
class _Kubelet:
    """State of one node's kubelet."""

    phase_us: int
    memory: EvictionMemory = field(default_factory=EvictionMemory)
    due_us: int = NONE
    exhausted_us: int = NONE
    victim: int = NONE
    victim_until_us: int = 0

    @property
    def is_at_ease(self) -> bool:
        """A pass has found that no threshold was met, none ever was, and nothing is foreseen: the next pass changes
        nothing as long as no threshold is met.
        """
        memory = self.memory
        return not (memory.is_first_pass or memory.last_stamp_us) and self.victim == NONE and self.exhausted_us == NONE


class MemoryPressure:
    """Runs the eviction passes of all nodes whose memory matters."""

    def __init__(
        self,
        cluster: Cluster,
        events: EventQueue,
        memory: PodMemory,
        killer: OomKiller,
        kubelet_of: Callable[[NodeSpec], KubeletMemory],
        draws: Draws,
        delete: Callable[[int, EndReason, int], None],
        decide: Callable[[Decision], None],
        disks: NodeDisks | None = None,
    ) -> None:
        """`kubelet_of`: of nodes of a template; `disks`: None where no workload has a disk use."""
        self._cluster = cluster
        self._events = events
        self._memory = memory
        self._killer = killer
        self._nodes = NodeMemory(cluster, events, memory, kubelet_of, disks)
        self.taints = PressureTaints(cluster, events, draws, decide)
        self._phase_draws, self._victim_draws = draws.of("kubelet/eviction phase"), draws.of("kubelet/victim")
        self._delete = delete
        self._decide = decide
        self._disks = disks
        self._kubelets: dict[int, _Kubelet] = {}
        self._grown: dict[int, None] = {}
        """Nodes on which containers have started at this instant."""
        cluster.subscribe(self._on_gone, (ClusterEventKind.NODE_GONE,))

    def _on_gone(self, event: ClusterEvent) -> None:
        self._kubelets.pop(event.node, None)
        self._grown.pop(event.node, None)
        self.taints.forget(event.node)

    def pod_changed(self, pod: int) -> None:
        """A pod's containers started: look at its node in the next pass."""
        self._grown[int(self._cluster.pods.node[pod])] = None

    def settle(self) -> None:
        """Nodes where containers started at this instant are looked at together."""
        if not self._grown:
            return
        nodes, self._grown = [node for node in self._grown if node != NONE], {}
        kubelets = map(self._kubelet, nodes)
        told = zip(nodes, kubelets, self._nodes.have_room(nodes), strict=True)
        uneasy = [node for node, kubelet, has_room in told if not (has_room and kubelet.is_at_ease)]
        for node in uneasy:
            kubelet = self._kubelets[node]
            if kubelet.victim == NONE:
                self._plan(node, self._grid_us(kubelet, self._events.now_us))
        self._foresee(uneasy)

    def levels_changed(self) -> None:
        """Working sets have changed at a stroke: look at nodes that may be short of memory now in their next pass."""
        for node in self._nodes.nodes_near_threshold():
            kubelet, now_us = self._kubelet(node), self._events.now_us
            next_us = self._grid_us(kubelet, now_us)
            if kubelet.victim == NONE and not now_us < kubelet.due_us <= next_us:
                self._plan(node, next_us)
            self._foresee([node])

    # -- passes -------------------------------------------------------------------------------

    def on_pass(self, event: PassDue) -> None:
        """One eviction pass; at most one pod goes, and the next pass waits for it."""
        kubelet = self._kubelets.get(event.node)
        if kubelet is None or kubelet.due_us != event.due_us or self._cluster.nodes.silent[event.node]:
            return
        now_us, node = self._events.now_us, event.node
        if kubelet.victim != NONE and self._is_ending(kubelet, now_us):
            self._plan(node, now_us + POLL_US)
            return
        kubelet.victim = NONE
        settings = self._nodes.settings(node)
        result = eviction_pass(settings.settings, kubelet.memory, self._nodes.observe(node), now_us)
        kubelet.memory = result.memory
        self.taints.report(node, tuple(str(condition) for condition in result.conditions))
        if self._evict_above_limits(node) or (result.act_on and self._evict(node, kubelet, settings, result)):
            self._plan(node, now_us + POLL_US)
        else:
            self._plan_next(node, kubelet, settings, result)
        self._foresee([node])

    def _evict(self, node: int, kubelet: _Kubelet, settings: KubeletMemory, result: PassResult) -> bool:
        cluster, now_us = self._cluster, self._events.now_us
        pods = [self._ranked(pod) for pod in cluster.node_pods[node] if cluster.pods.deletion_us[pod] == NONE]
        after = {} if self._disks is None else self._disks.after_reclaim(node, now_us)
        found = choices(settings.settings, result, pods, self._nodes.observe(node) | after)
        if any(one.reclaims for one in found):
            self._reclaim(node)
        found = [one for one in found if one.victims]
        if not found:
            return False
        choice = found[0]
        victim = self._one_of(node, choice.victims)
        pod, use = int(str(victim.key)), victim.use or PodUse()
        grace_us = max(eviction_grace_us(choice.threshold, victim, settings.settings), LEAST_STOP_US)
        available = self._nodes.observe(node)[choice.threshold.signal]
        is_disk = condition_of(choice.threshold.signal) is Pressure.DISK
        details = PressureEviction(
            signal=str(choice.threshold.signal),
            is_hard=choice.threshold.is_hard,
            used=int(use.disk.volumes if is_disk else use.memory),
            request=int(victim.disk_request if is_disk else victim.memory_request),
            available=int(available.available),
            threshold=(level := int(choice.threshold.level(available.capacity))),
            minimum_reclaim=int(choice.threshold.level(available.capacity, with_reclaim=True)) - level,
            priority=victim.priority,
            pods=len(pods),
        )
        name, on = cluster.pod_name(pod), cluster.node_name(node)
        self._decide(Decision(now_us, Actor.KUBELET, Verdict.EVICTED, name, on, details))
        self._delete(pod, EndReason.NODE_PRESSURE, grace_us)
        kubelet.victim, kubelet.victim_until_us = pod, now_us + LONGEST_WAIT_US
        return True

    def _one_of(self, node: int, victims: Sequence[RankedPod]) -> RankedPod:
        """One of the pods that no rule distinguishes."""
        if len(victims) == 1:
            return victims[0]
        nodes, pods = self._cluster.nodes, self._cluster.pods
        keys = pods.draw_key[[int(str(victim.key)) for victim in victims]]
        return victims[self._victim_draws.first(nodes.draw_key.item(node), keys)]

    def _ranked(self, pod: int) -> RankedPod:
        profile, spec = self._memory.profile(pod), self._cluster.pod_specs[self._cluster.pods.spec[pod]]
        return RankedPod(
            key=pod,
            use=PodUse(memory=self._memory.use(pod, self._events.now_us), disk=self._disk_use(pod)),
            priority=spec.priority,
            memory_request=profile.request,
            disk_request=0 if self._disks is None else self._disks.profile(pod).request,
            critical=is_critical(spec),
            grace_us=spec.running.grace_us,
        )

    def _disk_use(self, pod: int) -> StorageUse:
        """All of it counts alike where there is one disk."""
        return StorageUse() if self._disks is None else StorageUse(volumes=self._disks.use(pod, self._events.now_us))

    def _reclaim(self, node: int) -> None:
        """Unused images and dead containers go before a pod does."""
        freed = 0 if self._disks is None else self._disks.reclaim(node)
        if freed:
            name, now_us = self._cluster.node_name(node), self._events.now_us
            self._decide(Decision(now_us, Actor.KUBELET, Verdict.REMOVED, name, details=Reclaimed(int(freed))))

    def _evict_above_limits(self, node: int) -> bool:
        """Every pod above the limits of its scratch space goes, whatever the disk has left."""
        if self._disks is None:
            return False
        cluster, now_us = self._cluster, self._events.now_us
        late = [pod for pod in self._disks.above_limit(node, now_us) if cluster.pods.deletion_us[pod] == NONE]
        for pod in late:
            used, limit = self._disks.use(pod, now_us), self._disks.profile(pod).least_limit or 0
            name, on = cluster.pod_name(pod), cluster.node_name(node)
            details = LimitEviction(int(used), int(limit))
            self._decide(Decision(now_us, Actor.KUBELET, Verdict.EVICTED, name, on, details))
            self._delete(pod, EndReason.NODE_PRESSURE, LEAST_STOP_US)
        return bool(late)

    def _is_ending(self, kubelet: _Kubelet, now_us: int) -> bool:
        return bool(self._cluster.pods.node[kubelet.victim] != NONE and now_us < kubelet.victim_until_us)

    # -- when to look again -------------------------------------------------------------------

    def _kubelet(self, node: int) -> _Kubelet:
        if node not in self._kubelets:
            key = self._cluster.nodes.draw_key.item(node)
            self._kubelets[node] = _Kubelet(self._phase_draws.below(PASS_US // US_PER_MS, key) * US_PER_MS)
        return self._kubelets[node]

    def _grid_us(self, kubelet: _Kubelet, from_us: int) -> int:
        """The first regular pass after a moment."""
        return (from_us - kubelet.phase_us) // PASS_US * PASS_US + PASS_US + kubelet.phase_us

    def _plan(self, node: int, due_us: int) -> None:
        if self._kubelets[node].due_us == due_us:
            return
        self._kubelets[node].due_us = due_us
        self._events.push(due_us, Phase.NODE_STATUS, PassDue(node, due_us))

    def _plan_next(self, node: int, kubelet: _Kubelet, settings: KubeletMemory, result: PassResult) -> None:
        now_us = self._events.now_us
        if result.memory.first_seen_us or result.conditions:
            self._plan(node, self._grid_us(kubelet, now_us))
            return
        waits = [self._nodes.calm_us(node)]
        if self._disks is not None:
            waits.append(self._disks.calm_us(node, settings.settings.thresholds, now_us))
        calm_us = min((wait for wait in waits if wait is not None), default=None)
        if calm_us is None:
            kubelet.due_us = NONE
        else:
            self._plan(node, self._grid_us(kubelet, now_us + max(0, calm_us - PASS_US)))

    # -- memory that runs out before the next pass ---------------------------------------------

    def _foresee(self, nodes: Sequence[int]) -> None:
        """If growth uses up a node before its next pass could act, the kernel will have to kill."""
        for node, (due_us, is_now) in zip(nodes, self._nodes.exhausted_us(nodes), strict=True):
            kubelet = self._kubelets[node]
            kubelet.exhausted_us = NONE
            if due_us is not None and (is_now or kubelet.due_us == NONE or due_us <= kubelet.due_us):
                kubelet.exhausted_us = due_us
                self._events.push(due_us, Phase.NODE_STATUS, NodeExhausted(node, due_us))

    def on_exhausted(self, event: NodeExhausted) -> None:
        """The kernel kills one container, and another one if that was not enough."""
        kubelet = self._kubelets.get(event.node)
        if kubelet is None or kubelet.exhausted_us != event.due_us:
            return
        if self._nodes.left(event.node) < 0:
            self._killer.kill_worst_of(event.node, self._nodes.settings(event.node).capacity)
        self._foresee([event.node])
