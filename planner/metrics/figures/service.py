"""How workloads served their load: targets, latencies, lost requests."""

from planner.metrics.attainment import Attainment
from planner.metrics.figures.inputs import FigureInputs
from planner.metrics.figures.named import Named
from planner.metrics.totals import WorkloadTotals
from planner.record.result import Figure
from planner.state.nodes import NONE
from planner.units import US_PER_S


def missed_slos(inputs: FigureInputs) -> tuple[str, ...]:
    """Workloads whose SLO, or its target with calls, did not hold in every load step."""
    names, whole = inputs.cluster.workload_names, inputs.end_to_end
    return tuple(
        names[row]
        for row, totals in inputs.totals.of.items()
        if totals.met_us < totals.looked_us or (row in whole and whole[row].met_us < whole[row].looked_us)
    )


def service(inputs: FigureInputs) -> Named:
    """Targets, worst latencies and lost requests of each workload."""
    for row, totals in inputs.totals.of.items():
        name = inputs.cluster.workload_names[row]
        yield from _kept(totals, name)
        if row in inputs.end_to_end:
            yield from _kept(inputs.end_to_end[row], name, "_end_to_end")
        queue = inputs.plan.workloads[row].queue
        waiting = 0 if queue is None else queue.backlog  # messages of before the run are done in it, too
        yield f"requests_offered[{name}]", Figure(totals.offered + waiting, "requests")
        yield f"requests_lost[{name}]", Figure(totals.lost, "requests")
        yield from _trouble(name, totals)
    yield "requests_lost", Figure(sum((t.lost for t in inputs.totals.of.values()), 0.0), "requests")


def _kept(target: Attainment, name: str, of: str = "") -> Named:
    """How a workload kept its target and its worst latencies; `of` says in the names that calls are included."""
    if target.looked_us:
        yield f"slo_attainment{of}[{name}]", Figure(target.of_time, "ratio")
        yield f"slo_attainment{of}_by_requests[{name}]", Figure(target.of_requests, "ratio")
    if target.worst_p95_us != NONE:
        yield f"latency{of}_p95_worst[{name}]", Figure(target.worst_p95_s * 1000.0, "ms")
        yield f"latency{of}_p95_worst_at[{name}]", Figure(target.worst_p95_us / US_PER_S, "s")
    if target.worst_p99_us != NONE:
        yield f"latency{of}_p99_worst[{name}]", Figure(target.worst_p99_s * 1000.0, "ms")
        yield f"latency{of}_p99_worst_at[{name}]", Figure(target.worst_p99_us / US_PER_S, "s")


def _trouble(name: str, totals: WorkloadTotals) -> Named:
    """Rejections, retries, throttling and backlog waits of one workload; only those that occurred."""
    if totals.waits.worst_us != NONE:
        yield f"backlog_wait_worst[{name}]", Figure(totals.waits.worst_s, "s")
        yield f"backlog_wait_worst_at[{name}]", Figure(totals.waits.worst_us / US_PER_S, "s")
    for what, count in (("rejected", totals.rejected), ("timed_out", totals.timed_out), ("retried", totals.retried)):
        if count > 0.0:
            yield f"requests_{what}[{name}]", Figure(count, "requests")
    if totals.retried > 0.0:
        yield f"retry_amplification[{name}]", Figure(totals.amplification, "ratio")
    if totals.throttled_us > 0.0:
        yield f"cpu_throttled_time[{name}]", Figure(totals.throttled_us / US_PER_S, "s")
