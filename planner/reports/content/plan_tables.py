"""The plan in words and tables."""

from collections.abc import Iterator

from planner.plan.derived.load_extremes import lowest_and_highest
from planner.plan.derived.pod_requests import container_sums, limit_sums, pod_level_requests
from planner.plan.derived.reserves import resolved_reserves
from planner.plan.model.autoscalers.horizontal_pod_autoscaler import HorizontalPodAutoscaler
from planner.plan.model.autoscalers.hpa_metric import TargetType
from planner.plan.model.node_groups import NodeGroup
from planner.plan.model.plan import Plan
from planner.plan.model.pods import PodTemplate
from planner.plan.model.pricing import Market
from planner.plan.model.workloads import Workload
from planner.plan.values.money import money_text
from planner.record.text.wording import counted
from planner.reports.content import wording
from planner.reports.content.report import ReportTable
from planner.reports.content.verdict import objective_text
from planner.units import format_bytes, format_cpu, format_duration, format_milli

MOST_ROWS = 60


def about(plan: Plan, until_us: int) -> tuple[str, ...]:
    """What is simulated, for a reader who has never seen the plan."""
    serving = len(plan.serving_rows())
    pools, start = plan.node_groups, sum(group.initial_size for group in plan.node_groups)
    most = sum(max(group.max_size, group.initial_size) for group in pools)
    grows = plan.cluster_autoscaler.enabled and most > start
    sentences = [
        f"This plan describes a Kubernetes {plan.kubernetes_version} cluster with {counted(len(pools), 'node pool')}: "
        f"{counted(start, 'node')} at the start" + (f", up to {wording.count(most)} on demand." if grows else "."),
        f"{counted(len(plan.workloads), 'workload')} {'runs' if len(plan.workloads) == 1 else 'run'} in it"
        + (f"; {serving} of them {'serves' if serving == 1 else 'serve'} requests." if serving else "."),
    ]
    scalers = [(len(plan.horizontal_pod_autoscalers), "horizontal pod autoscaler"),
               (len(plan.vertical_pod_autoscalers), "vertical pod autoscaler"),
               (len(plan.overprovisioning), "reserve of pause pods"),
               (len(plan.events), "planned event or fault")]  # fmt: skip
    present = [_counted(number, what) for number, what in scalers if number]
    if present:
        sentences.append(f"It has {', '.join(present)}.")
    sentences.append(f"The run simulates {format_duration(until_us)}.")
    return tuple(sentences)


def _counted(number: int, what: str) -> str:
    plurals = {"reserve of pause pods": "reserves of pause pods", "planned event or fault": "planned events or faults"}
    return f"{number} {plurals[what]}" if number != 1 and what in plurals else counted(number, what)


def plan_tables(plan: Plan) -> tuple[ReportTable, ...]:
    """Pools, workloads, autoscalers, reserves and events; empty ones are left out."""
    tables = (_pools(plan), _workloads(plan), _autoscalers(plan), _reserves(plan), _events(plan))
    return tuple(_bounded(table) for table in tables if table.rows)


def _bounded(table: ReportTable) -> ReportTable:
    more = len(table.rows) - MOST_ROWS
    if more <= 0:
        return table
    note = f"{table.note} {more} more are in the plan.".strip()
    return ReportTable(table.title, table.header, table.aligns, table.rows[:MOST_ROWS], note)


def _pools(plan: Plan) -> ReportTable:
    header = "Pool", "Machine", "CPU", "Memory", "Zones", "Nodes at start", "Least", "Most", "Price per hour"
    currency = plan.costs.currency
    note = "" if plan.cluster_autoscaler.enabled else "The Cluster Autoscaler is off: pools keep their size."
    return ReportTable(
        "Node pools", header, "lllllrrrr", tuple(_pool(group, currency) for group in plan.node_groups), note
    )


def _pool(group: NodeGroup, currency: str) -> tuple[str, ...]:
    zones = ", ".join(zone.name for zone in group.zones) or group.zone or wording.NOTHING
    price = money_text(group.node_price, currency) if group.node_price else wording.NOTHING
    kind = f"{price} (spot)" if group.pricing.market is Market.SPOT else price
    machine = group.machine_type or wording.NOTHING
    sizes = (wording.count(size) for size in (group.initial_size, group.min_size, group.max_size))
    return group.name, machine, format_cpu(group.cpu), format_bytes(group.memory), zones, *sizes, kind


