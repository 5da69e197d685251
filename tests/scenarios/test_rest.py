"""At constant load every shipped scenario comes to rest: no autoscaler changes anything any more."""

from pathlib import Path

import pytest

from planner.plan.files.io import load_plan
from planner.plan.model.plan import Plan
from planner.plan.model.traffic import ConstantLoad, LoadProfile, PointsLoad, SumLoad
from planner.record.decisions import Verdict
from planner.simulation.run import run_plan
from planner.units import US_PER_H, US_PER_MIN

PLANS = sorted((Path(__file__).parents[2] / "scenarios").glob("*/plan.headroom"))
REST_US = 75 * US_PER_MIN
USUAL_RATES = ("rate", "mean", "base", "from_rate")
"""Field with the usual rate, by kind of profile."""
MOVES = (Verdict.SCALED, Verdict.TRIGGERED, Verdict.REMOVING, Verdict.PREEMPTED)


def usual_rate(profile: LoadProfile) -> float:
    """What the load is when nothing special happens; of given points the first."""
    if isinstance(profile, PointsLoad):
        return profile.points[0].rate
    if isinstance(profile, SumLoad):
        return sum(map(usual_rate, profile.profiles))
    return next(float(getattr(profile, name)) for name in USUAL_RATES if hasattr(profile, name))


def at_constant_load(plan: Plan) -> Plan:
    """The plan with every load at its usual rate, without noise or events."""
    workloads = []
    for workload in plan.workloads:
        if workload.traffic is not None:
            rate = usual_rate(workload.traffic.profile)
            traffic = type(workload.traffic)(profile=ConstantLoad(type="constant", rate=rate))
            workload = workload.model_copy(update={"traffic": traffic})
        workloads.append(workload)
    even = plan.simulation.model_copy(update={"discrete_requests": False})
    return plan.model_copy(update={"workloads": tuple(workloads), "events": (), "simulation": even})


@pytest.mark.parametrize("path", PLANS, ids=lambda path: path.parent.name)
def test_a_scenario_at_constant_load_comes_to_rest(path: Path) -> None:
    result = run_plan(at_constant_load(load_plan(path)), seed=1, until_us=2 * US_PER_H)
    late = [
        (each.time_us // US_PER_MIN, each.actor, each.verdict, each.subject)
        for each in result.decisions
        if each.time_us >= REST_US and each.verdict in MOVES
    ]
    assert late == []
    assert result.stopped is None
