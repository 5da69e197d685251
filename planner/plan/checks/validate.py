"""Checks that the values of a plan fit together. Yields problems, never raises; the models check types and bounds."""

from collections.abc import Collection, Iterable, Iterator
from itertools import chain

from planner.errors import PlanProblem
from planner.language.translation import tr
from planner.plan.checks.budgets import check_budgets
from planner.plan.checks.calls import check_calls
from planner.plan.checks.container_use import check_container_use
from planner.plan.checks.control_plane.karpenter import check_karpenter
from planner.plan.checks.control_plane.scaled_object import check_event_scaling
from planner.plan.checks.control_plane.versions import check_versions
from planner.plan.checks.control_plane.vertical_pod_autoscaler import check_vpas
from planner.plan.checks.events.faults import check_events
from planner.plan.checks.events.plan_changes import check_plan_changes
from planner.plan.checks.horizontal_pod_autoscaler import check_hpas
from planner.plan.checks.kinds import check_kind_settings, check_new_template
from planner.plan.checks.load import check_loads
from planner.plan.checks.placement import check_claim_zones, check_services
from planner.plan.checks.pods import check_extended, check_pod, repeated
from planner.plan.checks.pools.cluster_autoscaler import check_autoscaler
from planner.plan.checks.pools.node_group import check_node_group
from planner.plan.checks.pools.zones import check_zone_group_names
from planner.plan.checks.queues import check_queues
from planner.plan.checks.scheduler import check_scheduler
from planner.plan.checks.selectors import check_labels
from planner.plan.checks.size import check_size, check_steps
from planner.plan.files.problems import shown
from planner.plan.model.events.on_workloads import Rollout
from planner.plan.model.plan import SCHEMA_VERSION, Plan
from planner.plan.model.pods.pod_classes import PriorityClass
from planner.plan.model.workloads import Namespace, Overprovisioning, Workload, WorkloadKind

SYSTEM_CLASS_NAMES = ("system-cluster-critical", "system-node-critical")
HOSTNAME_LABEL = "kubernetes.io/hostname"


def check_plan(plan: Plan) -> Iterator[PlanProblem]:
    """All problems that keep a plan from being run, in the order of the file."""
    return chain.from_iterable(checks(plan))


def checks(plan: Plan) -> Iterator[Iterable[PlanProblem]]:
    """The same, one small check after the other, so that checking a large plan can be interrupted in between."""
    yield _check_version(plan)
    yield check_versions(plan)
    yield check_steps(plan)
    yield _check_names("nodeGroups", [group.name for group in plan.node_groups], tr("node pool"))
    yield check_zone_group_names(plan)
    for index, group in enumerate(plan.node_groups):
        yield check_node_group(group, f"nodeGroups[{index}]")
    yield check_karpenter(plan)
    yield _check_priority_classes(plan.priority_classes)
    yield _check_workload_names(plan)
    yield _check_names("runtimeClasses", [known.name for known in plan.runtime_classes], tr("runtime class"))
    yield from _checks_of_namespaces(plan)
    yield from _checks_of_pods(plan)
    yield check_services(plan)
    yield check_calls(plan)
    yield check_loads(plan)
    yield check_queues(plan)
    yield check_plan_changes(plan)
    if plan.admission.limit_pod_hard_anti_affinity_topology:
        yield _check_anti_affinity_keys(plan)
    yield check_scheduler(plan.scheduler)
    yield check_budgets(plan)
    yield check_events(plan)
    yield check_hpas(plan)
    yield check_vpas(plan)
    yield check_event_scaling(plan)
    yield check_autoscaler(plan)
    yield check_size(plan)
    yield _check_names("variants", [variant.name for variant in plan.variants], "variant")
    yield _check_names("experiments", [experiment.name for experiment in plan.experiments], "experiment")


def _checks_of_namespaces(plan: Plan) -> Iterator[Iterable[PlanProblem]]:
    yield _check_names("namespaces", [known.name for known in plan.namespaces], "namespace")
    for index, known in enumerate(plan.namespaces):
        yield check_labels(known.labels, f"namespaces[{index}].labels")
        yield _check_quotas(known, f"namespaces[{index}].resourceQuotas")


def _checks_of_pods(plan: Plan) -> Iterator[Iterable[PlanProblem]]:
    """The pods of workloads, of templates that a rollout brings, and of reserves."""
    classes = (*(known.name for known in plan.priority_classes), *SYSTEM_CLASS_NAMES)
    runtimes = tuple(known.name for known in plan.runtime_classes)
    for index, workload in enumerate(plan.workloads):
        yield check_pod(workload.pod, f"workloads[{index}].pod", classes, runtimes)
        yield check_container_use(workload.pod, f"workloads[{index}].pod")
        yield _check_zonal_claim(workload, f"workloads[{index}].pod.zonalClaim")
        yield check_claim_zones(workload, f"workloads[{index}].stateful.claimZones")
        yield check_kind_settings(plan, workload, f"workloads[{index}]")
    for index, event in enumerate(plan.events):
        if isinstance(event, Rollout) and event.pod is not None:
            yield check_pod(event.pod, f"events[{index}].pod", classes, runtimes)
            yield check_container_use(event.pod, f"events[{index}].pod")
            yield check_new_template(plan, event, f"events[{index}].pod")
    for index, reserve in enumerate(plan.overprovisioning):
        yield _check_overprovisioning(reserve, f"overprovisioning[{index}]", classes, runtimes)


