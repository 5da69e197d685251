"""A plan becomes a world: interned templates and the tables' first rows. The plan is not read again by rules."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from planner.engine.queue import EventQueue
from planner.plan.node_groups import NodeGroup
from planner.plan.plan import Plan
from planner.plan.pods import Container, LabelSelector, PodTemplate
from planner.plan.workloads import Overprovisioning, PreemptionPolicy, PriorityClass, Workload, WorkloadKind
from planner.state.cluster import Cluster
from planner.state.resources import (
    CPU,
    DEFAULT_NONZERO_CPU_MILLI,
    DEFAULT_NONZERO_MEMORY_BYTES,
    MEMORY,
    PODS,
    Amounts,
    ResourceAxis,
)
from planner.state.specs import ZONE_LABEL, NodeSpec, PodSpec, Taint
from planner.workloads.daemon_rule import daemon_tolerations

SYSTEM_CLASSES: Mapping[str, int] = {
    "system-cluster-critical": 2_000_000_000,
    "system-node-critical": 2_000_001_000,
}


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


def keepers(plan: Plan) -> tuple[Workload | Overprovisioning, ...]:
    """Everything that keeps pods, in row order: the workloads, then the reserves."""
    return (*plan.workloads, *plan.overprovisioning)


def compile_plan(plan: Plan, clock: EventQueue) -> World:
    """The world of a valid plan (`plan.validate.check_plan` finds nothing)."""
    cluster = Cluster(clock, ResourceAxis(_extended_names(plan)))
    node_specs = {}
    for group in plan.node_groups:
        row = cluster.add_group(group.name, group.min_size, group.max_size)
        node_specs[row] = _node_spec(group, row, cluster)
        cluster.node_specs.append(node_specs[row])
    classes = {c.name: c for c in plan.priority_classes}
    default_class = next((c for c in plan.priority_classes if c.global_default), None)
    rows, pod_specs, daemons = {}, {}, []
    for item in keepers(plan):
        namespace = item.namespace if isinstance(item, Workload) else "default"
        row = cluster.add_workload(item.name, namespace)
        rows[item.name] = row
        priority, may_preempt = _priority(item, classes, default_class)
        spec = _pod_spec(item, row, namespace, priority, may_preempt, cluster.axis)
        cluster.pod_specs.append(spec)
        pod_specs[row] = spec
        if spec.is_daemon:
            daemons.append(row)
    return World(plan, cluster, rows, pod_specs, node_specs, tuple(daemons))


def _extended_names(plan: Plan) -> Iterator[str]:
    for group in plan.node_groups:
        yield from group.extended
    for item in keepers(plan):
        for container in item.pod.containers:
            yield from container.requests.extended
            yield from container.limits.extended


def _node_spec(group: NodeGroup, row: int, cluster: Cluster) -> NodeSpec:
    capacity = cluster.axis.amounts({"cpu": group.cpu, "memory": group.memory, "pods": group.pods, **group.extended})
    allocatable = capacity.copy()
    allocatable[CPU] -= group.reserved_cpu
    allocatable[MEMORY] -= group.reserved_memory
    labels = dict(group.labels)
    if group.zone:
        labels.setdefault(ZONE_LABEL, group.zone)
    return NodeSpec(
        index=row,
        group=row,
        capacity=capacity,
        allocatable=allocatable,
        labels=labels,
        taints=tuple(Taint(t.key, t.value, t.effect) for t in group.taints),
        price_per_hour=group.price_per_hour,
    )


def _priority(
    item: Workload | Overprovisioning, classes: Mapping[str, PriorityClass], default: PriorityClass | None
) -> tuple[int, bool]:
    """Priority and the right to preempt, as admission sets them (spec/cluster-model.md section 2)."""
    if isinstance(item, Overprovisioning):
        return item.priority, False
    name = item.pod.priority_class
    if name in SYSTEM_CLASSES:
        return SYSTEM_CLASSES[name], True
    chosen = classes[name] if name else default
    if chosen is None:
        return 0, True
    return chosen.value, chosen.preemption_policy is PreemptionPolicy.PREEMPT_LOWER_PRIORITY


def _pod_spec(
    item: Workload | Overprovisioning,
    row: int,
    namespace: str,
    priority: int,
    may_preempt: bool,
    axis: ResourceAxis,
) -> PodSpec:
    pod, is_daemon = item.pod, isinstance(item, Workload) and item.kind is WorkloadKind.DAEMON_SET
    request = _requests(pod, axis)
    limits = [c.limits.cpu for c in pod.containers]
    return PodSpec(
        index=row,
        workload=row,
        namespace=namespace,
        labels={"app": item.name, **pod.labels},
        request=request,
        nonzero=_nonzero(pod),
        priority=priority,
        may_preempt=may_preempt,
        tolerations=daemon_tolerations(pod.tolerations) if is_daemon else pod.tolerations,
        node_selector=pod.node_selector,
        required_terms=pod.required_node_affinity,
        preferred_terms=pod.preferred_node_affinity,
        spread_constraints=pod.topology_spread_constraints,
        spread_selector=LabelSelector() if is_daemon else None,
        is_daemon=is_daemon,
        cpu_limit_milli=-1 if None in limits else sum(limit or 0 for limit in limits),
        cpu_request_milli=int(request[CPU]),
        has_cpu_requests=all(_cpu_request(c) is not None for c in pod.containers),
        startup_us=pod.startup_delay,
        termination_us=pod.termination_time,
        grace_us=pod.termination_grace_period,
    )


def _cpu_request(container: Container) -> int | None:
    """Missing requests are copied from limits (spec/cluster-model.md section 2)."""
    return container.requests.cpu if container.requests.cpu is not None else container.limits.cpu


def _memory_request(container: Container) -> int | None:
    return container.requests.memory if container.requests.memory is not None else container.limits.memory


def _requests(pod: PodTemplate, axis: ResourceAxis) -> Amounts:
    total = axis.amounts({})
    for container in pod.containers:
        total[CPU] += _cpu_request(container) or 0
        total[MEMORY] += _memory_request(container) or 0
        for name, amount in {**container.limits.extended, **container.requests.extended}.items():
            total[axis.index(name)] += amount
    assert total[PODS] == 0, "the pods column of a request stays 0; the tables count pods themselves"
    return total


def _nonzero(pod: PodTemplate) -> Amounts:
    """CPU and memory with 100m and 200Mi for containers that ask for none (spec/scheduler.md section 2)."""
    total = ResourceAxis().amounts({})[:2]
    for container in pod.containers:
        cpu, memory = _cpu_request(container), _memory_request(container)
        total[CPU] += DEFAULT_NONZERO_CPU_MILLI if cpu is None else cpu
        total[MEMORY] += DEFAULT_NONZERO_MEMORY_BYTES if memory is None else memory
    return total
