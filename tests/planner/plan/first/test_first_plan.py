"""The plan that a few answers make: it has no problems, gives no cause for hints, and keeps its promise."""

import dataclasses

import pytest

from planner import api
from planner.errors import PlanProblem
from planner.plan.edits.edit import replace_at, value_at
from planner.plan.edits.machine_catalogue import CATALOGUE, machine_catalogue
from planner.plan.edits.runtimes import RUNTIMES
from planner.plan.first.answers import Answers, Pattern, rate_of_users
from planner.plan.first.first_plan import first_plan
from planner.plan.hints.all_hints import find_hints
from planner.plan.model.plan import SimulationSettings
from planner.units import US_PER_MIN

_CATALOGUE = machine_catalogue(CATALOGUE)


@pytest.mark.parametrize(
    "answers",
    [
        *(Answers(runtime=runtime) for runtime in RUNTIMES),
        *(Answers(pattern=pattern) for pattern in Pattern),
        *(Answers(machine=machine) for machine in ("m5.large", "e2-standard-8", "Standard_D4s_v5")),
        Answers(peak_rate=20, cpu_ms=100, target_ms=1_000),
        Answers(peak_rate=50_000, machine="m5.8xlarge"),
        Answers(cpu_ms=0.5, target_ms=50),
        Answers(cpu_ms=4_000, peak_rate=1, target_ms=60_000),
        Answers(budget_per_month=1_000),
    ],
    ids=str,
)
def test_every_set_of_answers_makes_a_plan_without_problems_and_hints(answers):
    plan = first_plan(answers, _CATALOGUE)
    api.check_before_run(plan)
    assert [str(hint) for hint in find_hints(plan)] == []


@pytest.mark.parametrize("runtime", list(RUNTIMES))
def test_the_peak_is_served_within_the_objective_by_every_kind_of_service(runtime):
    run = _run(first_plan(Answers(runtime=runtime, pattern=Pattern.STEADY), _CATALOGUE), "10m")
    assert run.slo_missed == () and run.figures["requests_lost"].value == 0.0


def test_pods_and_nodes_follow_the_load_of_a_morning():
    """From half past six, since nothing happens before, until the offices are full."""
    plan = first_plan(Answers(pattern=Pattern.OFFICE, peak_rate=300), _CATALOGUE)
    path = ("workloads", 0, "traffic", "profile", "points")
    points = [{"at": point.at - 390 * US_PER_MIN, "rate": point.rate} for point in value_at(plan, path)]
    run = _run(replace_at(plan, path, points), "155m", load_step="1m")
    assert run.figures["slo_attainment[web]"].value > 0.99
    assert run.node_groups[0]["nodes_created_count"] > 0 and run.workloads[0]["pods_created_count"] > 0


def _run(plan, duration, **simulation):
    settings = plan.simulation.model_dump() | {"duration": duration} | simulation
    return api.run_plan(plan.model_copy(update={"simulation": SimulationSettings.model_validate(settings)}))


def test_stricter_objectives_take_more_cores():
    def cores(target_ms):
        plan = first_plan(Answers(target_ms=target_ms), _CATALOGUE)
        limits = plan.workloads[0].pod.containers[0].limits
        return plan.horizontal_pod_autoscalers[0].max_replicas * limits.cpu

    assert cores(110) > cores(130) > cores(250)


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"peak_rate": 0}, "Load"),
        ({"peak_rate": 1e9}, "Load"),
        ({"peak_rate": 2e6, "machine": "m5.large"}, "Machine"),
        ({"cpu_ms": 0}, "CPU of a request"),
        ({"target_ms": 20}, "Response time"),
        ({"target_ms": 0}, "Response time"),
        ({"budget_per_month": -1}, "Budget"),
        ({"runtime": "cobol"}, "Runtime"),
        ({"machine": "m5.tiny"}, "machine type"),
        ({"service": "Front end"}, "Name of the service"),
        ({"service": ""}, "Name of the service"),
    ],
)
def test_answers_that_no_plan_can_keep_are_refused_with_a_remedy(change, where):
    with pytest.raises(PlanProblem) as refused:
        first_plan(dataclasses.replace(Answers(), **change), _CATALOGUE)
    assert refused.value.where == where and refused.value.remedy


def test_users_are_counted_by_their_requests():
    assert rate_of_users(1_000, 10) == 100
