"""Resizes of pods in place, with what they need of the rest of a run."""

from collections.abc import Callable

from planner.engine.queue import EventQueue
from planner.nodes.kubelet.qos import QosClass
from planner.nodes.resizing.kubelet_resizes import KubeletResizes, ResizeReach
from planner.record.decisions import Decision
from planner.simulation.compile.kubelet_profiles import pod_qos
from planner.simulation.parts.memory_life import MemoryLife
from planner.state.changes import ClusterEventKind
from planner.state.cluster import Cluster
from planner.workloads.controllers.pod_lifecycle import PodLifecycle


def pod_resizes(
    cluster: Cluster,
    events: EventQueue,
    lifecycle: PodLifecycle,
    memory: MemoryLife | None,
    decide: Callable[[Decision], None],
) -> KubeletResizes:
    """The resizes of a run; without a memory model no limit is ever too low."""
    classes: dict[int, QosClass] = {}

    def qos(template: int) -> QosClass:
        if template not in classes:
            classes[template] = pod_qos(cluster.pod_specs[template].template)
        return classes[template]

    def exceeds(pod: int, template: int) -> bool:
        return memory is not None and memory.memory.would_exceed(pod, template, events.now_us)

    def restart(pod: int, places: tuple[int, ...]) -> None:
        """The containers start afresh; the pod serves again after its start-up."""
        for place in places:
            cluster.count_restart(pod)
            if memory is not None:
                memory.memory.start_container(pod, place)
        lifecycle.processes_end(pod)
        lifecycle.mark_not_ready(pod, cluster.pod_specs[cluster.pods.spec[pod]].running.startup_us)

    if memory is not None:
        killer = memory.killer
        cluster.subscribe(lambda event: killer.watch(event.pod), (ClusterEventKind.POD_RESIZED,))
    return KubeletResizes(cluster, events, ResizeReach(qos, exceeds, restart), decide)
