"""Memory of a node as its kubelet sees it: what is available, how fast it shrinks, and when it runs out."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from planner.engine.queue import EventQueue
from planner.nodes.kubelet.memory_use import PodMemory
from planner.nodes.kubelet.node_disk import NodeDisks
from planner.nodes.kubelet.pressure import EvictionSettings, Observation
from planner.plan.values.thresholds import MEMORY_SIGNALS, Signal
from planner.state.cluster import Cluster
from planner.state.nodes import NONE
from planner.state.pods import PodPhase
from planner.state.specs import NodeSpec
from planner.units import US_PER_MS, US_PER_S

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class KubeletMemory:
    """A node's memory as its kubelet sees it, bytes."""

    capacity: int
    pods_limit: int
    system: int
    """What the system really uses."""
    settings: EvictionSettings

    @property
    def most(self) -> int:
        """What pods can hold at most; above that the kernel kills."""
        return min(self.capacity - self.system, self.pods_limit)

    @property
    def first_threshold(self) -> int:
        """Use of the pods above which the first memory threshold is met."""
        room = {Signal.MEMORY: self.capacity - self.system, Signal.ALLOCATABLE_MEMORY: self.pods_limit}
        whole = {Signal.MEMORY: self.capacity, Signal.ALLOCATABLE_MEMORY: self.pods_limit}
        levels = [
            room[known.signal] - known.level(whole[known.signal], with_reclaim=True)
            for known in self.settings.thresholds
            if known.signal in MEMORY_SIGNALS
        ]
        return min([self.most, *levels])


class NodeMemory:
    """Reads the memory of nodes; decides nothing."""

    def __init__(
        self,
        cluster: Cluster,
        events: EventQueue,
        memory: PodMemory,
        kubelet_of: Callable[[NodeSpec], KubeletMemory],
        disks: NodeDisks | None = None,
    ) -> None:
        """`kubelet_of`: of nodes of a template, of which more may come. `disks`: None where no workload uses disks."""
        self._cluster = cluster
        self._events = events
        self._memory = memory
        self._kubelet_of = kubelet_of
        self._kubelets: list[KubeletMemory] = []
        """By template."""
        self._disks = disks
        self._first = np.zeros(0, np.int64)
        """First threshold by template."""

    def settings(self, node: int) -> KubeletMemory:
        """The settings of a node's kubelet."""
        self._know_templates()
        return self._kubelets[self._cluster.nodes.spec.item(node)]

    def _know_templates(self) -> None:
        """Templates of machines that were bought meanwhile too."""
        specs = self._cluster.node_specs
        if len(self._kubelets) < len(specs):
            self._kubelets += map(self._kubelet_of, specs[len(self._kubelets) :])
            self._first = np.array([kubelet.first_threshold for kubelet in self._kubelets], np.int64)

    def observe(self, node: int) -> dict[Signal, Observation]:
        """Signals of memory, and of the disk where it is simulated."""
        settings, now_us = self.settings(node), self._events.now_us
        used = self._memory.used_by(list(self._cluster.node_pods[node]), now_us)
        left = max(0, settings.capacity - settings.system - used)
        left_to_pods = max(0, settings.pods_limit - used)
        disk = {} if self._disks is None else self._disks.observe(node, now_us)
        return disk | {
            Signal.MEMORY: Observation(left, settings.capacity, now_us),
            Signal.ALLOCATABLE_MEMORY: Observation(left_to_pods, settings.pods_limit, now_us),
        }

    def left(self, node: int) -> int:
        """Bytes until the kernel has to kill, page cache taken back; below 0 it has to now."""
        return self._left([node], *self._pods_on([node]))[0]

    def _left(self, nodes: Sequence[int], pods: Ints, at: Ints) -> list[int]:
        used = np.zeros(len(nodes), np.int64)
        np.add.at(used, at, self._memory.resident(pods, self._events.now_us).sum(axis=0))
        most = np.array([self.settings(node).most for node in nodes], np.int64)
        return [int(left) for left in most - used]

    def _growth_per_s(self, nodes: Sequence[int], pods: Ints, at: Ints) -> list[float]:
        """How fast these pods grow together on each of these nodes, bytes a second; `at`: place of the node of each."""
        growth: list[float] = np.bincount(at, self._memory.growth_per_s(pods), minlength=len(nodes)).tolist()
        return growth

    def _pods_on(self, nodes: Sequence[int]) -> tuple[Ints, Ints]:
        """Pods on these nodes, and the place of the node of each."""
        on = [self._cluster.node_pods[node] for node in nodes]
        pods = np.fromiter(chain.from_iterable(on), np.int64)
        return pods, np.repeat(np.arange(len(nodes)), [len(one) for one in on])

    def calm_us(self, node: int) -> int | None:
        """How long no memory threshold can be met as things grow; None: for ever."""
        [growth] = self._growth_per_s([node], *self._pods_on([node]))
        if growth <= 0:
            return None
        settings, seen = self.settings(node), self.observe(node)
        spare = min(
            seen[known.signal].available - known.level(seen[known.signal].capacity)
            for known in settings.settings.thresholds
            if known.signal in MEMORY_SIGNALS
        )
        return math.floor(max(0, spare) / growth) * US_PER_S

    def have_room(self, nodes: Sequence[int]) -> list[bool]:
        """Which of these nodes surely meet no threshold before something changes: memory on them does not grow, and
        no threshold is met now. Nothing is sure where disks are simulated, or page cache, which limits bound.
        """
        if self._disks is not None or self._memory.has_cache:
            return [False] * len(nodes)
        self._know_templates()
        pods, at = self._pods_on(nodes)
        used = np.zeros(len(nodes), np.int64)
        np.add.at(used, at, self._memory.working_sets(pods, self._events.now_us))
        first = self._first[self._cluster.nodes.spec[nodes]]
        growth = np.array(self._growth_per_s(nodes, pods, at))
        found: list[bool] = ((used <= first) & (growth <= 0)).tolist()
        return found

    def exhausted_us(self, nodes: Sequence[int]) -> list[tuple[int | None, bool]]:
        """Of each node, when the kernel has to kill if pods go on growing (None: never), and whether it is full now."""
        now_us, on = self._events.now_us, self._pods_on(nodes)

        def exhausted_us(left: int, growth: float) -> int | None:
            if left < 0:
                return now_us + US_PER_S
            return now_us + math.floor(left / growth * US_PER_S) + US_PER_MS if growth > 0 else None

        found = zip(self._left(nodes, *on), self._growth_per_s(nodes, *on), strict=True)
        return [(exhausted_us(left, growth), left < 0) for left, growth in found]

    def nodes_near_threshold(self) -> list[int]:
        """Nodes on which a memory threshold may be met now."""
        cluster = self._cluster
        rows = np.flatnonzero((cluster.pods.phase == PodPhase.RUNNING) & (cluster.pods.node != NONE))
        used = np.bincount(
            cluster.pods.node[rows],
            self._memory.working_sets(rows, self._events.now_us),
            minlength=cluster.nodes.count,
        )
        self._know_templates()
        near = used > self._first[cluster.nodes.spec]
        return [int(node) for node in np.flatnonzero(near & cluster.nodes.exists)]
