"""What scales the cluster: pools and autoscalers in tables."""

from collections.abc import Iterator

from planner.language.translation import tr, tr_count
from planner.plan.model.autoscalers.horizontal_pod_autoscaler import HorizontalPodAutoscaler
from planner.plan.model.autoscalers.hpa_metric import TargetType
from planner.plan.model.autoscalers.scaled_object import ScaledJob, ScaledObject, UseTrigger
from planner.plan.model.karpenter.node_pools import NodePool, PoolBudget, PoolLimits, PoolRequirement
from planner.plan.model.node_groups import NodeGroup
from planner.plan.model.plan import Plan
from planner.plan.model.pricing import Market
from planner.plan.values.money import money_text
from planner.record.text.wording import counted
from planner.reports.content import wording
from planner.reports.content.report import ReportTable
from planner.units import format_bytes, format_cpu, format_duration, format_milli


def pools_table(plan: Plan) -> ReportTable:
    """Pools of one kind of machine, as the Cluster Autoscaler knows them."""
    header = (
        tr("Pool"),
        tr("Machine"),
        "CPU",
        tr("Memory"),
        tr("Zones"),
        tr("Nodes at start"),
        tr("Least"),
        tr("Most"),
        tr("Price per hour"),
    )
    currency = plan.costs.currency
    note = "" if plan.runs_cluster_autoscaler else tr("The Cluster Autoscaler is off: pools keep their size.")
    return ReportTable(
        tr("Node pools"), header, "lllllrrrr", tuple(_pool(group, currency) for group in plan.node_groups), note
    )


def _pool(group: NodeGroup, currency: str) -> tuple[str, ...]:
    zones = ", ".join(zone.name for zone in group.zones) or group.zone or wording.NOTHING
    price = money_text(group.node_price, currency) if group.node_price else wording.NOTHING
    kind = f"{price} (spot)" if group.pricing.market is Market.SPOT else price
    machine = group.machine_type or wording.NOTHING
    sizes = (wording.count(size) for size in (group.initial_size, group.min_size, group.max_size))
    return group.name, machine, format_cpu(group.cpu), format_bytes(group.memory), zones, *sizes, kind


def karpenter_pools_table(plan: Plan) -> ReportTable:
    """Pools from which Karpenter launches machines of many types."""
    header = tr("Pool"), tr("Requirements"), tr("Limits"), tr("Nodes at start"), tr("Consolidation"), tr("Budgets")
    pools = plan.karpenter.node_pools if plan.runs_karpenter else ()
    types = len(plan.karpenter.instance_types)
    note = tr_count("They have {count} machine type to choose from.", "They have {count} machine types to choose from.",
        types, count=types)  # fmt: skip
    return ReportTable(tr("Node pools of Karpenter"), header, "lllrll", tuple(map(_karpenter_pool, pools)), note)


def _karpenter_pool(pool: NodePool) -> tuple[str, ...]:
    rules = "; ".join(map(_requirement, pool.requirements)) or wording.NOTHING
    start = wording.count(sum(machines.count for machines in pool.initial_nodes))
    after = pool.disruption.consolidate_after
    consolidation = (
        tr("never")
        if after is None
        else tr("{policy}, after {after}", policy=pool.disruption.consolidation_policy, after=format_duration(after))
    )
    budgets = "; ".join(map(_budget, pool.disruption.budgets)) or wording.NOTHING
    return pool.name, rules, _limits(pool.limits), start, consolidation, budgets


def _requirement(rule: PoolRequirement) -> str:
    return " ".join(part for part in (rule.key, rule.operator, ", ".join(rule.values)) if part)


def _limits(limits: PoolLimits) -> str:
    parts = (
        f"{format_cpu(limits.cpu)} CPU" if limits.cpu is not None else "",
        format_bytes(limits.memory) if limits.memory is not None else "",
        counted(limits.nodes, "node") if limits.nodes is not None else "",
        *(f"{amount} {name}" for name, amount in limits.extended.items()),
    )
    return ", ".join(part for part in parts if part) or wording.NOTHING


