"""Presets: named edits that change several settings of a plan at once. Each returns a new plan and can be undone."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from planner.language.translation import marked
from planner.plan.edits.autoscaler_presets import CURRENT, OLDER, with_autoscaler_preset
from planner.plan.edits.metrics_presets import (
    KEDA,
    METRICS_SERVER,
    METRICS_SERVER_60S,
    PROMETHEUS_ADAPTER,
    with_exact_metrics,
    with_pipeline,
)
from planner.plan.edits.reference_timing import with_reference_timing
from planner.plan.model.plan import Plan


@dataclass(frozen=True)
class Preset:
    """One named edit."""

    name: str
    """As the command line spells it."""
    title: str
    description: str
    apply: Callable[[Plan], Plan]


def _by_name(*presets: Preset) -> Mapping[str, Preset]:
    return MappingProxyType({preset.name: preset for preset in presets})


PRESETS = _by_name(
    Preset(
        "autoscaler-1.36",
        marked("Cluster Autoscaler defaults of 1.36"),
        marked(
            "Sets those settings of the Cluster Autoscaler whose defaults have changed to the defaults of version 1.36."
        ),
        lambda plan: with_autoscaler_preset(plan, CURRENT),
    ),
    Preset(
        "autoscaler-older",
        marked("Older Cluster Autoscaler defaults"),
        marked(
            "Sets the same settings to the defaults of older versions (up to 1.32 to 1.34), which many guides describe."
        ),
        lambda plan: with_autoscaler_preset(plan, OLDER),
    ),
    Preset(
        "metrics-server",
        marked("Metrics: metrics-server every 15 s"),
        marked(
            "CPU and memory by way of metrics-server as its manifests install it: scraped every 15 s, drawn phases."
        ),
        lambda plan: with_pipeline(plan, METRICS_SERVER),
    ),
    Preset(
        "metrics-server-60s",
        marked("Metrics: metrics-server every 60 s"),
        marked("CPU and memory by way of metrics-server with the default of its flag --metric-resolution: every 60 s."),
        lambda plan: with_pipeline(plan, METRICS_SERVER_60S),
    ),
    Preset(
        "prometheus-adapter",
        marked("Metrics: Prometheus adapter, 30 s"),
        marked("Prometheus scrapes kubelets and metric series every 30 s; CPU is the rate over 3 minutes."),
        lambda plan: with_pipeline(plan, PROMETHEUS_ADAPTER),
    ),
    Preset(
        "keda",
        marked("Metrics: KEDA, polling every 30 s"),
        marked("KEDA polls the series of External metrics every 30 s; CPU and memory come from metrics-server."),
        lambda plan: with_pipeline(plan, KEDA),
    ),
    Preset(
        "exact-metrics",
        marked("Metrics: exact, without delay"),
        marked(
            "Autoscalers of pods see at exact moments what all pods use just then, faster than any "
            "cluster. For comparison with recorded runs."
        ),
        with_exact_metrics,
    ),
    Preset(
        "reference-timing",
        marked("Reference timing"),
        marked(
            "Timing of the recorded runs of the real control plane: no spread in delays, no noise in "
            "the load, no contention for CPU, ties by name, a cold start, and a load step of one "
            "minute."
        ),
        with_reference_timing,
    ),
)
"""All presets by name, in the order of lists."""
