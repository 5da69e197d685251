"""Whether the values of a plan fit together. Yields problems, never raises; types and bounds are the models'."""

from collections.abc import Collection, Iterator

from planner.errors import PlanProblem
from planner.plan.check_budgets import check_budgets
from planner.plan.check_faults import check_events
from planner.plan.check_pods import check_extended, check_pod, check_taints, repeated, suggestion
from planner.plan.check_scheduler import check_scheduler
from planner.plan.check_selectors import check_labels
from planner.plan.horizontal_pod_autoscaler import CpuTargetType, HorizontalPodAutoscaler
from planner.plan.label_syntax import VALUE_RULE, is_label_value
from planner.plan.node_groups import NodeGroup
from planner.plan.plan import SCHEMA_VERSION, Plan
from planner.plan.pods import PodTemplate
from planner.plan.problems import shown
from planner.plan.workloads import Overprovisioning, PriorityClass, Workload, WorkloadKind
from planner.units import format_bytes, format_cpu, format_duration

SYSTEM_CLASS_NAMES = ("system-cluster-critical", "system-node-critical")
ZONE_LABEL = "topology.kubernetes.io/zone"
MAX_STEPS = 20_000_000
"""Most repetitions of one loop within a run; more is a mistake in a unit, not a plan."""
MAX_PODS = 300_000
MAX_NODES_AT_START = 20_000
MAX_TOTAL_BYTES = 1 << 62
"""Sums over the cluster are 64-bit integers."""


def check_plan(plan: Plan) -> Iterator[PlanProblem]:
    """All problems that keep a plan from being run, in the order of the file."""
    yield from _check_version(plan)
    yield from _check_steps(plan)
    yield from _check_names("nodeGroups", [group.name for group in plan.node_groups], "node pool")
    for index, group in enumerate(plan.node_groups):
        yield from check_node_group(group, f"nodeGroups[{index}]")
    yield from _check_priority_classes(plan.priority_classes)
    yield from _check_workload_names(plan)
    classes = (*(known.name for known in plan.priority_classes), *SYSTEM_CLASS_NAMES)
    runtimes = tuple(known.name for known in plan.runtime_classes)
    yield from _check_names("runtimeClasses", list(runtimes), "runtime class")
    yield from _check_names("namespaces", [known.name for known in plan.namespaces], "namespace")
    for index, known in enumerate(plan.namespaces):
        yield from check_labels(known.labels, f"namespaces[{index}].labels")
    for index, workload in enumerate(plan.workloads):
        yield from check_pod(workload.pod, f"workloads[{index}].pod", classes, runtimes)
    for index, reserve in enumerate(plan.overprovisioning):
        yield from _check_overprovisioning(reserve, f"overprovisioning[{index}]", classes, runtimes)
    yield from check_scheduler(plan.scheduler)
    yield from check_budgets(plan)
    yield from check_events(plan)
    yield from _check_autoscalers(plan)
    yield from _check_cluster_autoscaler(plan)
    yield from _check_size(plan)


def check_node_group(group: NodeGroup, where: str) -> Iterator[PlanProblem]:
    """One node pool."""
    if group.min_size > group.max_size:
        yield PlanProblem(
            f"{where}.minSize",
            f"The minimum ({group.min_size}) is above the maximum ({group.max_size}).",
            f"Lower it to {group.max_size} or raise the maximum.",
        )
    if group.initial_size > group.max_size:
        yield PlanProblem(
            f"{where}.initialSize",
            f"The size at the start ({group.initial_size}) is above the maximum ({group.max_size}).",
            f"Lower it to {group.max_size} or raise the maximum.",
        )
    amounts = (
        ("Cpu", group.cpu, group.reserved_cpu, format_cpu),
        ("Memory", group.memory, group.reserved_memory, format_bytes),
    )
    for name, capacity, reserved, text in amounts:
        if capacity == 0:
            problem = f"The nodes have no {name.lower()}."
            yield PlanProblem(f"{where}.{name.lower()}", problem, "Give the capacity of a node.")
        elif reserved >= capacity:
            problem = f"The reserve ({text(reserved)}) leaves nothing of the capacity ({text(capacity)})."
            yield PlanProblem(f"{where}.reserved{name}", problem, f"Reserve less than {text(capacity)}.")
    yield from check_extended(group.extended, f"{where}.extended")
    yield from check_labels(group.labels, f"{where}.labels")
    yield from check_taints(group.taints, f"{where}.taints")
    if not is_label_value(group.zone):
        yield PlanProblem(f"{where}.zone", f"{shown(group.zone)} is not the name of a zone.", VALUE_RULE)
    if group.zone and group.labels.get(ZONE_LABEL, group.zone) != group.zone:
        problem = f"The label {ZONE_LABEL} differs from the zone {shown(group.zone)}."
        yield PlanProblem(f'{where}.labels["{ZONE_LABEL}"]', problem, "Remove the label; the zone sets it.")