def _budget(budget: PoolBudget) -> str:
    reasons = f" ({', '.join(budget.reasons)})" if budget.reasons else ""
    if budget.duration is None:
        return f"{budget.nodes}{reasons}"
    when = tr("{schedule} for {length}", schedule=budget.schedule, length=format_duration(budget.duration))
    return f"{budget.nodes}{reasons} {when}"


def autoscalers_table(plan: Plan) -> ReportTable:
    """Autoscalers of nodes, then those of pods."""
    header = tr("Autoscaler"), tr("Scales"), tr("Range"), tr("By")
    rows = [(tr("Cluster Autoscaler"), tr("node pools"), wording.NOTHING, _cluster_rule(plan))]
    rows = [*rows * plan.runs_cluster_autoscaler, *_karpenter(plan)]
    for hpa in plan.horizontal_pod_autoscalers:
        rows.append((tr("HPA {name}", name=hpa.name), hpa.scale_target, _pods(hpa), _metrics(hpa)))
    for scaled in plan.scaled_objects:
        rows.append((tr("KEDA {name}", name=scaled.name), scaled.scale_target, _pods(scaled), _triggers(scaled)))
    for jobs in plan.scaled_jobs:
        span = tr("{least} to {most} jobs", least=jobs.min_replicas, most=jobs.most_jobs)
        rows.append((tr("KEDA {name}", name=jobs.name), jobs.job_target, span, _triggers(jobs)))
    for vpa in plan.vertical_pod_autoscalers:
        mode = tr("mode {mode}", mode=vpa.update_mode)
        rows.append((tr("VPA {name}", name=vpa.name), vpa.target, tr("requests of its pods"), mode))
    for one in plan.proportional_autoscalers:
        name = tr("Proportional {name}", name=one.name)
        rows.append((name, ", ".join(one.targets), wording.NOTHING, tr("size of the cluster")))
    return ReportTable(tr("Autoscalers"), header, "llll", tuple(rows))


def _karpenter(plan: Plan) -> Iterator[tuple[str, str, str, str]]:
    if plan.runs_karpenter:
        settings = plan.karpenter
        rule = tr(
            "gathers pods until none came for {idle}, {most} at most",
            idle=format_duration(settings.batch_idle_duration),
            most=format_duration(settings.batch_max_duration),
        )
        yield "Karpenter", tr("node pools of Karpenter"), wording.NOTHING, rule


def _pods(one: HorizontalPodAutoscaler | ScaledObject) -> str:
    return tr("{least} to {most} pods", least=one.min_replicas or 0, most=one.max_replicas)


def _triggers(one: ScaledObject | ScaledJob) -> str:
    found = (
        trigger.type if isinstance(trigger, UseTrigger) else getattr(trigger, "series", trigger.type)
        for trigger in one.triggers
    )
    return ", ".join(dict.fromkeys(found))


def _cluster_rule(plan: Plan) -> str:
    settings = plan.cluster_autoscaler
    chosen = ", ".join(settings.expander)
    unneeded = format_duration(settings.scale_down_unneeded_time)
    down = (
        tr("removes nodes unneeded for {unneeded}", unneeded=unneeded)
        if settings.scale_down_enabled
        else tr("removes no nodes")
    )
    return tr(
        "looks every {scan_interval}; expander {chosen}; {down}",
        scan_interval=format_duration(settings.scan_interval),
        chosen=chosen,
        down=down,
    )


def _metrics(hpa: HorizontalPodAutoscaler) -> str:
    return "; ".join(_metric_texts(hpa)) or tr("cpu at 80 % of the request")


def _metric_texts(hpa: HorizontalPodAutoscaler) -> Iterator[str]:
    for metric in hpa.metrics:
        place = tr(" of container {container}", container=metric.container) if metric.container else ""
        match metric.target_type:
            case TargetType.UTILIZATION:
                target = tr("{target} % of the request", target=metric.target)
            case TargetType.AVERAGE_VALUE:
                target = tr("{target} per pod", target=format_milli(metric.target))
            case TargetType.VALUE:
                target = format_milli(metric.target)
        yield tr("{metric}{place} at {target}", metric=metric.metric or metric.resource, place=place, target=target)
