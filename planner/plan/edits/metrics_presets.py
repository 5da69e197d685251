"""Presets of the way that metrics take to the autoscalers of pods, as common installations have it."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from planner.language.translation import marked
from planner.plan.edits.reference_timing import with_exact_samples, with_exact_syncs
from planner.plan.model.autoscalers.horizontal_pod_autoscaler import HpaControllerSettings
from planner.plan.model.autoscalers.hpa_metric import SERIES_SOURCES, MetricSource
from planner.plan.model.autoscalers.metrics_pipeline import MetricsPipelineSettings
from planner.plan.model.plan import Plan

METRICS_SERVER = marked("metrics-server 15 s")
METRICS_SERVER_60S = marked("metrics-server 60 s")
PROMETHEUS_ADAPTER = marked("Prometheus adapter 30 s")
KEDA = marked("KEDA 30 s")

PIPELINES: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {
        METRICS_SERVER: MappingProxyType({}),
        METRICS_SERVER_60S: MappingProxyType({"scrape_interval": "60s"}),
        PROMETHEUS_ADAPTER: MappingProxyType(
            {"sampling": "rate", "scrape_interval": "30s", "rate_window": "3m", "staleness": "5m"}
        ),
        KEDA: MappingProxyType({}),
    }
)
"""Settings of the pipeline that differ from the defaults, by preset.

The manifests and the chart of metrics-server scrape every 15 s, its flag has 60 s. kube-prometheus scrapes kubelets
every 30 s, and the chart of the adapter queries rates over 3 minutes. KEDA reads CPU and memory from metrics-server.
"""
_SERIES_INTERVAL = "30s"
_SERIES_READ_BY: Mapping[str, tuple[MetricSource, ...]] = MappingProxyType(
    {PROMETHEUS_ADAPTER: SERIES_SOURCES, KEDA: (MetricSource.EXTERNAL,)}
)
"""Metrics whose series a preset concerns, too: the adapter's are scraped, KEDA polls its triggers."""
_TIMING = ("phase", "evaluation_time")


def with_pipeline(plan: Plan, preset: str) -> Plan:
    """The plan with this way of its metrics, drawn phases and drifting loops. Raises KeyError for an unknown name."""
    kept = plan.hpa_controller.model_dump(exclude_unset=True, exclude=set(_TIMING))
    sources = _SERIES_READ_BY.get(preset, ())
    read = {
        metric.metric
        for hpa in plan.horizontal_pod_autoscalers
        for metric in hpa.metrics
        if metric.type in sources and metric.metric
    }
    return plan.model_copy(
        update={
            "metrics_pipeline": MetricsPipelineSettings(**PIPELINES[preset]),
            "hpa_controller": HpaControllerSettings(**kept),
            "metric_series": tuple(
                type(one).model_validate(one.model_dump(exclude_unset=True) | {"interval": _SERIES_INTERVAL})
                if one.name in read
                else one
                for one in plan.metric_series
            ),
        }
    )


def with_exact_metrics(plan: Plan) -> Plan:
    """The plan with autoscalers that see at exact moments what all pods use just then."""
    return plan.model_copy(
        update={
            "metrics_pipeline": with_exact_samples(plan.metrics_pipeline),
            "hpa_controller": with_exact_syncs(plan.hpa_controller),
        }
    )
