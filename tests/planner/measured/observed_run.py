"""What a Prometheus would have scraped of a run: counters and gauges of single pods, with names as Kubernetes gives."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from planner.plan.model.plan import Plan
from planner.record.result import RunResult

START_S = 1_772_323_200
"""2026-03-01T00:00:00Z, a Sunday."""
_LETTERS = "bcdfghjklmnpqrstvwxz2456789"


class Sample(NamedTuple):
    """A sample of a series."""

    series: str
    time_s: float
    value: float


def openmetrics(plan: Plan, result: RunResult, scatter: float = 0.0) -> str:
    """The text from which `promtool tsdb create-blocks-from openmetrics` makes blocks.

    `scatter`: deviation of the CPU of a scrape over its mean, as requests of real programs differ.
    """
    found = samples(plan, result, scatter)
    return "".join(f"{s.series} {s.value:.9g} {s.time_s:.3f}\n" for s in found) + "# EOF\n"


def samples(plan: Plan, result: RunResult, scatter: float = 0.0) -> Iterator[Sample]:
    """Samples of all series, series by series."""
    times_s = START_S + result.time_us / 1e6
    for item in plan.workloads:
        yield from _replicas(item.name, result, times_s)
        yield from _pods(item.name, result, times_s, scatter)
    for group in plan.node_groups:
        yield from _nodes(group.name, result.series[f"group_nodes_ready_count[{group.name}]"], times_s)


def _replicas(name, result, times_s):
    labels = f'{{namespace="default",deployment="{name}"}}'
    for metric, column in (
        ("kube_deployment_spec_replicas", "replicas_desired_count"),
        ("kube_deployment_status_replicas_ready", "replicas_ready_count"),
    ):
        for time_s, value in zip(times_s, result.series[f"{column}[{name}]"], strict=True):
            yield Sample(metric + labels, time_s, value)


def _pods(name, result, times_s, scatter):
    """The use of all pods, in equal shares of those that are Ready; a pod that comes again has a new name."""
    ready = result.series[f"replicas_ready_count[{name}]"].astype(int)
    seconds = np.diff(times_s, prepend=times_s[0])
    factors = np.exp(np.random.default_rng(result.seed).normal(0, scatter, len(ready)) - scatter**2 / 2)
    shares = {"container_cpu_usage_seconds_total": result.series[f"cpu_used_cores[{name}]"] * seconds * factors}
    if f"served_rps[{name}]" in result.series:
        shares["http_requests_total"] = result.series[f"served_rps[{name}]"] * seconds
    memory = result.series[f"memory_used_bytes[{name}]"]
    for pod in range(ready.max()):
        alive = ready > pod
        for life, (begin, end) in enumerate(_lives(alive)):
            rows = np.arange(begin, end)
            labels = f'namespace="default",pod="{_pod_name(name, pod, life)}"'
            for metric, total in shares.items():
                grown = np.cumsum(total[rows] / ready[rows])
                text = f'{metric}{{{labels},container="main"}}'
                yield from (Sample(text, t, v) for t, v in zip(times_s[rows], grown, strict=True))
            if np.isfinite(memory).all():
                text = f'container_memory_working_set_bytes{{{labels},container="main"}}'
                values = memory[rows] / ready[rows]
                yield from (Sample(text, t, v) for t, v in zip(times_s[rows], values, strict=True))


def _nodes(name, counts, times_s):
    counts = counts.astype(int)
    for node in range(counts.max()):
        for begin, end in _lives(counts > node):
            text = f'kube_node_status_condition{{node="{name}-{node:04d}",condition="Ready",status="true"}}'
            yield from (Sample(text, t, 1.0) for t in times_s[begin:end])


def _lives(alive):
    edges = np.flatnonzero(np.diff(alive.astype(int), prepend=0, append=0))
    return zip(edges[::2], edges[1::2], strict=True)


def _pod_name(name, pod, life):
    code = pod * 100 + life
    ending = "".join(_LETTERS[code // len(_LETTERS) ** power % len(_LETTERS)] for power in range(5))
    return f"{name}-7d9c8b6f54-{ending}"
