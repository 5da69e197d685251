"""What `kubectl get hpa` would print at a time of a run."""

import math

from planner.hpa.controller.status import hpa_rows
from planner.plan.model.autoscalers.metric_series import MetricSeries
from planner.plan.model.demand import Demand
from planner.plan.model.plan import Plan
from planner.plan.model.traffic import StepLoad, Traffic
from planner.record.details.replicas import HpaCondition
from planner.simulation.run import run_plan
from planner.units import US_PER_S
from tests.builders import a_node_group, a_plan, a_pod, a_workload, an_hpa

QUEUE = MetricSeries.model_validate(
    {"name": "queue", "source": {"type": "profile", "profile": {"type": "constant", "rate": 15}}}
)
METRICS = (
    {"average_utilization": 50},
    {"type": "External", "metric": "queue", "target_type": "AverageValue", "average_value": "10"},
    {"target_type": "AverageValue", "average_value": "2"},
)


def a_run(**settings) -> tuple[Plan, object]:
    step = Traffic(profile=StepLoad(type="step", from_rate=40, to_rate=80, at="100s"))
    web = a_workload(pod=a_pod("500m"), traffic=step, demand=Demand(cpu_seconds_per_request=0.01))
    plan = a_plan(node_groups=(a_node_group(initial_size=2),), workloads=(web,), **settings)
    return plan, run_plan(plan, until_us=300 * US_PER_S)


def row_at(plan, result, seconds):
    position = int(result.time_us.searchsorted(seconds * US_PER_S, side="right")) - 1

    def value_at(column):
        return float(result.series[column][position]) if position >= 0 else math.nan

    return hpa_rows(plan, result.decisions, value_at, seconds * US_PER_S)[0]


def line(plan, result, seconds):
    row = row_at(plan, result, seconds)
    return f"{row.name} {row.reference} {row.targets} {row.min_pods} {row.max_pods} {row.replicas}"


def test_the_line_follows_the_run():
    plan, result = a_run(horizontal_pod_autoscalers=(an_hpa(metrics=METRICS[:1]),))
    assert line(plan, result, 0) == "web Deployment/web cpu: <unknown>/50% 1 10 0"
    assert line(plan, result, 60) == "web Deployment/web cpu: 40%/50% 1 10 2"
    assert line(plan, result, 105) == "web Deployment/web cpu: 80%/50% 1 10 2", "the status lags by one evaluation"
    assert line(plan, result, 120) == "web Deployment/web cpu: 40%/50% 1 10 4"
    assert line(plan, result, 299) == "web Deployment/web cpu: 40%/50% 1 10 4"


def test_two_metrics_are_shown_and_the_others_counted():
    plan, result = a_run(horizontal_pod_autoscalers=(an_hpa(metrics=METRICS),), metric_series=(QUEUE,))
    assert line(plan, result, 60) == "web Deployment/web cpu: 40%/50%, 7500m/10 (avg) + 1 more... 1 10 2"


def test_conditions_are_given_with_the_line():
    plan, result = a_run(horizontal_pod_autoscalers=(an_hpa(metrics=METRICS[:1], max_replicas=3),))
    assert row_at(plan, result, 105).conditions == (
        HpaCondition("AbleToScale", True, "SucceededRescale"),
        HpaCondition("ScalingActive", True, "ValidMetricFound"),
        HpaCondition("ScalingLimited", True, "TooManyReplicas"),
    )
