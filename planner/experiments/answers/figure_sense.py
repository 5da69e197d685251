"""What key figures mean to a comparison: which matter first, whether more of them is better, and what absence means."""

import math
from collections.abc import Iterable

from planner.record.text.latency_bounds import LatencyBounds

_HEADLINES = (
    "cost",
    "slo_attainment[",
    "slo_attainment_end_to_end[",
    "latency_p95_worst[",
    "pending_pod_time",
    "nodes_peak",
)
_FOR_WIDTH = ("cost", "slo_attainment[", "slo_attainment_end_to_end[")
_HIGHER_IS_BETTER = ("slo_attainment", "room_for_pods")
_LOWER_IS_BETTER = (
    "cost", "latency", "pending_pod_time", "pods_pending", "pod_start", "scale_up_to", "requests_lost",
    "requests_rejected", "requests_timed_out", "retry_amplification", "backlog_wait_worst", "node_hours", "nodes_peak",
    "preemptions", "evictions", "pressure_evictions", "taint_evictions", "oom_kills", "container_restarts",
    "cpu_throttled_time", "flapping_index", "budget_used", "waste", "reserve_cost",
)  # fmt: skip
_LEFT_OUT_AT_ZERO = (
    "requests_rejected[", "requests_timed_out[", "requests_retried[", "cpu_throttled_time[", "pressure_evictions",
    "taint_evictions", "pods_replaced", "evictions_refused", "drains_failed",
)  # fmt: skip
"""A run reports these only if they occurred (`planner.metrics.figures`); otherwise there were none."""


def headline_figures(names: Iterable[str]) -> tuple[str, ...]:
    """Those that answer most questions, most important first."""
    return _matching(names, _HEADLINES)


def width_figures(names: Iterable[str]) -> tuple[str, ...]:
    """Those whose intervals have to be narrow if no others are named."""
    return _matching(names, _FOR_WIDTH)


def _matching(names: Iterable[str], wanted: tuple[str, ...]) -> tuple[str, ...]:
    known = list(names)
    return tuple(
        name for want in wanted for name in known if name == want or (want[-1] == "[" and name.startswith(want))
    )


def lower_is_better(name: str) -> bool | None:
    """None where neither more nor less is better."""
    if name.partition("[")[0].endswith("_at"):
        return None
    if name.startswith(_HIGHER_IS_BETTER):
        return False
    return True if name.startswith(_LOWER_IS_BETTER) else None


def natural_range(name: str, latencies: LatencyBounds | None) -> tuple[float, float]:
    """The lowest and the highest value that a figure can have: times, counts and costs are not below 0, a share of
    time not above 1, and a latency not beyond its bound."""
    base, _, subject = name.removesuffix("]").partition("[")
    if base.startswith("slo_attainment"):
        return 0.0, 1.0
    is_latency = base.startswith("latency") and not base.endswith("_at")
    return 0.0, latencies.longest_ms(subject) if is_latency and latencies is not None else math.inf


def zero_if_absent(name: str) -> bool:
    """Whether a run without this figure had none of it."""
    return name.startswith(_LEFT_OUT_AT_ZERO)
