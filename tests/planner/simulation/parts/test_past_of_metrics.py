"""Pods that are there at a warm start have been measured before: autoscalers know their use at once."""

import pytest

from planner.plan.model.autoscalers.horizontal_pod_autoscaler import (
    HorizontalPodAutoscaler,
    HpaControllerSettings,
    HpaMetric,
)
from planner.plan.model.autoscalers.metrics_pipeline import MetricsPipelineSettings
from planner.plan.model.demand import Demand
from planner.plan.model.node_groups import NodeGroup
from planner.plan.model.plan import Plan, SimulationSettings
from planner.plan.model.pods.containers import Container, Resources
from planner.plan.model.pods.pod_template import PodTemplate
from planner.plan.model.traffic import ConstantLoad, Traffic
from planner.plan.model.workloads import Workload
from planner.record.decisions import Verdict
from planner.simulation.run import run_plan

POD = PodTemplate(containers=(Container(requests=Resources(cpu="1", memory="64Mi")),))


def rescale_times_s(
    sampling: str,
    seed: int,
    warm: bool = True,
    age: str = "1h",
    rate: float = 160.0,
    pod: PodTemplate = POD,
    cost_s: float = 0.01,
    discrete: bool = False,
) -> list[float]:
    """When an autoscaler that looks 6 seconds after the start and every 15 seconds rescales two pods at 80 %."""
    plan = Plan(
        name="warm",
        simulation=SimulationSettings(
            duration="2m", seed=seed, warm_start=warm, initial_pod_age=age, discrete_requests=discrete
        ),
        hpa_controller=HpaControllerSettings(phase="6s"),
        metrics_pipeline=MetricsPipelineSettings(sampling=sampling),
        node_groups=(NodeGroup(name="pool", cpu="16", memory="64Gi", initial_size=1, min_size=1, max_size=1),),
        workloads=(
            Workload(
                name="web",
                replicas=2,
                pod=pod,
                traffic=Traffic(profile=ConstantLoad(type="constant", rate=rate)),
                demand=Demand(cpu_seconds_per_request=cost_s),
            ),
        ),
        horizontal_pod_autoscalers=(
            HorizontalPodAutoscaler(
                name="web", scale_target="web", max_replicas=8, metrics=(HpaMetric(average_utilization=50),)
            ),
        ),
    )
    decisions = run_plan(plan).decisions
    return [one.time_us / 1e6 for one in decisions if one.verdict is Verdict.SCALED]


@pytest.mark.parametrize("sampling", ["perContainer", "rate"])
def test_the_first_sync_after_a_warm_start_knows_what_pods_use(sampling: str) -> None:
    for seed in range(5):
        assert rescale_times_s(sampling, seed)[0] == 6.0


@pytest.mark.parametrize("sampling", ["perContainer", "rate"])
def test_pods_that_have_just_started_were_not_measured(sampling: str) -> None:
    for seed in range(5):
        assert rescale_times_s(sampling, seed, age="0s")[0] > 6.0
        assert rescale_times_s(sampling, seed, warm=False)[0] > 6.0


@pytest.mark.parametrize("sampling", ["perContainer", "rate"])
def test_a_load_that_pods_cannot_have_served_before_the_start_is_new(sampling: str) -> None:
    limited = Container(requests=Resources(cpu="1", memory="64Mi"), limits=Resources(cpu="1", memory="64Mi"))
    for seed in range(3):
        pod = PodTemplate(containers=(limited,))
        assert rescale_times_s(sampling, seed, rate=190.0, pod=pod)[0] == 6.0
        assert rescale_times_s(sampling, seed, rate=210.0, pod=pod)[0] > 6.0


@pytest.mark.parametrize("sampling", ["perContainer", "rate"])
def test_a_load_is_new_by_the_work_that_waits_even_if_pods_were_idle_for_a_part_of_the_first_step(
    sampling: str,
) -> None:
    share = Resources(cpu="100m", memory="64Mi")
    pod = PodTemplate(containers=(Container(requests=share, limits=share),))
    for seed in range(5):
        busy = rescale_times_s(sampling, seed, rate=10.0, pod=pod, cost_s=0.03, discrete=True)
        assert busy[0] > 6.0
