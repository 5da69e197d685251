"""Pods cannot use more than their limit, so an autoscaler learns of a large spike step by step."""

from itertools import groupby

import pytest

from planner.plan.model.autoscalers.horizontal_pod_autoscaler import (
    HpaBehavior,
    ScalingPolicy,
    ScalingRules,
)
from planner.plan.model.autoscalers.hpa_metric import HpaMetric
from planner.plan.model.demand import Demand
from planner.plan.model.plan import SimulationSettings
from planner.plan.model.traffic import StepLoad, Traffic
from planner.simulation.run import run_plan
from planner.units import US_PER_MIN
from tests.builders import EXACT_SYNCS, a_node_group, a_plan, a_workload, an_hpa
from tests.planner.workloads.load.test_load_runs import limited

AT_ONCE = HpaBehavior(
    scale_up=ScalingRules(stabilization_window=0, policies=(ScalingPolicy(type="Percent", value=900, period="15s"),))
)


def test_five_times_the_load_takes_the_known_rounds_in_a_whole_run():
    """10 pods at their target of 75 %, load times 5: each round sees 100 % at most, so it grows by 100/75."""
    load = StepLoad(type="step", **{"from": 750, "to": 3750, "at": "10m"})
    web = a_workload(
        replicas=10,
        pod=limited("1"),
        traffic=Traffic(profile=load),
        demand=Demand(cpu_seconds_per_request=0.01, queue_limit=0),
    )
    scaler = an_hpa(max_replicas=100, min_replicas=10, metrics=(HpaMetric(average_utilization=75),), behavior=AT_ONCE)
    plan = a_plan(
        workloads=(web,),
        node_groups=(a_node_group(cpu="64", memory="256Gi", initial_size=1, max_size=1),),
        horizontal_pod_autoscalers=(scaler,),
        hpa_controller=EXACT_SYNCS.model_copy(update={"cpu_initialization_period": 0, "initial_readiness_delay": 0}),
        simulation=SimulationSettings(duration=30 * US_PER_MIN),
    )
    result = run_plan(plan)
    sizes = [int(size) for size, _ in groupby(result.series["replicas_desired_count[web]"])]
    assert sizes == [10, 14, 19, 26, 35, 47]
    used = result.series["cpu_used_cores[web]"][-1]
    assert used == pytest.approx(37.5, abs=0.05), "37.5 of 47 cores is 79.8 %, inside the tolerance: it stops there"
