"""Where nothing happens, Karpenter's passes and looks work nothing out."""

import pytest

from planner.engine.loop import EventLoop
from planner.karpenter.control import node_views, upkeep
from planner.karpenter.counted.counted_rounds import CountedRounds
from planner.karpenter.provisioning.node_rooms import NodeRooms
from planner.karpenter.provisioning.scheduling_round import SchedulingRound
from planner.simulation.simulation import Simulation
from planner.simulation.wiring import handlers
from planner.units import US_PER_H, US_PER_MIN
from tests.planner.karpenter.karpenter_plans import karpenter_plan, pool
from tests.planner.nodes.small_plan import a_workload

STEPS = [
    (SchedulingRound, "solve"),
    (CountedRounds, "place"),
    (CountedRounds, "without"),
    (NodeRooms, "_read"),
    (node_views, "claim_view"),
    (upkeep, "template_drift"),
]


@pytest.mark.parametrize("disruption", [{}, {"consolidateAfter": "5m", "budgets": [{"nodes": 2}]}])
def test_a_quiet_hour_runs_no_simulation_and_reads_no_node_again(disruption, monkeypatch):
    nodes = [pool("general", disruption=disruption), pool("team", disruption=disruption, weight=5, limits={"cpu": 20})]
    loads = [a_workload("web", 30), a_workload("api", 9)]
    sim = Simulation(
        karpenter_plan(nodes, workloads=loads, simulation={"duration": "2h", "discreteRequests": False}), 1
    )
    sim.start()
    loop = EventLoop(sim.events, handlers(sim), sim.settle)
    loop.run_until(45 * US_PER_MIN)
    done = []
    for owner, name in STEPS:
        monkeypatch.setattr(owner, name, _noting(done, getattr(owner, name), name))
    loop.run_until(45 * US_PER_MIN + US_PER_H)
    assert sim.karpenter is not None and len(sim.karpenter.world.claims) > 3
    assert done == []


def _noting(done, step, name):
    def noted(*args, **named):
        done.append(name)
        return step(*args, **named)

    return noted
