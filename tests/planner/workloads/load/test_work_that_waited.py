"""Work that waited: it costs CPU when it is done, and it belongs to the pod where it waits."""

import numpy as np
import pytest

from planner.plan.model.demand import Demand
from planner.plan.model.events.on_workloads import ReadinessFlap, SetReplicas
from planner.plan.model.plan import SimulationSettings
from planner.plan.model.traffic import StepLoad, Traffic
from planner.simulation.run import run_plan
from planner.units import US_PER_MIN, US_PER_S
from tests.builders import a_node_group, a_plan, a_workload
from tests.planner.workloads.load.test_load_runs import limited

SLOW = Demand(cpu_seconds_per_request=0.1)


def result_of(demand=SLOW, rates=(2.0, 0.1), minutes=20, events=(), **pod):
    load = StepLoad(type="step", **{"from": rates[0], "to": rates[1], "at": "5m"})
    template = limited("100m").model_copy(update=pod)
    plan = a_plan(
        workloads=(a_workload(replicas=1, pod=template, traffic=Traffic(profile=load), demand=demand),),
        node_groups=(a_node_group(initial_size=1, max_size=1),),
        events=events,
        simulation=SimulationSettings(duration=minutes * US_PER_MIN),
    )
    return run_plan(plan)


def cpu_seconds(result):
    return float((result.series["cpu_used_cores[web]"][1:] * np.diff(result.time_us)).sum() / 1e6)


def scaled(at, replicas):
    return SetReplicas(type="setReplicas", at=at, workload="web", replicas=replicas)


def test_a_pod_works_at_full_use_until_its_backlog_is_gone():
    result = result_of()
    left = float(result.series["in_flight_count[web]"][-1])
    assert result.figures["requests_offered[web]"].value == pytest.approx(690.0)
    assert cpu_seconds(result) == pytest.approx(0.1 * (690.0 - left), rel=1e-6)
    used, minutes = result.series["cpu_used_cores[web]"], result.time_us / US_PER_MIN
    assert used[(minutes > 1) & (minutes < 10)].min() > 0.097
    assert used[minutes > 12] == pytest.approx(0.01, abs=1e-3)


def test_new_pods_do_not_take_over_a_backlog():
    result = result_of(events=(scaled("5m", 10),))
    used, minutes = result.series["cpu_used_cores[web]"], result.time_us / US_PER_MIN
    in_flight = result.series["in_flight_count[web]"]
    assert used[(minutes > 6) & (minutes < 9)] == pytest.approx(0.109, abs=0.003), "one pod at work, nine almost idle"
    assert in_flight[minutes == 9][0] > 30


def test_workers_of_one_queue_share_a_backlog():
    result = result_of(SLOW.model_copy(update={"balancer": "shared-queue"}), events=(scaled("5m", 10),))
    assert result.series["in_flight_count[web]"][result.time_us == 6 * US_PER_MIN][0] < 1.0


@pytest.mark.parametrize("grace_s", [pytest.param(10, id="a short one"), pytest.param(30, id="a longer one")])
def test_a_pod_that_is_removed_works_through_its_grace_period_and_then_loses_the_rest(grace_s):
    result = result_of(rates=(2.0, 0.0), events=(scaled("5m", 0),), termination_grace_period=grace_s * US_PER_S)
    held = float(result.series["in_flight_count[web]"][result.time_us == 5 * US_PER_MIN][0])
    assert result.figures["requests_rejected[web]"].value == pytest.approx(held - grace_s, abs=1.0)
    assert cpu_seconds(result) == pytest.approx(0.1 * (600 - held + grace_s), abs=0.1)


def test_a_pod_that_turns_unready_finishes_what_it_has():
    flap = ReadinessFlap(type="readinessFlap", at="5m", workload="web", duration="2m")
    result = result_of(rates=(2.0, 0.0), events=(flap,))
    assert float(result.series["in_flight_count[web]"][-1]) == pytest.approx(0.0, abs=1e-3)
    assert cpu_seconds(result) == pytest.approx(60.0, rel=1e-3)
    assert "requests_rejected[web]" not in result.figures
