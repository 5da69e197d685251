"""Disks of a run, from the settings of workloads and pools."""

from planner.nodes.kubelet.node_disk import DiskProfile, KubeletDisk, NodeDisks
from planner.plan.model.kubelet import KubeletSettings
from planner.plan.model.node_groups import NodeGroup
from planner.plan.model.plan import Plan
from planner.simulation.compile.kubelet_profiles import disk_profile
from planner.simulation.compile.pods import Admission
from planner.simulation.compile.world import World, keepers
from planner.state.specs import PodSpec


def node_disks(plan: Plan, world: World) -> NodeDisks:
    """The disks of all nodes."""
    admission, items = Admission.of(plan), keepers(plan)

    def profile_of(spec: PodSpec) -> DiskProfile:
        return disk_profile(items[spec.workload], spec, admission.overhead(spec.template))

    return NodeDisks(world.cluster, profile_of, {row: _disk(group) for row, group in enumerate(plan.node_groups)})


def _disk(group: NodeGroup) -> KubeletDisk:
    kubelet = group.kubelet or KubeletSettings()
    system = kubelet.system_disk + sum(group.images.values())
    return KubeletDisk(kubelet.disk, system, kubelet.unused_images + kubelet.dead_containers)