def _check_quotas(namespace: Namespace, where: str) -> Iterator[PlanProblem]:
    yield from _check_names(where, [quota.name for quota in namespace.resource_quotas], "quota")
    for index, quota in enumerate(namespace.resource_quotas):
        yield from check_extended(quota.requests.extended, f"{where}[{index}].requests.extended")


def _check_zonal_claim(workload: Workload, where: str) -> Iterator[PlanProblem]:
    if workload.pod.zonal_claim and workload.kind is not WorkloadKind.STATEFUL_SET:
        problem = tr("Only pods of a StatefulSet keep their own volume; this is a {kind}.", kind=workload.kind)
        yield PlanProblem(where, problem, tr("Switch it off or change the kind."))


def _check_anti_affinity_keys(plan: Plan) -> Iterator[PlanProblem]:
    """LimitPodHardAntiAffinityTopology: only nodes may be the domain."""
    for index, workload in enumerate(plan.workloads):
        for position, term in enumerate(workload.pod.required_pod_anti_affinity):
            if term.topology_key != HOSTNAME_LABEL:
                place = f"workloads[{index}].pod.requiredPodAntiAffinity[{position}].topologyKey"
                problem = tr(
                    "admission.limitPodHardAntiAffinityTopology refuses {topology_key}.",
                    topology_key=shown(term.topology_key),
                )
                yield PlanProblem(
                    place,
                    problem,
                    tr(
                        "Use {hostname_label}, prefer instead of require, or switch it off.",
                        hostname_label=HOSTNAME_LABEL,
                    ),
                )


def _check_version(plan: Plan) -> Iterator[PlanProblem]:
    if plan.schema_version != SCHEMA_VERSION:
        problem = tr("{schema_version} is not the version of this program.", schema_version=plan.schema_version)
        yield PlanProblem("schemaVersion", problem, tr("Use {schema_version}.", schema_version=SCHEMA_VERSION))


def _check_names(section: str, names: list[str], what: str) -> Iterator[PlanProblem]:
    for index, name in repeated(names):
        problem = tr("The name {name} is already used by another {what}.", name=shown(name), what=what)
        yield PlanProblem(f"{section}[{index}].name", problem, tr("Choose another name."))


def _check_priority_classes(classes: tuple[PriorityClass, ...]) -> Iterator[PlanProblem]:
    yield from _check_names("priorityClasses", [known.name for known in classes], tr("priority class"))
    for index, known in enumerate(classes):
        if known.name.startswith("system-"):
            problem = tr("{name}: names beginning with system- are reserved.", name=shown(known.name))
            yield PlanProblem(f"priorityClasses[{index}].name", problem, tr("Choose another name."))
    defaults = [index for index, known in enumerate(classes) if known.global_default]
    for index in defaults[1:]:
        problem = tr("{name} is already the default.", name=shown(classes[defaults[0]].name))
        yield PlanProblem(f"priorityClasses[{index}].globalDefault", problem, tr("Set it for one class only."))


def _check_workload_names(plan: Plan) -> Iterator[PlanProblem]:
    """Pods are called after their workload or reserve, so these share one set of names."""
    count = len(plan.workloads)
    names = [workload.name for workload in plan.workloads] + [reserve.name for reserve in plan.overprovisioning]
    for index, name in repeated(names):
        where = f"workloads[{index}].name" if index < count else f"overprovisioning[{index - count}].name"
        problem = tr("The name {name} is already used by another workload or reserve.", name=shown(name))
        yield PlanProblem(where, problem, tr("Choose another name."))


def _check_overprovisioning(
    reserve: Overprovisioning, where: str, classes: Collection[str], runtimes: Collection[str]
) -> Iterator[PlanProblem]:
    yield from check_pod(reserve.pod, f"{where}.pod", classes, runtimes)
    if reserve.capacity_buffer and reserve.pod.node_name:
        problem = tr("A capacity buffer makes no pods that could be bound to a node.")
        yield PlanProblem(f"{where}.pod.nodeName", problem, tr("Remove the name or switch the buffer off."))
    if reserve.pod.priority_class:
        problem = tr("Pause pods have a priority of their own and no priority class.")
        yield PlanProblem(f"{where}.pod.priorityClass", problem, tr("Remove it and set the priority of the reserve."))
