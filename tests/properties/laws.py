"""What holds of every finished run: nothing appears or vanishes, no figure is negative, parts add up to their whole.

Each law returns sentences on what is broken.
"""

import math
from collections.abc import Callable, Iterator

import numpy as np

from planner.metrics.catalogue import METRICS, Scope
from planner.metrics.pods.pod_times import PodTimes
from planner.plan.derived.karpenter_groups import karpenter_rows
from planner.plan.model.plan import Plan
from planner.plan.model.pricing import BilledFrom
from planner.record.result import RunResult
from planner.state.nodes import NONE
from planner.state.pods import PodPhase
from planner.units import US_PER_H
from tests.properties.karpenter_laws import budgets_of_pools_hold, cost_of_machines, machines_are_billed_once
from tests.properties.watched_run import WatchedSimulation

Law = Callable[[Plan, WatchedSimulation, RunResult], Iterator[str]]
TINY = 1e-6


def broken_laws(plan: Plan, sim: WatchedSimulation, result: RunResult) -> list[str]:
    """Of this run; empty when all hold."""
    found = list(sim.broken)
    for law in LAWS:
        found += [f"{law.__name__}: {one}" for one in law(plan, sim, result)]
    return found


def _is_near(one: float, other: float) -> bool:
    return math.isclose(one, other, rel_tol=TINY, abs_tol=TINY)


def requests_are_conserved(plan: Plan, sim: WatchedSimulation, result: RunResult) -> Iterator[str]:
    """Every try was served, lost or is still in flight; whoever was lost gave up, came again or waits to."""
    in_flight = sim.load_record.latest().in_flight
    for row, total in sim.load_record.totals.of.items():
        came, went = total.offered + total.retried, total.served + total.rejected + total.timed_out
        if not _is_near(came, went + float(in_flight[row])):
            yield f"{plan.workloads[row].name}: {came} came, {went} ended, {in_flight[row]} are in flight"
        waiting = total.rejected + total.timed_out - total.lost - total.retried
        if waiting < -TINY * max(1.0, came) or (not plan.workloads[row].demand.retries.attempts and waiting > TINY):
            yield f"{plan.workloads[row].name}: {waiting} tries wait to come again"
        if not 0 <= total.met_us <= total.looked_us <= result.until_us:
            yield f"{plan.workloads[row].name}: met for {total.met_us} of {total.looked_us}"


def pods_are_conserved(plan: Plan, sim: WatchedSimulation, result: RunResult) -> Iterator[str]:
    """Whatever was created lives or has ended, and its life is in order."""
    pods = sim.cluster.pods
    created = int(sim.cluster.workloads.created.sum())
    if not created == pods.count == len(result.pods):
        yield f"{created} were created, {pods.count} have a row, {len(result.pods)} are in the table"
    ended = (pods.phase == PodPhase.GONE) == (pods.ended_us != NONE)
    if not ended.all():
        yield f"pods {np.flatnonzero(~ended).tolist()} are gone without an end, or the other way round"
    for row in result.pods:
        times = [row[name] for name in ("created_s", "scheduled_s", "started_s", "ready_s", "ended_s")]
        known = [time for time in times if time is not None]
        if known != sorted(known) or any(not 0 <= time <= result.until_us / 1e6 for time in known):
            yield f"{row['pod']}: {times}"


def nodes_are_conserved(plan: Plan, sim: WatchedSimulation, result: RunResult) -> Iterator[str]:
    """Whatever was requested exists, is under way or has gone, and its life is in order."""
    created = sum(row["nodes_created_count"] for row in result.node_groups)
    if not created == sim.cluster.nodes.count == len(result.nodes):
        yield f"{created} were created, {sim.cluster.nodes.count} have a row, {len(result.nodes)} are in the table"
    for number, row in enumerate(result.nodes):
        times = [row[name] for name in ("requested_s", "registered_s", "ready_s", "removed_s")]
        known = [time for time in times if time is not None]
        if known != sorted(known) or any(not 0 <= time <= result.until_us / 1e6 for time in known):
            yield f"{row['node']}: {times}"
        first_us = sim.first_ready_us.get(number)
        if (None if first_us is None else first_us / 1e6) != row["ready_s"]:
            yield f"{row['node']} was first Ready at {first_us} us, the table says {row['ready_s']} s"