def _check_version(plan: Plan) -> Iterator[PlanProblem]:
    if plan.schema_version != SCHEMA_VERSION:
        problem = f"{plan.schema_version} is not the version of this program."
        yield PlanProblem("schemaVersion", problem, f"Use {SCHEMA_VERSION}.")


def _check_steps(plan: Plan) -> Iterator[PlanProblem]:
    duration = plan.simulation.duration
    intervals = [
        ("simulation.loadStep", plan.simulation.load_step),
        ("simulation.recordInterval", plan.simulation.record_interval),
        ("hpaController.syncPeriod", plan.hpa_controller.sync_period),
        ("metricsPipeline.resolution", plan.metrics_pipeline.resolution),
    ]
    if plan.cluster_autoscaler.enabled:
        intervals.append(("clusterAutoscaler.scanInterval", plan.cluster_autoscaler.scan_interval))
    for where, interval in intervals:
        if duration // interval > MAX_STEPS:
            problem = f"{format_duration(interval)} makes more than {MAX_STEPS} steps in {format_duration(duration)}."
            yield PlanProblem(where, problem, "Use a longer interval or a shorter simulation.duration.")


def _check_names(section: str, names: list[str], what: str) -> Iterator[PlanProblem]:
    for index, name in repeated(names):
        problem = f"The name {shown(name)} is taken by another {what}."
        yield PlanProblem(f"{section}[{index}].name", problem, "Choose another name.")


def _check_priority_classes(classes: tuple[PriorityClass, ...]) -> Iterator[PlanProblem]:
    yield from _check_names("priorityClasses", [known.name for known in classes], "priority class")
    for index, known in enumerate(classes):
        if known.name.startswith("system-"):
            problem = f"{shown(known.name)}: names beginning with system- are reserved."
            yield PlanProblem(f"priorityClasses[{index}].name", problem, "Choose another name.")
    defaults = [index for index, known in enumerate(classes) if known.global_default]
    for index in defaults[1:]:
        problem = f"{shown(classes[defaults[0]].name)} is the default already."
        yield PlanProblem(f"priorityClasses[{index}].globalDefault", problem, "Set it for one class only.")


def _check_workload_names(plan: Plan) -> Iterator[PlanProblem]:
    """Pods are called after their workload or reserve, so these share one set of names."""
    count = len(plan.workloads)
    names = [workload.name for workload in plan.workloads] + [reserve.name for reserve in plan.overprovisioning]
    for index, name in repeated(names):
        where = f"workloads[{index}].name" if index < count else f"overprovisioning[{index - count}].name"
        problem = f"The name {shown(name)} is taken by another workload or reserve."
        yield PlanProblem(where, problem, "Choose another name.")


def _check_overprovisioning(
    reserve: Overprovisioning, where: str, classes: Collection[str], runtimes: Collection[str]
) -> Iterator[PlanProblem]:
    yield from check_pod(reserve.pod, f"{where}.pod", classes, runtimes)
    if reserve.pod.priority_class:
        problem = "Pause pods have a priority of their own and no priority class."
        yield PlanProblem(f"{where}.pod.priorityClass", problem, "Remove it and set the priority of the reserve.")


