"""A preemptor whose victims come back at once must not keep the run in one instant."""

from planner.engine.loop import Bounds
from planner.plan.model.plan import Plan
from planner.record.decisions import Actor, Verdict
from planner.simulation.options import RunOptions
from planner.simulation.run import run_plan
from planner.units import US_PER_S
from tests.planner.nodes.small_plan import a_group, a_plan, a_workload

HIGH = {"name": "high", "value": 1000}


def _alone_on_its_node() -> Plan:
    """A pod that wants a node to itself, and pods without grace period that are replaced there before its turn."""
    alone = {"requiredPodAntiAffinity": [{"topologyKey": "kubernetes.io/hostname", "labelSelector": {}}]}
    return a_plan(
        simulation={"duration": "1m"},
        nodeGroups=[a_group("pool", 1)],
        priorityClasses=[HIGH],
        workloads=[
            a_workload("web", 1, pod={"terminationGracePeriod": "0s"}),
            a_workload("batch", 1, kind="Job", pod={"priorityClass": "high", **alone}, job={"start": "10s"}),
        ],
    )


def test_a_pod_whose_victims_come_back_at_once_waits_for_its_backoff() -> None:
    result = run_plan(_alone_on_its_node())
    preempted = [one.time_us // US_PER_S for one in result.decisions if one.verdict is Verdict.PREEMPTED]
    assert result.stopped is None and result.until_us == 60 * US_PER_S
    assert 1 <= preempted.count(10) <= 4
    assert len(preempted) < 60


def test_a_run_whose_scheduler_finds_no_end_in_one_instant_stops_with_a_message() -> None:
    plan = a_plan(workloads=[a_workload("web", 30)])
    result = run_plan(plan, options=RunOptions(bounds=Bounds(per_instant=20)))
    assert result.stopped is not None and "scheduling cycles in one instant" in result.stopped.problem
    assert sum(one.actor is Actor.SCHEDULER for one in result.decisions) <= 20
