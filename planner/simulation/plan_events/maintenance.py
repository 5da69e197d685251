"""Maintenance by operators: cordon, drain, annotate, taint and upgrade nodes, and change the limits of pools."""

from planner.matching.taints import NodeTaint
from planner.plan.derived.zones import shares
from planner.plan.model.events.on_nodes import (
    AnnotateScaleDown,
    CordonNodes,
    DrainNodes,
    NodeClassChange,
    NodeUpgrade,
    TaintNodes,
)
from planner.plan.model.events.on_pools import ResizePool
from planner.simulation.plan_events.scene import Effects, Scene


def drain(scene: Scene, event: DrainNodes) -> list[str]:
    """Kubectl drain, all nodes at the same time."""
    nodes = scene.oldest(_to_drain(scene, event), event)

    def ended(node: int, done: bool) -> None:
        scene.later(event.uncordon_after, lambda: _uncordon(scene, [node]))

    for node in nodes:
        scene.reach.drainer.start(node, "kubectl drain", event.timeout, ended, event.force)
    return scene.names(nodes)


def cordon(scene: Scene, event: CordonNodes) -> list[str]:
    """Kubectl cordon."""
    nodes = scene.oldest(_uncordoned(scene, event.node_group), event)
    for node in nodes:
        scene.cluster.set_unschedulable(node, True)
    scene.later(event.duration, lambda: _uncordon(scene, nodes))
    return scene.names(nodes)


def annotate_scale_down(scene: Scene, event: AnnotateScaleDown) -> list[str]:
    """Kubectl annotate; nodes that are so already are passed over."""
    annotated = scene.cluster.nodes.scale_down_disabled
    others = [node for node in scene.running(event.node_group) if annotated[node] != event.disabled]
    nodes = scene.oldest(others, event)
    _annotate(scene, nodes, event.disabled)
    scene.later(event.duration, lambda: _annotate(scene, nodes, not event.disabled))
    return scene.names(nodes)


def taint(scene: Scene, event: TaintNodes) -> list[str]:
    """Kubectl taint."""
    cluster, mark = scene.cluster, NodeTaint(event.taint.key, event.taint.value, event.taint.effect)
    free = [node for node in scene.running(event.node_group) if mark not in cluster.node_taints(node)]
    nodes = scene.oldest(free, event)
    for node in nodes:
        cluster.set_taints(node, (*cluster.node_taints(node), mark))
    scene.later(event.duration, lambda: _untaint(scene, nodes, mark))
    return scene.names(nodes)


def upgrade(scene: Scene, event: NodeUpgrade) -> list[str]:
    """All nodes of a pool are replaced; the groups of its zones are upgraded in parallel."""
    for row in scene.groups(event.node_group):
        scene.reach.upgrades.start(row, event.max_surge, event.max_unavailable, event.drain_timeout)
    return []


def change_node_class(scene: Scene, event: NodeClassChange) -> list[str]:
    """The nodes of a pool of Karpenter have drifted."""
    nodes = scene.running(event.node_group)
    scene.reach.change_node_class(nodes)
    return scene.names(nodes)


def resize(scene: Scene, event: ResizePool) -> list[str]:
    """New limits of a pool; groups of its zones share them evenly."""
    rows = scene.groups(event.node_group)
    limits = zip(rows, shares(event.min_size, len(rows)), shares(event.max_size, len(rows)), strict=True)
    for row, min_size, max_size in limits:
        scene.cluster.set_group_limits(row, min_size, max_size)
    return []


def _to_drain(scene: Scene, event: DrainNodes) -> list[int]:
    """A node that is named may be cordoned already; others are passed over."""
    return scene.running(event.node_group) if event.nodes else _uncordoned(scene, event.node_group)


def _uncordoned(scene: Scene, pool: str) -> list[int]:
    return [node for node in scene.running(pool) if not scene.cluster.nodes.unschedulable[node]]


def _uncordon(scene: Scene, nodes: list[int]) -> None:
    for node in nodes:
        if scene.cluster.nodes.exists[node] and not scene.cluster.nodes.deleting[node]:
            scene.cluster.set_unschedulable(node, False)


def _annotate(scene: Scene, nodes: list[int], disabled: bool) -> None:
    for node in nodes:
        if scene.cluster.nodes.exists[node]:
            scene.cluster.set_scale_down_disabled(node, disabled)


def _untaint(scene: Scene, nodes: list[int], mark: NodeTaint) -> None:
    for node in nodes:
        if scene.cluster.nodes.exists[node]:
            kept = tuple(other for other in scene.cluster.node_taints(node) if other != mark)
            scene.cluster.set_taints(node, kept)


EFFECTS: Effects = {
    DrainNodes: drain,
    CordonNodes: cordon,
    AnnotateScaleDown: annotate_scale_down,
    TaintNodes: taint,
    NodeUpgrade: upgrade,
    ResizePool: resize,
    NodeClassChange: change_node_class,
}