def _workloads(plan: Plan) -> ReportTable:
    header = "Workload", "Kind", "Pods", "CPU request", "Memory request", "CPU limit", "Requests per second", "SLO"
    return ReportTable("Workloads", header, "llrrrrrl", tuple(_workload(item) for item in plan.workloads))


def _workload(item: Workload) -> tuple[str, ...]:
    requests, limits = _requests(item.pod), limit_sums(item.pod)
    load = wording.NOTHING
    if item.traffic is not None:
        low, high = lowest_and_highest(item.traffic.profile)
        load = wording.number(high) if low == high else f"{wording.number(low)} to {wording.number(high)}"
    slo = wording.NOTHING if item.slo is None else objective_text(item.slo)
    amounts = _cpu(requests), _memory(requests), _cpu(limits)
    return item.name, str(item.kind), wording.count(item.replicas), *amounts, load, slo


def _requests(pod: PodTemplate) -> dict[str, int]:
    return container_sums(pod) | pod_level_requests(pod)


def _cpu(amounts: dict[str, int]) -> str:
    return format_cpu(amounts["cpu"]) if "cpu" in amounts else wording.NOTHING


def _memory(amounts: dict[str, int]) -> str:
    return format_bytes(amounts["memory"]) if "memory" in amounts else wording.NOTHING


def _autoscalers(plan: Plan) -> ReportTable:
    header = "Autoscaler", "Scales", "Range", "By"
    rows = [
        ("Cluster Autoscaler", "node pools", wording.NOTHING, _cluster_rule(plan))
    ] * plan.cluster_autoscaler.enabled
    rows += [(f"HPA {hpa.name}", hpa.scale_target, f"{hpa.min_replicas} to {hpa.max_replicas} pods", _metrics(hpa))
             for hpa in plan.horizontal_pod_autoscalers]  # fmt: skip
    rows += [(f"VPA {vpa.name}", vpa.target, "requests of its pods", f"mode {vpa.update_mode}")
             for vpa in plan.vertical_pod_autoscalers]  # fmt: skip
    rows += [(f"Proportional {one.name}", ", ".join(one.targets), wording.NOTHING, "size of the cluster")
             for one in plan.proportional_autoscalers]  # fmt: skip
    return ReportTable("Autoscalers", header, "llll", tuple(rows))


def _cluster_rule(plan: Plan) -> str:
    settings = plan.cluster_autoscaler
    chosen = ", ".join(settings.expander)
    unneeded = format_duration(settings.scale_down_unneeded_time)
    down = f"removes nodes unneeded for {unneeded}" if settings.scale_down_enabled else "removes no nodes"
    return f"looks every {format_duration(settings.scan_interval)}; expander {chosen}; {down}"


def _metrics(hpa: HorizontalPodAutoscaler) -> str:
    return "; ".join(_metric_texts(hpa)) or "cpu at 80 % of the request"


def _metric_texts(hpa: HorizontalPodAutoscaler) -> Iterator[str]:
    for metric in hpa.metrics:
        place = f" of container {metric.container}" if metric.container else ""
        match metric.target_type:
            case TargetType.UTILIZATION:
                target = f"{metric.target} % of the request"
            case TargetType.AVERAGE_VALUE:
                target = f"{format_milli(metric.target)} per pod"
            case TargetType.VALUE:
                target = format_milli(metric.target)
        yield f"{metric.metric or metric.resource}{place} at {target}"


def _reserves(plan: Plan) -> ReportTable:
    header = "Reserve", "Pause pods", "CPU of each", "Memory of each", "Priority"
    rows = tuple(
        (
            one.name,
            wording.count(one.replicas),
            _cpu(_requests(one.pod)),
            _memory(_requests(one.pod)),
            str(one.priority),
        )
        for one in resolved_reserves(plan)
    )
    return ReportTable("Reserves", header, "lrrrr", rows, "Pods of a lower priority that give way to others at once.")


def _events(plan: Plan) -> ReportTable:
    rows = tuple((format_duration(one.at), _spelled(one.type), _subject(one)) for one in plan.events)
    return ReportTable("Events and faults", ("At", "What", "Where"), "rll", rows)


def _spelled(kind: str) -> str:
    """nodeLoss as node loss."""
    return "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in kind)


def _subject(event: object) -> str:
    found = (getattr(event, name, "") for name in ("node_group", "workload", "zone"))
    return next((str(one) for one in found if one), wording.NOTHING)
