"""What the nodes cost, and what of it was not needed."""

from planner.metrics.cost import cost_per_thousand
from planner.metrics.figures.inputs import FigureInputs
from planner.metrics.figures.named import Named
from planner.metrics.waste import waste_of
from planner.plan.derived.fits import pod_cpu_milli, pod_memory_bytes
from planner.plan.derived.reserves import HOURS_PER_MONTH, reserve_cost, resolved_reserves
from planner.record.result import Figure
from planner.units import US_PER_H

CURRENCY = "currency"
"""Placeholder for the unit of money; the currency is that of the plan."""


def cost(inputs: FigureInputs) -> Named:
    """Node hours and money: in all, by pool, by request, and what was paid for nothing."""
    costs, groups = inputs.costs, inputs.cluster.group_names
    hours, money = costs.per_group(costs.node_hours), costs.by_group
    yield "node_hours", Figure(float(hours.sum()), "h")
    for group, name in enumerate(groups):
        yield f"node_hours[{name}]", Figure(float(hours[group]), "h")
    yield "cost", Figure(costs.total, CURRENCY)
    for group, name in enumerate(groups):
        yield f"cost[{name}]", Figure(float(money[group]), CURRENCY)
    for reserve in inputs.plan.overprovisioning:
        reserved = reserve_cost(inputs.plan, reserve)
        if reserved is not None:
            yield f"reserve_cost_per_month[{reserve.name}]", Figure(reserved.per_month, CURRENCY)
    served = sum((totals.served for totals in inputs.totals.of.values()), 0.0)
    if served > 0.0:
        yield "cost_per_1000_requests", Figure(cost_per_thousand(costs.total, served), CURRENCY)
    for row, totals in inputs.totals.of.items():
        if totals.served > 0.0:
            own = cost_per_thousand(float(costs.by_workload[row]), totals.served)
            yield f"cost_per_1000_requests[{inputs.cluster.workload_names[row]}]", Figure(own, CURRENCY)
    budget, hours_run = inputs.plan.costs.budget_per_month, inputs.until_us / US_PER_H
    if budget > 0.0 and hours_run > 0.0:
        per_month = costs.total / hours_run * HOURS_PER_MONTH
        yield "cost_per_month", Figure(per_month, CURRENCY)
        yield "budget_used", Figure(per_month / budget, "ratio")
    if costs.unused_reservations.any():
        yield "cost_of_unused_reservations", Figure(float(costs.unused_reservations.sum()), CURRENCY)
    yield "cost_idle", Figure(costs.idle, CURRENCY)


def waste(inputs: FigureInputs) -> Named:
    """Means over the run, and their worth by the prices of `costs`."""
    hours = inputs.until_us / US_PER_H
    reserves = {
        reserve.name: (pod_cpu_milli(reserve.pod) / 1000.0, float(pod_memory_bytes(reserve.pod)))
        for reserve in resolved_reserves(inputs.plan)
        if not reserve.capacity_buffer
    }
    for waste in waste_of(inputs.series, reserves):
        yield f"waste_{waste.kind}_cpu", Figure(waste.cores, "cores")
        if waste.memory_bytes:
            yield f"waste_{waste.kind}_memory", Figure(waste.memory_bytes, "bytes")
        yield f"waste_{waste.kind}_worth", Figure(waste.money(hours, inputs.plan.costs), CURRENCY)
