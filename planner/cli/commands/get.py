"""headroom get"""

import math
from collections.abc import Sequence
from functools import partial

import click
import numpy as np

from planner import api
from planner.cli.interruption import interruptible
from planner.cli.options.shared import at_option, plan_argument, preset_option, seed_option
from planner.cli.plan_files import runnable
from planner.cli.terminal import print_line, say
from planner.cli.verdict import verdict
from planner.record.object_lists import ObjectList
from planner.reports.cluster_objects import CLUSTER_KINDS, cluster_objects
from planner.reports.node_pools import KIND as NODE_POOLS
from planner.reports.node_pools import node_pool_list
from planner.reports.object_status import HEADERS, object_list
from planner.simulation.plan_events.plan_over_time import PlanOverTime

_GAP = "   "


@click.command()
@click.argument("kind", metavar="KIND", type=click.Choice([*HEADERS, *CLUSTER_KINDS, NODE_POOLS]))
@plan_argument
@at_option
@seed_option
@preset_option
def get(kind: str, plan_path: str, at_us: int | None, seed: int | None, presets: tuple[str, ...]) -> int:
    """Run PLAN and print its objects as kubectl get shows them.

    KIND is hpa, vpa, scaledobject, scaledjob, nodes, pods, jobs, nodeclaims or nodepools."""
    plan = runnable(plan_path, presets=presets)
    end_us = plan.simulation.duration if at_us is None else min(at_us, plan.simulation.duration)
    with interruptible() as cancelled:
        result = api.run_plan(plan, seed=seed, until_us=end_us, cancelled=cancelled)
    if result.stopped is not None:
        return verdict(result, cancelled)
    lines = _lines(kind, plan, result, end_us)
    if lines.rows:
        for line in _columns(lines):
            print_line(line)
    else:
        say("No resources found")
    return verdict(result, cancelled)


def _lines(kind: str, plan: api.Plan, result: api.RunResult, at_us: int) -> ObjectList:
    if kind in CLUSTER_KINDS:
        assert result.history is not None, "a run that has begun keeps the history of its nodes and pods"
        return cluster_objects(kind, plan, result.history, at_us)
    row = int(np.searchsorted(result.time_us, at_us, side="right")) - 1
    plan_then = PlanOverTime(plan, result.seed).at(at_us)
    if kind == NODE_POOLS:
        return node_pool_list(plan_then, result.decisions, result.history, at_us)
    return object_list(kind, plan_then, result.decisions, partial(_value, result, row), at_us)


def _value(result: api.RunResult, row: int, column: str) -> float:
    known = row >= 0 and column in result.series
    return float(result.series[column][row]) if known else math.nan


def _columns(lines: ObjectList) -> Sequence[str]:
    """As wide as their longest cell."""
    table = [lines.header, *(row.cells for row in lines.rows)]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    return [_GAP.join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip() for cells in table]
