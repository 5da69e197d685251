"""Nodes that die or are taken away."""

from functools import partial

import numpy as np

from planner.language.translation import marked
from planner.plan.derived.machine_choice import CAPACITY_TYPE
from planner.plan.model.events.on_nodes import NodeLoss, SpotReclaim, ZoneOutage
from planner.plan.model.karpenter.machine_types import CapacityType
from planner.simulation.plan_events.scene import Effects, Scene
from planner.state.nodes import NONE
from planner.state.specs import ZONE_LABEL

REMOVAL_DELAY_US = 60_000_000
"""From the deletion of a Node object until its pods are collected (Kubernetes 1.36, podgc/gc_controller.go)."""


def node_loss(scene: Scene, event: NodeLoss) -> list[str]:
    """Machines stop; the cloud may delete their Node objects later."""
    lost = scene.anyone(event)
    _silence(scene, lost, event.duration)
    comes_back_first = 0 < event.duration <= event.node_removed_after
    if event.node_removed_after and not comes_back_first:
        scene.later(event.node_removed_after + REMOVAL_DELAY_US, lambda: _remove_dead(scene, lost))
    return scene.names(lost)


def zone_outage(scene: Scene, event: ZoneOutage) -> list[str]:
    """All machines of a zone stop, and none comes up there meanwhile."""
    cluster, cloud = scene.cluster, scene.reach.cloud
    nodes = cluster.nodes
    running = [int(node) for node in np.flatnonzero(nodes.exists & ~nodes.silent)]
    lost = [node for node in running if cluster.node_labels(node).get(ZONE_LABEL) == event.zone]
    _silence(scene, lost, event.duration)
    cloud.zone_goes_down(event.zone)
    scene.later(event.duration, lambda: cloud.zone_comes_back(event.zone))
    return scene.names(lost)


def spot_reclaim(scene: Scene, event: SpotReclaim) -> list[str]:
    """Nodes are warned, drained or only cordoned, and taken; Karpenter drains its own.

    A pool of Karpenter may have nodes of both markets: the cloud takes spot nodes only.
    """
    running = [node for node in scene.running(event.node_group) if is_reclaimable(scene, node)]
    taken = scene.anyone_of(running, event)
    for node in taken:
        if event.drain and scene.reach.interrupt(node):
            continue
        if event.drain:
            scene.reach.drainer.start(node, marked("spot reclaim"), event.notice, lambda _node, _done: None)
        else:
            scene.cluster.set_unschedulable(node, True)
    scene.later(max(event.notice, 1), lambda: _reclaim(scene, taken))
    return scene.names(taken)


def is_reclaimable(scene: Scene, node: int) -> bool:
    """Whether the cloud may take a node back: not one that was bought on demand. Node groups say so as a whole, and
    their nodes carry no label.
    """
    return scene.cluster.node_labels(node).get(CAPACITY_TYPE, CapacityType.SPOT) == CapacityType.SPOT


def _silence(scene: Scene, nodes: list[int], duration_us: int) -> None:
    for node in nodes:
        scene.cluster.set_node_silent(node, True)

    def end() -> None:
        for node in nodes:
            if scene.cluster.nodes.exists[node]:
                scene.cluster.set_node_silent(node, False)

    scene.later(duration_us, end)


def _remove_dead(scene: Scene, nodes: list[int]) -> None:
    for node in nodes:
        if scene.cluster.nodes.silent[node]:
            scene.reach.cloud.lose_node(node)


def _reclaim(scene: Scene, nodes: list[int]) -> None:
    """The machines shut down and go; the pool's target stays, so the cloud looks for others."""
    for node in nodes:
        if scene.cluster.nodes.removed_us[node] == NONE:
            scene.reach.shutdowns.start(node, partial(_replace, scene, node))


def _replace(scene: Scene, node: int) -> None:
    if scene.cluster.nodes.removed_us[node] == NONE:
        scene.reach.cloud.lose_node(node)
        scene.reach.cloud.increase_size(int(scene.cluster.nodes.group[node]), 1)


EFFECTS: Effects = {NodeLoss: node_loss, ZoneOutage: zone_outage, SpotReclaim: spot_reclaim}
