"""Hints on pipelines that no cluster has, and on windows without samples."""

import pytest

from planner.plan.edits.presets import PRESETS
from planner.plan.hints.autoscalers.metrics_pipeline import pipeline_hints
from planner.plan.model.autoscalers.metric_series import MetricSeries
from planner.plan.model.plan import Plan
from tests.builders import a_workload, an_hpa

SCALED = {"workloads": (a_workload(),), "horizontal_pod_autoscalers": (an_hpa(),)}


@pytest.mark.parametrize(
    ("pipeline", "places"),
    [
        ({}, []),
        ({"sampling": "sampled"}, ["metricsPipeline.sampling"]),
        ({"sampling": "rate"}, []),
        ({"sampling": "rate", "rate_window": "30s"}, ["metricsPipeline.rateWindow"]),
        ({"sampling": "rate", "rate_window": "30s", "kubelet_interval": "5s"}, []),
        ({"sampling": "rate", "rate_window": "20s", "kubelet_interval": "5s", "scrape_interval": "10s"}, []),
        ({"sampling": "rate", "scrape_interval": "60s"}, ["metricsPipeline.rateWindow"]),
    ],
)
def test_an_unreal_pipeline_gives_a_hint_at_its_place(pipeline, places):
    assert [one.where for one in pipeline_hints(Plan(**SCALED, metrics_pipeline=pipeline))] == places


def test_without_autoscalers_the_pipeline_does_not_matter():
    assert not list(pipeline_hints(Plan(metrics_pipeline={"sampling": "sampled"})))


@pytest.mark.parametrize("name", ["metrics-server", "metrics-server-60s", "prometheus-adapter", "keda"])
def test_every_preset_of_a_real_pipeline_is_free_of_hints_and_undoes_the_exact_one(name):
    exact = PRESETS["exact-metrics"].apply(Plan(**SCALED))
    assert [one.where for one in pipeline_hints(exact)] == ["metricsPipeline.sampling"]
    assert exact.hpa_controller.evaluation_time == 0 and exact.hpa_controller.phase == exact.hpa_controller.sync_period
    real = PRESETS[name].apply(exact)
    assert not list(pipeline_hints(real))
    assert real.hpa_controller == Plan().hpa_controller


def test_keda_polls_the_series_of_external_metrics_only():
    metrics = (
        {"type": "External", "metric": "queue", "target_type": "AverageValue", "average_value": "10"},
        {"type": "Pods", "metric": "rate", "target_type": "AverageValue", "average_value": "10"},
    )
    source = {"type": "profile", "profile": {"type": "constant", "rate": 1}}
    plan = Plan(
        workloads=(a_workload(),),
        horizontal_pod_autoscalers=(an_hpa(metrics=metrics),),
        metric_series=tuple(
            MetricSeries.model_validate({"name": name, "source": source}) for name in ("queue", "rate")
        ),
    )
    assert [one.interval // 10**6 for one in PRESETS["keda"].apply(plan).metric_series] == [30, 15]
    assert [one.interval // 10**6 for one in PRESETS["prometheus-adapter"].apply(plan).metric_series] == [30, 30]
