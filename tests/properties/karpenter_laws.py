"""What holds of the pools of Karpenter in every finished run."""

from collections.abc import Iterator
from datetime import UTC, datetime

import numpy as np

from planner.karpenter.pools.budget_schedule import allowed
from planner.plan.derived.karpenter_groups import karpenter_rows
from planner.plan.model.plan import Plan
from planner.record.decisions import Actor, Verdict
from planner.record.result import RunResult
from planner.simulation.compile.karpenter import compile_pool
from planner.state.nodes import NONE
from planner.units import US_PER_H, US_PER_MIN, US_PER_S
from tests.properties.watched_run import WatchedSimulation

TINY = 1e-6


def cost_of_machines(sim: WatchedSimulation, group: int, until_us: int) -> float:
    """What the machines of a pool of Karpenter cost at least, each at its own price from its launch to its end."""
    return sum(price * life_us / US_PER_H for price, life_us in _lives(sim, group, until_us))


def _lives(sim: WatchedSimulation, group: int, until_us: int) -> Iterator[tuple[float, int]]:
    """Price and life of each machine, microseconds."""
    nodes, specs = sim.cluster.nodes, sim.cluster.node_specs
    for node in np.flatnonzero(nodes.group == group).tolist():
        end_us = min(until_us, sim.gone_us.get(node, until_us))
        yield specs[nodes.spec[node]].price_per_hour, max(0, end_us - max(0, int(nodes.requested_us[node])))


def machines_are_billed_once(plan: Plan, sim: WatchedSimulation, result: RunResult) -> Iterator[str]:
    """A pool of Karpenter costs what its machines cost, each to the next second and for a minute at least."""
    for group in karpenter_rows(sim.plan):
        lives = _lives(sim, group, result.until_us)
        most = sum(price * max(life_us + US_PER_S, US_PER_MIN) / US_PER_H for price, life_us in lives)
        said = result.node_groups[group]["cost_currency"]
        if not cost_of_machines(sim, group, result.until_us) - TINY <= said <= most + TINY:
            yield f"{sim.cluster.group_names[group]} costs {said}, by hand {most} at most"


def budgets_of_pools_hold(plan: Plan, sim: WatchedSimulation, result: RunResult) -> Iterator[str]:
    """When Karpenter begins to remove nodes, no more of a pool are on their way out than its budgets allow then."""
    rows = {sim.cluster.node_name(row): row for row in range(sim.cluster.nodes.count)}
    pools = {pool.name: compile_pool(pool) for pool in plan.karpenter.node_pools}
    going: dict[str, None] = {}
    for one in sim.recorder.decisions:
        if one.actor is not Actor.KARPENTER:
            continue
        if one.verdict is Verdict.KEPT:
            going.pop(one.subject, None)
        if one.verdict is not Verdict.REMOVING:
            continue
        going |= dict.fromkeys(one.details.nodes)
        going = {name: None for name in going if _is_there(sim, rows[name], one.time_us)}
        for name, pool in pools.items():
            group = sim.cluster.group_names.index(name)
            of_pool = [row for row in range(sim.cluster.nodes.count) if sim.cluster.nodes.group[row] == group]
            size = sum(_is_there(sim, row, one.time_us) for row in of_pool)
            now = datetime.fromtimestamp((plan.simulation.starts_at + one.time_us) / 1e6, UTC)
            most = allowed(pool.budgets, size, one.details.reason, now)
            out = [node for node in going if rows[node] in of_pool]
            if one.subject in out and len(out) > most:
                yield f"{out} go at {one.time_us / 1e6:g} s, the budgets of {name} allow {most}"


def _is_there(sim: WatchedSimulation, row: int, at_us: int) -> bool:
    """Whether a machine that has been launched is not being deleted."""
    asked_us, nodes = int(sim.cluster.nodes.delete_requested_us[row]), sim.cluster.nodes
    return (
        int(nodes.requested_us[row]) <= at_us and not NONE != asked_us < at_us and sim.gone_us.get(row, at_us) >= at_us
    )
