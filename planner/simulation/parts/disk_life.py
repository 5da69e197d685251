"""Disks of a run, from what workloads and pools tell of them."""

from planner.nodes.kubelet.node_disk import DiskProfile, KubeletDisk, NodeDisks
from planner.plan.model.kubelet import KubeletSettings
from planner.plan.model.node_groups import NodeGroup
from planner.plan.model.plan import Plan
from planner.plan.model.pods import PodTemplate
from planner.plan.model.use import DiskUse
from planner.plan.model.workloads import Overprovisioning, Workload
from planner.simulation.compile.world import World, keepers
from planner.state.resources import EPHEMERAL


def node_disks(plan: Plan, world: World) -> NodeDisks:
    """The disks of all nodes."""
    profiles = {
        row: _profile(item, int(world.pod_spec_of[row].request[EPHEMERAL])) for row, item in enumerate(keepers(plan))
    }
    return NodeDisks(world.cluster, profiles, {row: _disk(group) for row, group in enumerate(plan.node_groups)})


def _profile(item: Workload | Overprovisioning, request: int) -> DiskProfile:
    told = item.disk_use if isinstance(item, Workload) else None
    use = told or DiskUse()
    return DiskProfile(request, use.start, use.growth_per_hour, use.growth_from, _limit(item.pod))


def _limit(pod: PodTemplate) -> int | None:
    """Ordinary containers and sidecars count, those that give a limit."""
    containers = (*pod.containers, *(one for one in pod.init_containers if one.sidecar))
    limits = [one.limits.ephemeral_storage for one in containers if one.limits.ephemeral_storage is not None]
    return sum(limits) if limits else None


def _disk(group: NodeGroup) -> KubeletDisk:
    kubelet = group.kubelet or KubeletSettings()
    system = kubelet.system_disk + sum(group.images.values())
    return KubeletDisk(kubelet.disk, system, kubelet.unused_images + kubelet.dead_containers)
