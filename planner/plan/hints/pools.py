"""Hints on zones, quotas, GPUs and drivers of node pools."""

from collections.abc import Iterator

from planner.language.translation import tr
from planner.plan.derived.zones import shares
from planner.plan.hints.hint import Hint
from planner.plan.model.node_groups import NodeGroup, ZoneMode
from planner.plan.model.plan import Plan
from planner.units import format_duration

GPU_RESOURCE = "nvidia.com/gpu"


def pool_hints(plan: Plan) -> Iterator[Hint]:
    """Hints on pools: values that are allowed but rarely intended."""
    for index, group in enumerate(plan.node_groups):
        where = f"nodeGroups[{index}]"
        yield from _zones(group, where, plan)
        if group.quota is not None and group.quota < group.max_size:
            text = tr(
                "The cloud grants {quota} nodes, fewer than the maximum of {max_size}: requests fail.",
                quota=group.quota,
                max_size=group.max_size,
            )
            yield Hint(
                f"{where}.quota",
                text,
                tr("Raise the quota to {max_size} or lower the maximum.", max_size=group.max_size),
            )
        yield from _gpu_label(group, where, plan)


def _zones(group: NodeGroup, where: str, plan: Plan) -> Iterator[Hint]:
    if len(group.zones) > 1 and group.zone_mode is ZoneMode.BALANCED and plan.cluster_autoscaler.enabled:
        claims = [workload.name for workload in plan.workloads if workload.pod.zonal_claim]
        text = tr(
            "The autoscaler expects every new node in {name}, but the cloud also uses the other zones.",
            name=group.zones[0].name,
        )
        if claims:
            text += tr(
                " Pods of {claims} have volumes in one zone and may never get a node there.",
                claims=", ".join(claims[:3]),
            )
        yield Hint(f"{where}.zoneMode", text, tr("Use perZone, one group per zone, and balanceSimilarNodeGroups."))
    if group.zones and group.zone_mode is ZoneMode.PER_ZONE:
        if not plan.cluster_autoscaler.balance_similar_node_groups and plan.cluster_autoscaler.enabled:
            text = tr("The groups of the zones grow one after the other instead of evenly.")
            yield Hint(f"{where}.zoneMode", text, tr("Turn on clusterAutoscaler.balanceSimilarNodeGroups."))
        for zone, share in zip(group.zones, shares(group.max_size, len(group.zones)), strict=True):
            if (share if zone.max_size is None else zone.max_size) == 0:
                text = tr(
                    "The maximum of {max_size} leaves no node for {name}.", max_size=group.max_size, name=zone.name
                )
                yield Hint(f"{where}.maxSize", text, tr("Use {count} or more, or fewer zones.", count=len(group.zones)))


def _gpu_label(group: NodeGroup, where: str, plan: Plan) -> Iterator[Hint]:
    """The autoscaler knows GPU nodes by their label alone (Cluster Autoscaler 1.36.1, utils/gpu/gpu.go)."""
    settings = plan.cluster_autoscaler
    has_gpu = group.extended.get(GPU_RESOURCE, 0) > 0
    if not settings.enabled or (has_gpu and settings.gpu_label and settings.gpu_label in group.labels):
        return
    remedy = tr(
        "Label GPU pools with clusterAutoscaler.gpuLabel ({gpu_label}).", gpu_label=settings.gpu_label or tr("not set")
    )
    if group.driver_delay:
        late = format_duration(group.driver_delay)
        text = tr(
            "For {late} the autoscaler sees a Ready node without its resources and may request another one.", late=late
        )
        yield Hint(f"{where}.driverDelay", text, remedy)
    if has_gpu:
        text = tr(
            "Without their label the autoscaler takes these nodes for nodes without GPUs: their utilization is that of "
        )
        text += tr("CPU and memory, whatever their GPUs do, and gpuTotal does not count them.")
        yield Hint(f"{where}.labels", text, remedy)
