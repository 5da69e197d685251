"""The plan in words and tables."""

from planner.language.translation import tr, tr_count
from planner.plan.derived.load_extremes import lowest_and_highest
from planner.plan.derived.pod_requests import container_sums, limit_sums, pod_level_requests
from planner.plan.derived.reserves import resolved_reserves
from planner.plan.model.plan import Plan
from planner.plan.model.pods.pod_template import PodTemplate
from planner.plan.model.workloads import Workload
from planner.record.text.wording import counted
from planner.reports.content import wording
from planner.reports.content.autoscaler_tables import autoscalers_table, karpenter_pools_table, pools_table
from planner.reports.content.report import ReportTable
from planner.reports.content.verdict import objective_text
from planner.units import format_bytes, format_cpu, format_duration

MOST_ROWS = 60


def about(plan: Plan, until_us: int) -> tuple[str, ...]:
    """What is simulated, for a reader who has never seen the plan."""
    serving, workloads = len(plan.serving_rows()), len(plan.workloads)
    pools, bought = plan.node_groups, plan.karpenter.node_pools if plan.runs_karpenter else ()
    least = sum(group.initial_size for group in pools)
    start = least + sum(machines.count for pool in bought for machines in pool.initial_nodes)
    most = sum(max(group.max_size, group.initial_size) for group in pools)
    grows = plan.runs_cluster_autoscaler and not bought and most > least
    sentences = [
        tr(
            "This plan describes a Kubernetes {kubernetes_version} cluster with {count}: {start} at the start",
            kubernetes_version=plan.kubernetes_version,
            count=counted(len(pools) + len(bought), "node pool"),
            start=counted(start, "node"),
        )
        + (tr(", up to {count} on demand.", count=wording.count(most)) if grows else "."),
        *([tr("Karpenter launches more as pods need them.")] if bought else []),
        tr_count("{count} workload runs in it", "{count} workloads run in it", workloads, count=workloads)
        + (
            tr_count(
                "; {count} of them serves requests.",
                "; {count} of them serve requests.",
                serving,
                count=serving,
            )
            if serving
            else "."
        ),
    ]
    present = _extras(plan)
    if present:
        sentences.append(tr("It has {present}.", present=", ".join(present)))
    sentences.append(tr("The run simulates {until_us}.", until_us=format_duration(until_us)))
    return tuple(sentences)


def _extras(plan: Plan) -> list[str]:
    horizontal, vertical = len(plan.horizontal_pod_autoscalers), len(plan.vertical_pod_autoscalers)
    reserves, events = len(plan.overprovisioning), len(plan.events)
    texts = {
        counted(horizontal, "horizontal pod autoscaler"): horizontal,
        counted(vertical, "vertical pod autoscaler"): vertical,
        tr_count(
            "{count} reserve of pause pods", "{count} reserves of pause pods", reserves, count=wording.count(reserves)
        ): reserves,
        tr_count(
            "{count} planned event or fault", "{count} planned events or faults", events, count=wording.count(events)
        ): events,
    }
    return [text for text, number in texts.items() if number]


def plan_tables(plan: Plan) -> tuple[ReportTable, ...]:
    """Pools, workloads, autoscalers, reserves and events; empty ones are left out."""
    tables = (
        pools_table(plan),
        karpenter_pools_table(plan),
        _workloads(plan),
        autoscalers_table(plan),
        _reserves(plan),
        _events(plan),
    )
    return tuple(_bounded(table) for table in tables if table.rows)


def _bounded(table: ReportTable) -> ReportTable:
    more = len(table.rows) - MOST_ROWS
    if more <= 0:
        return table
    note = tr("{note} {more} more are in the plan.", note=table.note, more=more).strip()
    return ReportTable(table.title, table.header, table.aligns, table.rows[:MOST_ROWS], note)


def _workloads(plan: Plan) -> ReportTable:
    header = (
        tr("Workload"),
        tr("Kind"),
        tr("Pods"),
        tr("CPU request"),
        tr("Memory request"),
        tr("CPU limit"),
        tr("Requests per second"),
        "SLO",
    )
    return ReportTable(tr("Workloads"), header, "llrrrrrl", tuple(_workload(item) for item in plan.workloads))


def _workload(item: Workload) -> tuple[str, ...]:
    requests, limits = _requests(item.pod), limit_sums(item.pod)
    load = wording.NOTHING
    if item.traffic is not None:
        low, high = lowest_and_highest(item.traffic.profile)
        load = (
            wording.number(high)
            if low == high
            else tr("{number} to {number_2}", number=wording.number(low), number_2=wording.number(high))
        )
    slo = wording.NOTHING if item.slo is None else objective_text(item.slo)
    amounts = _cpu(requests), _memory(requests), _cpu(limits)
    return item.name, str(item.kind), wording.count(item.replicas), *amounts, load, slo


def _requests(pod: PodTemplate) -> dict[str, int]:
    return container_sums(pod) | pod_level_requests(pod)


def _cpu(amounts: dict[str, int]) -> str:
    return format_cpu(amounts["cpu"]) if "cpu" in amounts else wording.NOTHING


def _memory(amounts: dict[str, int]) -> str:
    return format_bytes(amounts["memory"]) if "memory" in amounts else wording.NOTHING


def _reserves(plan: Plan) -> ReportTable:
    header = tr("Reserve"), tr("Pause pods"), tr("CPU of each"), tr("Memory of each"), tr("Priority")
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
    return ReportTable(
        tr("Reserves"), header, "lrrrr", rows, tr("Pods of a lower priority that give way to others at once.")
    )


def _events(plan: Plan) -> ReportTable:
    rows = tuple((format_duration(one.at), _spelled(one.type), _subject(one)) for one in plan.events)
    return ReportTable(tr("Events and faults"), (tr("At"), tr("What"), tr("Where")), "rll", rows)


def _spelled(kind: str) -> str:
    """nodeLoss as node loss."""
    return "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in kind)


def _subject(event: object) -> str:
    found = (getattr(event, name, "") for name in ("node_group", "workload", "zone"))
    return next((str(one) for one in found if one), wording.NOTHING)