def money_is_conserved(plan: Plan, sim: WatchedSimulation, result: RunResult) -> Iterator[str]:
    """What the report charges is at least what the nodes' own history costs, and its parts add up."""
    of_kind: dict[str, float] = {}
    for row in result.costs:
        of_kind[row["kind"]] = of_kind.get(row["kind"], 0.0) + row["cost_currency"]
        if not row["cost_currency"] >= 0.0:
            yield f"{row['kind']} {row['subject']} costs {row['cost_currency']}"
    total = of_kind["total"]
    by_workload = of_kind.get("workload", 0.0)
    parts = {
        "node groups": of_kind["node group"],
        "workloads and idle": by_workload + of_kind["idle"],
        "namespaces and idle": of_kind.get("namespace", 0.0) + of_kind["idle"],
        "the key figure": result.figures["cost"].value,
        "table of groups": sum(row["cost_currency"] for row in result.node_groups),
    }
    for name, sum_of_parts in parts.items():
        if not _is_near(sum_of_parts, total):
            yield f"the total is {total}, {name}: {sum_of_parts}"
    least = _least_cost(plan, sim, result.until_us)
    if total < least - TINY:
        yield f"the report says {total}, by hand it is at least {least}"


def _least_cost(plan: Plan, sim: WatchedSimulation, until_us: int) -> float:
    """Unrounded node time that no reservation covers, at the pool's price, and all reserved time at its own."""
    nodes, money = sim.cluster.nodes, 0.0
    bought = karpenter_rows(sim.plan)
    for group, pricing in enumerate(each.pricing for each in sim.plan.node_groups):
        if group in bought:
            money += cost_of_machines(sim, group, until_us)
            continue
        price, spans = sim.cluster.node_specs[group].price_per_hour, []
        for node in np.flatnonzero(nodes.group == group).tolist():
            begin_us = int(nodes.requested_us[node])
            if pricing.billed_from is BilledFrom.READY:
                begin_us = sim.first_ready_us.get(node, until_us)
            end_us = sim.gone_us.get(node, until_us)
            if end_us > begin_us:
                spans.append((begin_us, end_us))
        alive_us = sum(end - begin for begin, end in spans)
        uncovered_us = alive_us - _covered_us(spans, pricing.reserved_nodes)
        money += price * uncovered_us / US_PER_H
        money += pricing.reserved_nodes * pricing.reserved_price_per_hour * until_us / US_PER_H
    return money


def _covered_us(spans: list[tuple[int, int]], reservations: int) -> int:
    """Time in which reservations are used: at each moment as many as there are nodes, up to their number."""
    turns = sorted([(begin, 1) for begin, _ in spans] + [(end, -1) for _, end in spans])
    covered, alive, before = 0, 0, 0
    for at_us, step in turns:
        covered += min(alive, reservations) * (at_us - before)
        alive, before = alive + step, at_us
    return covered


def durations_are_in_order(plan: Plan, sim: WatchedSimulation, result: RunResult) -> Iterator[str]:
    """A node is requested after the refusal of the pod that it helps, then Ready, then the pod runs."""
    times = PodTimes(sim.cluster, result.until_us)
    requested, ready, running = times.reaction_s()
    if not ((requested >= 0.0) & (ready >= requested) & (running >= ready)).all():
        yield f"seconds until requested {requested}, Ready {ready}, running {running}"
    starts = times.start_s(range(sim.cluster.workloads.count))
    if not (starts >= 0.0).all():
        yield f"starts took {starts}"


def no_figure_is_negative(plan: Plan, sim: WatchedSimulation, result: RunResult) -> Iterator[str]:
    """Neither key figures nor tables hold negative or undefined numbers; only a latency without CPU is infinite."""
    for name, figure in result.figures.items():
        is_latency = name.startswith(("latency", "backlog"))
        if not figure.value >= 0.0 or (math.isinf(figure.value) and not is_latency):
            yield f"{name} is {figure.value}"
        if figure.unit == "ratio" and name.startswith("slo") and figure.value > 1.0:
            yield f"{name} is {figure.value}"
    for table in (result.workloads, result.node_groups, result.nodes, result.costs):
        for row in table:
            for column, value in row.items():
                if isinstance(value, int | float) and not value >= 0:
                    yield f"{next(iter(row.values()))}: {column} is {value}"


_UNDEFINED = ("latency", "memory", "slo", "hpa", "group_memory_used")
"""Beginnings of the names of series that are undefined at times: nothing is served, or not known."""
_BEYOND_ONE = ("hpa", "capacity_busy")
"""Beginnings of the names of ratios that are no shares: what is needed may be more than there is."""


