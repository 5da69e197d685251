"""The key figures of a run as text for a terminal."""

import math

from planner.language.translation import marked, tr
from planner.record.result import RunResult
from planner.units import format_duration

_REACTION = "scale_up_to_node_requested_p99"
_UNANSWERED = marked("A latency is infinite where so many requests are lost that its percentile is one of them.")
_EXPECTATION = marked(
    "Goal of the Cluster Autoscaler: a node is requested within 30 s in clusters below 100 "
    "nodes, within 60 s up to 1,000 nodes."
)
"""What the autoscaler's own project considers usual."""


def summary_text(result: RunResult) -> str:
    """Head line, one aligned line per figure, then missed SLOs and why the run stopped early; no final newline."""
    lines = [
        tr(
            "{plan_name}: {until_us} simulated, seed {seed}",
            plan_name=result.plan_name,
            until_us=format_duration(result.until_us),
            seed=result.seed,
        )
    ]
    cells = [(name, _number(figure.value), figure.unit) for name, figure in result.figures.items()]
    name_width = max((len(name) for name, _, _ in cells), default=0)
    value_width = max((len(value) for _, value, _ in cells), default=0)
    lines += [f"  {name:<{name_width}}  {value:>{value_width}} {unit}".rstrip() for name, value, unit in cells]
    if any(math.isinf(figure.value) for figure in result.figures.values()):
        lines.append(tr(_UNANSWERED))
    if _REACTION in result.figures:
        lines.append(tr(_EXPECTATION))
    lines += [one.sentence for one in result.bottlenecks]
    if result.slo_missed:
        lines.append(tr("SLO missed: {slo_missed}", slo_missed=", ".join(result.slo_missed)))
    if result.stopped is not None:
        lines.append(tr("Stopped early: {stopped}", stopped=result.stopped))
    return "\n".join(lines)


def _number(value: float) -> str:
    """Four significant digits where there are decimals; whole numbers in full."""
    if math.isnan(value):
        return "-"
    if math.isinf(value):
        return "infinite"
    if value == int(value) or abs(value) >= 1000:
        return str(round(value))
    return f"{value:.4g}"