def _check_autoscalers(plan: Plan) -> Iterator[PlanProblem]:
    autoscalers = plan.horizontal_pod_autoscalers
    keys = [f"{autoscaler.namespace}/{autoscaler.name}" for autoscaler in autoscalers]
    for index, key in repeated(keys):
        where = f"horizontalPodAutoscalers[{index}].name"
        yield PlanProblem(where, f"There is another autoscaler {shown(key)}.", "Choose another name.")
    targets = {(workload.namespace, workload.name): index for index, workload in enumerate(plan.workloads)}
    taken: dict[tuple[str, str], str] = {}
    for index, autoscaler in enumerate(autoscalers):
        where = f"horizontalPodAutoscalers[{index}]"
        target = (autoscaler.namespace, autoscaler.scale_target)
        if target not in targets:
            yield _unknown_target(autoscaler, plan, where)
            continue
        if target in taken:
            problem = f"{shown(autoscaler.scale_target)} is scaled by {shown(taken[target])} already; both would fight."
            yield PlanProblem(f"{where}.scaleTarget", problem, "Merge both autoscalers into one.")
        taken.setdefault(target, autoscaler.name)
        yield from _check_scaled(autoscaler, plan.workloads[targets[target]], f"workloads[{targets[target]}]", where)


def _unknown_target(autoscaler: HorizontalPodAutoscaler, plan: Plan, where: str) -> PlanProblem:
    names = [workload.name for workload in plan.workloads if workload.namespace == autoscaler.namespace]
    problem = f"There is no workload {shown(autoscaler.scale_target)} in namespace {shown(autoscaler.namespace)}."
    remedy = suggestion(autoscaler.scale_target, names, "Name a workload of the plan.")
    return PlanProblem(f"{where}.scaleTarget", problem, remedy)


def _check_scaled(
    autoscaler: HorizontalPodAutoscaler, workload: Workload, workload_at: str, where: str
) -> Iterator[PlanProblem]:
    if workload.kind is WorkloadKind.DAEMON_SET:
        problem = f"{shown(workload.name)} is a DaemonSet, which has one pod per node and cannot be scaled."
        yield PlanProblem(f"{where}.scaleTarget", problem, "Name a Deployment.")
        return
    follows_requests = not autoscaler.metrics or any(
        metric.target_type is CpuTargetType.UTILIZATION for metric in autoscaler.metrics
    )
    if follows_requests:
        yield from _check_cpu_requests(workload.pod, autoscaler.name, f"{workload_at}.pod")


def _check_cpu_requests(pod: PodTemplate, autoscaler: str, where: str) -> Iterator[PlanProblem]:
    """Utilization is a share of the requests; one container without makes it unknown for the whole pod."""
    for index, container in enumerate(pod.containers):
        if not (container.requests.cpu or container.limits.cpu):
            yield PlanProblem(
                f"{where}.containers[{index}].requests.cpu",
                f"The autoscaler {shown(autoscaler)} follows CPU utilization, but this container requests no CPU.",
                'Give a request, for example "250m".',
            )


def _check_cluster_autoscaler(plan: Plan) -> Iterator[PlanProblem]:
    settings = plan.cluster_autoscaler
    first, longest = settings.initial_node_group_backoff_duration, settings.max_node_group_backoff_duration
    if first > longest:
        yield PlanProblem(
            "clusterAutoscaler.initialNodeGroupBackoffDuration",
            f"The first back-off ({format_duration(first)}) is above the longest ({format_duration(longest)}).",
            f"Lower it to {format_duration(longest)} or raise the longest.",
        )
    for index, priority in repeated(str(tier.priority) for tier in settings.priority_expander):
        where = f"clusterAutoscaler.priorityExpander[{index}].priority"
        yield PlanProblem(where, f"The priority {priority} is given twice.", "Put its groups into one entry.")


def _check_size(plan: Plan) -> Iterator[PlanProblem]:
    nodes = sum(group.initial_size for group in plan.node_groups)
    if nodes > MAX_NODES_AT_START:
        problem = f"The pools start with {nodes} nodes together."
        yield PlanProblem("nodeGroups", problem, f"Start with at most {MAX_NODES_AT_START}.")
    memory = sum(max(group.max_size, group.initial_size) * group.memory for group in plan.node_groups)
    if memory > MAX_TOTAL_BYTES:
        problem = f"The pools may grow to {memory >> 50} PiB of memory together."
        yield PlanProblem("nodeGroups", problem, f"Stay at or below {MAX_TOTAL_BYTES >> 50} PiB; is a unit wrong?")
    pods = sum(workload.replicas for workload in plan.workloads if workload.kind is WorkloadKind.DEPLOYMENT)
    pods += sum(reserve.replicas for reserve in plan.overprovisioning)
    if pods > MAX_PODS:
        problem = f"The workloads and reserves ask for {pods} pods together."
        yield PlanProblem("workloads", problem, f"Ask for at most {MAX_PODS}.")
