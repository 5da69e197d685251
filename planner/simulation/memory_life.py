"""Memory of a run, put together: working sets, kubelets that evict, a kernel that kills."""

from collections.abc import Callable
from dataclasses import dataclass

from planner.engine.queue import EventQueue
from planner.engine.streams import Streams
from planner.nodes.container_restarts import OomKiller, RestartSettings
from planner.nodes.kubelet_admission import KubeletAdmission
from planner.nodes.memory_pressure import KubeletMemory, MemoryPressure
from planner.nodes.memory_use import MemoryProfile, PodMemory, default_start
from planner.nodes.pressure import EvictionSettings
from planner.nodes.qos import Claims, QosClass, qos_class
from planner.plan.horizontal_pod_autoscaler import follows_memory
from planner.plan.kubelet import KubeletSettings
from planner.plan.node_groups import NodeGroup
from planner.plan.plan import Plan
from planner.plan.pods import Container, PodTemplate
from planner.plan.workloads import Overprovisioning, Workload
from planner.record.decisions import Decision
from planner.simulation.compile import World, keepers
from planner.simulation.compile_nodes import offer_of, thresholds_of
from planner.state.changes import ClusterEvent, ClusterEventKind
from planner.state.resources import MEMORY
from planner.state.specs import PodSpec
from planner.units import MIB
from planner.workloads.lifecycle import PodLifecycle

PAUSE_MEMORY = MIB


@dataclass(frozen=True)
class MemoryLife:
    """Simulated only in plans that say what memory some workload uses."""

    memory: PodMemory
    killer: OomKiller
    pressure: MemoryPressure
    admission: KubeletAdmission

    @classmethod
    def of(
        cls,
        plan: Plan,
        world: World,
        events: EventQueue,
        lifecycle: PodLifecycle,
        streams: Streams,
        decide: Callable[[Decision], None],
    ) -> "MemoryLife | None":
        """The memory of a run; None if no workload has a memory use and no autoscaler follows one."""
        is_told = any(item.memory_use is not None for item in plan.workloads)
        if not is_told and not follows_memory(plan.horizontal_pod_autoscalers):
            return None
        cluster, draws = world.cluster, streams["nodes/memory"]
        profiles = {row: _profile(item, world.pod_spec_of[row]) for row, item in enumerate(keepers(plan))}

        def changed(pod: int) -> None:
            life.killer.watch(pod)
            life.pressure.pod_changed(pod)

        memory = PodMemory(cluster, profiles, draws, changed)
        settings = RestartSettings(
            {row: _kubelet(group).max_container_restart_period for row, group in enumerate(plan.node_groups)},
            {row: spec.startup_us for row, spec in world.pod_spec_of.items()},
        )
        killer = OomKiller(cluster, events, memory, settings, lifecycle.mark_not_ready, decide)
        kubelets = {row: _kubelet_memory(group) for row, group in enumerate(plan.node_groups)}
        pressure = MemoryPressure(cluster, events, memory, killer, kubelets, draws, lifecycle.delete, decide)
        admission = KubeletAdmission(cluster, events, memory, pressure.conditions_of, lifecycle.delete, decide)
        life = cls(memory, killer, pressure, admission)

        def on_running(event: ClusterEvent) -> None:
            memory.start(event.pod)

        cluster.subscribe(on_running, (ClusterEventKind.POD_RUNNING,))
        return life


def _kubelet(group: NodeGroup) -> KubeletSettings:
    return group.kubelet or KubeletSettings()


def _kubelet_memory(group: NodeGroup) -> KubeletMemory:
    kubelet = _kubelet(group)
    settings = EvictionSettings(
        thresholds_of(kubelet), kubelet.eviction_pressure_transition_period, kubelet.eviction_max_pod_grace_period
    )
    return KubeletMemory(group.memory, offer_of(group).pods_memory_limit, kubelet.system_memory, settings)


def _profile(item: Workload | Overprovisioning, spec: PodSpec) -> MemoryProfile:
    request, limit, qos = int(spec.request[MEMORY]), _limit(item.pod), _qos(item.pod)
    if isinstance(item, Overprovisioning):
        return MemoryProfile(request, PAUSE_MEMORY, limit, qos=qos)
    use = item.memory_use
    if use is None:
        return MemoryProfile(request, default_start(request), limit, qos=qos)
    start = default_start(request) if use.start is None else use.start
    return MemoryProfile(request, start, limit, use.growth_per_hour, use.growth_from, use.spread, qos)


def _limit(pod: PodTemplate) -> int | None:
    """Memory the containers may use together; None if one of them has no limit."""
    limits = [container.limits.memory for container in pod.containers]
    return None if None in limits else sum(limit or 0 for limit in limits)


def _qos(pod: PodTemplate) -> QosClass:
    return qos_class([_claims(container) for container in (*pod.containers, *pod.init_containers)])


def _claims(container: Container) -> Claims:
    limits = {"cpu": container.limits.cpu or 0, "memory": container.limits.memory or 0}
    requests = {"cpu": container.requests.cpu, "memory": container.requests.memory}
    return Claims({name: limits[name] if asked is None else asked for name, asked in requests.items()}, limits)
