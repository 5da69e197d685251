"""Assembles the memory model of a run: working sets, evictions by kubelets and OOM kills by the kernel."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from planner.engine.draws import Draws
from planner.engine.queue import EventQueue
from planner.metrics.sample import MemoryUsed
from planner.nodes.kubelet.container_restarts import OomKiller
from planner.nodes.kubelet.kubelet_admission import KubeletAdmission
from planner.nodes.kubelet.memory_pressure import MemoryPressure
from planner.nodes.kubelet.memory_profile import MemoryProfile
from planner.nodes.kubelet.memory_use import PodMemory
from planner.nodes.kubelet.node_memory import KubeletMemory
from planner.nodes.kubelet.pressure import EvictionSettings
from planner.plan.derived.allocatable import offer_of, thresholds_of
from planner.plan.derived.followed import memory_is_followed
from planner.plan.derived.karpenter_groups import karpenter_rows
from planner.plan.model.kubelet import KubeletSettings
from planner.plan.model.node_groups import NodeGroup
from planner.plan.model.plan import Plan
from planner.plan.model.workloads import Workload
from planner.record.decisions import Decision
from planner.simulation.compile.kubelet_profiles import memory_profile
from planner.simulation.compile.pods import Admission
from planner.simulation.compile.world import World, keepers
from planner.simulation.parts.disk_life import node_disks
from planner.simulation.parts.memory_levels import MemoryLevels
from planner.state.changes import ClusterEventKind
from planner.state.cluster import Cluster
from planner.state.nodes import NONE
from planner.state.pods import PodPhase
from planner.state.resources import MEMORY
from planner.state.specs import NodeSpec, PodSpec
from planner.workloads.controllers.pod_lifecycle import PodLifecycle

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class MemoryLife:
    """Simulated only in plans that say what memory some workload uses."""

    memory: PodMemory
    killer: OomKiller
    pressure: MemoryPressure
    admission: KubeletAdmission
    levels: MemoryLevels

    @classmethod
    def of(
        cls,
        plan: Plan,
        world: World,
        events: EventQueue,
        lifecycle: PodLifecycle,
        draws: Draws,
        decide: Callable[[Decision], None],
        held_of: Callable[[Ints], Floats],
        restarted: Callable[[int], None],
    ) -> "MemoryLife | None":
        """The memory of a run; None if no workload has a memory use and no autoscaler follows one.

        `held_of`: requests that each of these pod rows holds. `restarted` is called with pods whose containers started.
        """
        has_memory = any(item.memory_use is not None or _has_curve(item) for item in plan.workloads)
        has_disks = any(item.disk_use is not None for item in plan.workloads)
        if not has_memory and not has_disks and not memory_is_followed(plan):
            return None
        cluster = world.cluster
        memory = PodMemory(cluster, _profile_of(plan), draws)
        longest_us = {row: _kubelet(group).max_container_restart_period for row, group in enumerate(plan.node_groups)}
        killer = OomKiller(cluster, events, memory, longest_us, lifecycle.mark_not_ready, decide)
        disks = node_disks(plan, world) if has_disks else None
        kubelet_of = _kubelet_memory_of(plan)
        pressure = MemoryPressure(cluster, events, memory, killer, kubelet_of, draws, lifecycle.delete, decide, disks)
        admission = KubeletAdmission(cluster, events, memory, pressure.taints.conditions_of, lifecycle.delete, decide)
        levels = MemoryLevels(plan, cluster, memory, held_of)
        levels.follow(events.now_us)
        for listener in (killer.watch, pressure.pod_changed, restarted):
            memory.subscribe(listener)
        cluster.subscribe(lambda event: memory.start(event.pod), (ClusterEventKind.POD_RUNNING,))
        return cls(memory, killer, pressure, admission, levels)

    def follow(self, now_us: int) -> None:
        """A load step ends: memory follows it, and whatever is too much of it now has its consequences."""
        pods = self.levels.follow(now_us)
        if len(pods):
            self.killer.check_limits(pods)
            self.pressure.levels_changed()

    def used(self, cluster: Cluster, now_us: int) -> MemoryUsed:
        """Working sets of the running pods now."""
        pods = cluster.pods
        rows = np.flatnonzero((pods.phase == PodPhase.RUNNING) & (pods.node != NONE))
        used = self.memory.working_sets(rows, now_us).astype(np.float64)
        return MemoryUsed(
            np.bincount(pods.node[rows], used, minlength=cluster.nodes.count).astype(np.float64),
            np.bincount(pods.workload[rows], used, minlength=cluster.workloads.count).astype(np.float64),
        )


def _profile_of(plan: Plan) -> Callable[[PodSpec], MemoryProfile]:
    admission, items = Admission.of(plan), keepers(plan)
    return lambda spec: memory_profile(items[spec.workload], spec, admission.overhead(spec.template))


def _has_curve(item: Workload) -> bool:
    return item.use is not None and item.use.memory is not None


def _kubelet(group: NodeGroup) -> KubeletSettings:
    return group.kubelet or KubeletSettings()


def _kubelet_memory_of(plan: Plan) -> Callable[[NodeSpec], KubeletMemory]:
    """Nodes of a group are equal; each of Karpenter's machines has its own size, and its type says what is reserved."""
    bought = karpenter_rows(plan)

    def of(spec: NodeSpec) -> KubeletMemory:
        group = plan.node_groups[spec.group]
        capacity, pods_limit = group.memory, offer_of(group).pods_memory_limit
        if spec.group in bought:
            capacity, pods_limit = int(spec.capacity[MEMORY]), int(spec.allocatable[MEMORY])
        return _kubelet_memory(_kubelet(group), capacity, pods_limit)

    return of


def _kubelet_memory(kubelet: KubeletSettings, capacity: int, pods_limit: int) -> KubeletMemory:
    settings = EvictionSettings(
        thresholds_of(kubelet), kubelet.eviction_pressure_transition_period, kubelet.eviction_max_pod_grace_period
    )
    return KubeletMemory(capacity, pods_limit, kubelet.system_memory, settings)