def series_are_sound(plan: Plan, sim: WatchedSimulation, result: RunResult) -> Iterator[str]:
    """One value a row in each, none negative, shares between 0 and 1; times rise."""
    if (np.diff(result.time_us) <= 0).any():
        yield "times do not rise"
    for name, values in result.series.items():
        if len(values) != len(result.time_us):
            yield f"{name} has {len(values)} values for {len(result.time_us)} times"
        undefined = np.isnan(values)
        if undefined.any() and not name.startswith(_UNDEFINED):
            yield f"{name} is undefined at {result.time_us[undefined][:3]}"
        if (values[~undefined] < 0.0).any():
            yield f"{name} falls to {values[~undefined].min()}"
        if "_ratio" in name and not name.startswith(_BEYOND_ONE) and (values[~undefined] > 1.0 + TINY).any():
            yield f"{name} reaches {values[~undefined].max()}"


POD_STATES = ("pods_pending_count", "pods_starting_count", "pods_running_count", "pods_terminating_count")
_ADD_UP = (
    ("nodes_ready_count", "group_nodes_ready_count", Scope.GROUP),
    ("cpu_allocatable_cores", "group_cpu_allocatable_cores", Scope.GROUP),
    ("cpu_requested_cores", "group_cpu_requested_cores", Scope.GROUP),
    ("memory_allocatable_bytes", "group_memory_allocatable_bytes", Scope.GROUP),
    ("memory_requested_bytes", "group_memory_requested_bytes", Scope.GROUP),
    ("memory_used_bytes", "group_memory_used_bytes", Scope.GROUP),
    ("cost_rate_currency_per_h", "group_cost_rate_currency_per_h", Scope.GROUP),
    ("cpu_used_cores", "group_cpu_used_cores", Scope.GROUP),
    ("cpu_used_cores", "cpu_used_cores", Scope.WORKLOAD),
    ("memory_used_bytes", "memory_used_bytes", Scope.WORKLOAD),
    *((name, name, Scope.WORKLOAD) for name in (*POD_STATES, "pods_not_ready_count")),
)
"""Series of the cluster, and those of its parts."""


def parts_add_up(plan: Plan, sim: WatchedSimulation, result: RunResult) -> Iterator[str]:
    """Series of groups and of workloads sum up to that of the cluster in every row."""
    for whole, part, scope in _ADD_UP:
        assert any(metric.column == part and metric.scope is scope for metric in METRICS), part
        names = sim.cluster.group_names if scope is Scope.GROUP else sim.cluster.workload_names
        total = result.series[whole]
        parts = sum((result.series[f"{part}[{name}]"] for name in names), np.zeros(len(total)))
        wrong = ~np.isclose(total, parts, rtol=TINY, atol=1e-3, equal_nan=True)
        if wrong.any():
            at = np.flatnonzero(wrong)[0]
            yield f"{whole} is {total[at]} at {result.time_us[at] / 1e6:g} s, {scope}s sum to {parts[at]}"


def pod_states_add_up(plan: Plan, sim: WatchedSimulation, result: RunResult) -> Iterator[str]:
    """At every row each living pod is in exactly one state, as counted by hand while the run went on."""
    states = sum(result.series[name] for name in POD_STATES)
    for at_us, summed, total in zip(result.time_us.tolist(), states, result.series["pods_count"], strict=True):
        if not sim.living.get(at_us, total) == summed == total:
            yield f"{sim.living.get(at_us)} live at {at_us / 1e6:g} s, states sum to {summed}, the total is {total}"
    if len(sim.living) < len(result.time_us) - 1:
        yield f"only {len(sim.living)} of {len(result.time_us)} rows were counted by hand"
    if (result.series["pods_not_ready_count"] > result.series["pods_running_count"]).any():
        yield "more pods are not Ready than run"
    for row in result.workloads:
        states_at_end = sum(row[name] for name in POD_STATES)
        active = row["replicas_active_count"] + row["pods_terminating_count"]
        if states_at_end != active and row["workload"] != "reserve":
            yield f"{row['workload']}: {active} live at the end, states sum to {states_at_end}"


LAWS: tuple[Law, ...] = (
    requests_are_conserved,
    pods_are_conserved,
    nodes_are_conserved,
    money_is_conserved,
    machines_are_billed_once,
    budgets_of_pools_hold,
    durations_are_in_order,
    no_figure_is_negative,
    series_are_sound,
    parts_add_up,
    pod_states_add_up,
)
