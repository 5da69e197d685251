"""Events of workloads: new revisions and sizes, late images, pods that are not Ready for a while."""

from planner.plan.model.events.on_workloads import (
    CreateWorkload,
    DeletePods,
    DeleteWorkload,
    ImagePullDelay,
    ReadinessFlap,
    Rollout,
    SetReplicas,
)
from planner.simulation.plan_events.scene import Effects, Scene
from planner.state.nodes import NONE
from planner.state.pods import EndReason


def image_pull(scene: Scene, event: ImagePullDelay) -> list[str]:
    """Pods bound meanwhile start later."""
    delays, row = scene.reach.lifecycle.pull_delay_us, scene.reach.workload_rows[event.workload]
    delays[row] = delays.get(row, 0) + event.delay

    def end() -> None:
        delays[row] -= event.delay

    scene.later(event.duration, end)
    return []


def readiness_flap(scene: Scene, event: ReadinessFlap) -> list[str]:
    """Ready pods chosen at random leave service for a while."""
    cluster, row = scene.cluster, scene.reach.workload_rows[event.workload]
    ready = [pod for pod in cluster.workload_pods[row] if cluster.pods.ready[pod]]
    hit = scene.some(ready, cluster.pods.draw_key[ready], event.count)
    for pod in hit:
        scene.reach.lifecycle.mark_not_ready(pod, for_us=event.duration)
    return [cluster.pod_name(pod) for pod in hit]


def rollout(scene: Scene, event: Rollout) -> list[str]:
    """A new revision."""
    scene.reach.roll_out(scene.reach.workload_rows[event.workload], event.pod)
    return []


def create(scene: Scene, event: CreateWorkload) -> list[str]:
    """The object appears, with the replicas of its manifest."""
    row = scene.reach.workload_rows[event.workload]
    scene.cluster.set_absent(row, False)
    scene.cluster.set_replicas(row, scene.reach.replicas_of(event.workload))
    return []


def delete(scene: Scene, event: DeleteWorkload) -> list[str]:
    """The object goes, and its pods with it."""
    row = scene.reach.workload_rows[event.workload]
    scene.cluster.set_replicas(row, 0)
    scene.cluster.set_absent(row, True)
    return []


def set_replicas(scene: Scene, event: SetReplicas) -> list[str]:
    """spec.replicas is written."""
    scene.cluster.set_replicas(scene.reach.workload_rows[event.workload], event.replicas)
    return []


def delete_pods(scene: Scene, event: DeletePods) -> list[str]:
    """Pods chosen at random, those on one node if it is named; budgets do not apply."""
    cluster, row = scene.cluster, scene.reach.workload_rows[event.workload]
    living = [pod for pod in cluster.workload_pods[row] if cluster.pods.deletion_us[pod] == NONE]
    if event.node:
        nodes = {pod: int(cluster.pods.node[pod]) for pod in living}
        living = [pod for pod, node in nodes.items() if node != NONE and cluster.node_name(node) == event.node]
    hit = scene.some(living, cluster.pods.draw_key[living], event.count)
    for pod in hit:
        scene.reach.lifecycle.delete(pod, EndReason.DELETED)
    return [cluster.pod_name(pod) for pod in hit]


EFFECTS: Effects = {
    DeletePods: delete_pods,
    ImagePullDelay: image_pull,
    ReadinessFlap: readiness_flap,
    Rollout: rollout,
    CreateWorkload: create,
    DeleteWorkload: delete,
    SetReplicas: set_replicas,
}
