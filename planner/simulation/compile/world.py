"""Compiles a plan into a world: interned templates and the tables' first rows. Rules do not read the plan again."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from planner.engine.queue import EventQueue
from planner.plan.derived.karpenter_groups import karpenter_rows
from planner.plan.derived.reserves import resolved_reserves
from planner.plan.derived.zones import zone_names
from planner.plan.model.events.on_workloads import Rollout
from planner.plan.model.node_groups import NodeGroup
from planner.plan.model.plan import Plan
from planner.plan.model.pods.pod_template import PodTemplate
from planner.plan.model.workloads import Overprovisioning, Workload
from planner.simulation.compile.nodes import compile_node
from planner.simulation.compile.pods import Admission, compile_pod, resource_names
from planner.state.cluster import Cluster
from planner.state.resources import ResourceAxis
from planner.state.specs import NodeSpec, PodSpec


@dataclass(frozen=True)
class World:
    """The compiled plan: the cluster with its templates, before anything has happened."""

    plan: Plan
    cluster: Cluster
    workload_rows: Mapping[str, int]
    """Row of each workload and reserve by name; plan order, workloads first."""
    pod_spec_of: Mapping[int, PodSpec]
    """Pod template of each workload row."""
    node_spec_of: Mapping[int, NodeSpec]
    """Node template of each group row."""
    daemon_rows: tuple[int, ...]
    static_rows: tuple[int, ...]
    """Static pods of kubelets."""
    zone_specs: Mapping[int, tuple[int, ...]]
    """Node templates of the zones of groups that have several, by group row."""


def keepers(plan: Plan) -> tuple[Workload | Overprovisioning, ...]:
    """Everything that keeps pods, in row order: the workloads, then the reserves."""
    return (*plan.workloads, *resolved_reserves(plan))


def compile_plan(plan: Plan, clock: EventQueue, check_stop: Callable[[], None] = lambda: None) -> World:
    """The world of a valid plan (`plan.validate.check_plan` finds nothing).

    `check_stop` is called between two workloads; it raises RunStopped if the run was cancelled.
    """
    cluster = Cluster(clock, ResourceAxis(_extended_names(plan), _drivers(plan)))
    node_specs: dict[int, NodeSpec] = {}
    foreign = karpenter_rows(plan)
    for group in plan.node_groups:
        row = cluster.add_group(group.name, group.min_size, group.max_size, len(node_specs) in foreign)
        node_specs[row] = compile_node(group, row, cluster.axis)
        cluster.node_specs.append(node_specs[row])
    zone_specs = {row: _zone_specs(group, row, cluster) for row, group in enumerate(plan.node_groups) if group.zones}
    for known in plan.namespaces:
        cluster.set_namespace_labels(known.name, known.labels)
    admission = Admission.of(plan)
    rows, pod_specs, daemons, static = {}, {}, [], []
    for item in keepers(plan):
        check_stop()
        namespace = item.namespace if isinstance(item, Workload) else "default"
        row = cluster.add_workload(item.name, namespace)
        rows[item.name] = row
        spec = compile_pod(item, row, namespace, admission, cluster.axis)
        cluster.pod_specs.append(spec)
        pod_specs[row] = spec
        if spec.is_daemon:
            daemons.append(row)
        if spec.scaling.static_groups:
            static.append(row)
        if spec.placement.zonal_claim and isinstance(item, Workload):
            for ordinal, zone in enumerate(item.stateful.claim_zones, item.stateful.start_ordinal):
                if zone:
                    cluster.set_claim_zone(row, ordinal, zone)
    return World(plan, cluster, rows, pod_specs, node_specs, tuple(daemons), tuple(static), zone_specs)


def changed_spec(world: World, row: int, pod: PodTemplate) -> PodSpec:
    """The template of a workload row that an event of the plan changes."""
    item = world.plan.workloads[row].model_copy(update={"pod": pod})
    return compile_pod(item, row, item.namespace, Admission.of(world.plan), world.cluster.axis)


def _extended_names(plan: Plan) -> Iterator[str]:
    for group in plan.node_groups:
        yield from group.extended
    for machine in plan.karpenter.instance_types:
        yield from machine.extended
    for item in keepers(plan):
        yield from resource_names(item.pod)
    for event in plan.events:
        if isinstance(event, Rollout) and event.pod is not None:
            yield from resource_names(event.pod)
    for known in plan.runtime_classes:
        yield from known.overhead.extended


def _drivers(plan: Plan) -> Iterator[str]:
    """CSI drivers of which some pool limits the volumes; others need not be counted."""
    for group in plan.node_groups:
        yield from group.volume_limits


def _zone_specs(group: NodeGroup, row: int, cluster: Cluster) -> tuple[int, ...]:
    """Adds a node template for every zone but the first, whose template is that of the group."""
    base, specs = cluster.node_specs[row], [row]
    for zone in zone_names(group)[1:]:
        specs.append(len(cluster.node_specs))
        cluster.node_specs.append(replace(base, index=specs[-1], labels=group.labels_in(zone)))
    return tuple(specs)


def gate_removals(plan: Plan) -> Iterator[tuple[int, int]]:
    """Workload row and time at which the last of its scheduling gates is removed; none if one stays."""
    for row, item in enumerate(keepers(plan)):
        times = [gate.removed_at for gate in item.pod.scheduling_gates]
        if times and None not in times:
            yield row, max(time for time in times if time is not None)
