"""Settings of the Cluster Autoscaler that work against each other, and reserves that do not help."""

from collections.abc import Iterator

from planner.language.translation import tr
from planner.plan.derived.fits import pod_cpu_milli, pod_memory_bytes, why_not
from planner.plan.derived.reserves import resolved_reserve
from planner.plan.hints.hint import Hint
from planner.plan.model.events.on_pools import FailureKind, ProvisioningFailure
from planner.plan.model.plan import Plan
from planner.plan.model.workloads import ONE_PER_NODE, Overprovisioning, Workload, WorkloadKind
from planner.units import format_bytes, format_cpu, format_duration

WHERE = "clusterAutoscaler"


def autoscaler_hints(plan: Plan) -> Iterator[Hint]:
    """All of them, in the order of the file."""
    if not plan.cluster_autoscaler.enabled:
        return
    yield from _groups(plan)
    for index, workload in enumerate(plan.workloads):
        yield from _marks(workload, f"workloads[{index}].pod.scaling")
    for index, reserve in enumerate(plan.overprovisioning):
        yield from _reserve_size(plan, resolved_reserve(plan, reserve), f"overprovisioning[{index}]")
    yield from _settings(plan)
    yield from _never_registered(plan)


def _groups(plan: Plan) -> Iterator[Hint]:
    window, hpas = plan.hpa_controller.downscale_stabilization, plan.horizontal_pod_autoscalers
    for index, group in enumerate(plan.node_groups):
        where, own = f"nodeGroups[{index}]", group.scaling
        if own.zero_or_max and group.initial_size not in (0, group.max_size):
            text = tr(
                "The pool is all or nothing but starts with {initial_size} of {max_size} nodes.",
                initial_size=group.initial_size,
                max_size=group.max_size,
            )
            yield Hint(f"{where}.initialSize", text, tr("Start with 0 or {max_size} nodes.", max_size=group.max_size))
        if own.zero_or_max and group.min_size not in (0, group.max_size):
            text = tr(
                "The pool is all or nothing, so a minimum of {min_size} keeps all its nodes.", min_size=group.min_size
            )
            yield Hint(f"{where}.minSize", text, tr("Use 0 or {max_size}.", max_size=group.max_size))
        unneeded = own.scale_down_unneeded_time
        if unneeded is not None and hpas and unneeded < window:
            text = tr(
                "Nodes are removed sooner than autoscalers may shrink their workloads ({window}).",
                window=format_duration(window),
            )
            remedy = tr(
                "Nodes may be added and removed in turn. Raise it to at least hpaController.downscaleStabilization."
            )
            yield Hint(f"{where}.scaling.scaleDownUnneededTime", text, remedy)
        limit = own.max_node_provision_time
        if limit is not None and group.provisioning_delay >= limit:
            text = tr(
                "Nodes take longer than the pool's provision time ({limit}) and count as failed.",
                limit=format_duration(limit),
            )
            yield Hint(f"{where}.scaling.maxNodeProvisionTime", text, tr("Raise it above provisioningDelay."))


def _marks(workload: Workload, where: str) -> Iterator[Hint]:
    marks = workload.pod.scaling
    unknown = [name for name in marks.safe_local_volumes if name not in marks.local_volumes]
    if unknown:
        text = tr("The pods have no local volume {unknown}.", unknown=", ".join(unknown))
        yield Hint(f"{where}.safeLocalVolumes", text, tr("Name volumes of localVolumes."))
    if marks.enable_ds_eviction is not None and workload.kind is not WorkloadKind.DAEMON_SET:
        text = tr("This applies only to pods of a DaemonSet; other pods are always evicted.")
        yield Hint(f"{where}.enableDsEviction", text, tr("Leave it empty."))


def _reserve_size(plan: Plan, reserve: Overprovisioning, where: str) -> Iterator[Hint]:
    """Pause pods help a workload only if one of its pods fits in the room of one of them."""
    cpu, memory = pod_cpu_milli(reserve.pod), pod_memory_bytes(reserve.pod)
    larger = [each.name for each in plan.workloads if _is_larger(each, cpu, memory) and each.replicas]
    if larger and reserve.replicas:
        size = f"{format_cpu(cpu)} / {format_bytes(memory)}"
        text = tr(
            "A pod of {larger} is larger than one pause pod ({size}): one does not make enough room.",
            larger=", ".join(larger),
            size=size,
        )
        yield Hint(f"{where}.pod", text, tr("Make the pause pods as large as the largest pod they reserve room for."))
    groups = [group for group in plan.node_groups if why_not(reserve.pod, group) is None]
    if reserve.replicas and groups and all(2 * cpu > group.cpu - group.reserved_cpu for group in groups):
        text = tr("A pause pod takes more than half of a node: most of its room stays unused when it is displaced.")
        yield Hint(f"{where}.pod", text, tr("Use more and smaller pause pods."))


def _is_larger(workload: Workload, cpu: int, memory: int) -> bool:
    if workload.kind in ONE_PER_NODE:
        return False
    return pod_cpu_milli(workload.pod) > cpu or pod_memory_bytes(workload.pod) > memory


def _settings(plan: Plan) -> Iterator[Hint]:
    settings = plan.cluster_autoscaler
    if settings.max_drain_parallelism > settings.max_scale_down_parallelism:
        limit = settings.max_scale_down_parallelism
        text = tr("No more than maxScaleDownParallelism ({limit}) nodes are ever drained at once.", limit=limit)
        yield Hint(
            f"{WHERE}.maxDrainParallelism", text, tr("Lower it to that value, or raise maxScaleDownParallelism.")
        )
    if not settings.scale_up_from_zero and plan.node_groups and not any(g.initial_size for g in plan.node_groups):
        text = tr("Without a node at the start, the autoscaler never acts.")
        yield Hint(f"{WHERE}.scaleUpFromZero", text, tr("Turn it on, or start a pool with a node."))
    if (settings.balancing_labels or settings.balancing_ignore_labels) and not settings.balance_similar_node_groups:
        text = tr("Labels for balancing have no effect while balanceSimilarNodeGroups is off.")
        yield Hint(f"{WHERE}.balanceSimilarNodeGroups", text, tr("Turn it on or remove the labels."))
    smallest = sum(group.min_size for group in plan.node_groups)
    if 0 < settings.max_nodes_total < smallest:
        text = tr(
            "The minimums of the pools add up to {smallest} nodes, more than the cluster may have.", smallest=smallest
        )
        yield Hint(
            f"{WHERE}.maxNodesTotal",
            text,
            tr("Raise it to at least {smallest} or lower the minimums.", smallest=smallest),
        )


def _never_registered(plan: Plan) -> Iterator[Hint]:
    """With frequent loops an instance is seen so soon that it stops counting before its request times out."""
    settings = plan.cluster_autoscaler
    if not settings.frequent_loops_enabled:
        return
    for index, event in enumerate(plan.events):
        if isinstance(event, ProvisioningFailure) and event.kind is FailureKind.NEVER_REGISTERS:
            limit = format_duration(settings.max_node_provision_time)
            text = tr(
                "With frequent loops the autoscaler does not back off from a pool whose instances never "
                "register: it gives them up after the provision time ({limit}) and may choose the pool "
                "again.",
                limit=limit,
            )
            remedy = tr(
                "To see it fall back to another pool, use refused or neverReady, or turn frequentLoopsEnabled off."
            )
            yield Hint(f"events[{index}].kind", text, remedy)
