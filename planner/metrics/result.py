"""The finished run as a RunResult: figures and tables from state, series and decisions."""

from planner.errors import RunStopped
from planner.metrics import tables
from planner.metrics.figures.inputs import FigureInputs
from planner.metrics.figures.key_figures import key_figures
from planner.metrics.figures.service import missed_slos
from planner.metrics.history.columns import history_of
from planner.metrics.limits.bottleneck import bottlenecks
from planner.metrics.pods.pod_rows import PodRows
from planner.record.result import RunResult


def build_result(inputs: FigureInputs, seed: int, stopped: RunStopped | None = None) -> RunResult:
    """Everything the run leaves behind; `stopped` says why it ended before its time, if it did."""
    history = history_of(inputs.cluster, inputs.node_log, inputs.until_us, inputs.jobs)
    return RunResult(
        plan_name=inputs.plan.name,
        seed=seed,
        until_us=inputs.until_us,
        time_us=inputs.time_us,
        series=inputs.series,
        decisions=inputs.decisions,
        figures=key_figures(inputs),
        workloads=tables.workload_rows(inputs),
        node_groups=tables.node_group_rows(inputs),
        nodes=tables.node_rows(inputs),
        pods=PodRows(history.pods, history.nodes.names),
        costs=tables.cost_rows(inputs),
        statuses=tuple(inputs.statuses),
        slo_missed=missed_slos(inputs),
        bottlenecks=tuple(bottlenecks(inputs)),
        stopped=stopped,
        history=history,
    )
