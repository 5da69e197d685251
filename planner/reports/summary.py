"""The key figures of a run as text for a terminal."""

import math

from planner.language.translation import marked, tr
from planner.language.values import clock
from planner.record.result import Figure, RunResult
from planner.record.text.latency_bounds import LatencyBounds, subject_of
from planner.reports.content.wording import figure_value
from planner.units import format_duration

_REACTION = "scale_up_to_node_requested_p99"
_EXPECTATION = marked(
    "Goal of the Cluster Autoscaler: a node is requested within 30 s in clusters below 100 "
    "nodes, within 60 s up to 1,000 nodes."
)
"""What the autoscaler's own project considers usual."""


def summary_text(result: RunResult, latencies: LatencyBounds) -> str:
    """Head line, one aligned line per figure, then missed SLOs and why the run stopped early; no final newline."""
    lines = [
        tr(
            "{plan_name}: {until_us} simulated, seed {seed}",
            plan_name=result.plan_name,
            until_us=format_duration(result.until_us),
            seed=result.seed,
        )
    ]
    width = max((len(name) for name in result.figures), default=0)
    lines += [f"  {name:<{width}}  {_value(name, one, latencies)}" for name, one in result.figures.items()]
    if _REACTION in result.figures:
        lines.append(tr(_EXPECTATION))
    lines += [one.sentence for one in result.bottlenecks]
    if result.slo_missed:
        lines.append(tr("SLO missed: {slo_missed}", slo_missed=", ".join(result.slo_missed)))
    if result.stopped is not None:
        lines.append(tr("Stopped early: {stopped}", stopped=result.stopped))
    return "\n".join(lines)


def _value(name: str, figure: Figure, latencies: LatencyBounds) -> str:
    if figure.unit == "ms":
        return latencies.text(subject_of(name), figure.value)
    if name.partition("[")[0].endswith("_at") and math.isfinite(figure.value):
        return clock(figure.value)
    return figure_value(figure)
