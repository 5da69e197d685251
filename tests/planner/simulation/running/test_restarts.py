"""A component that a restart replaces leaves nothing behind."""

import pytest

from planner.engine.loop import EventLoop
from planner.plan.model.events.on_control_plane import ControllerRestart, RestartedController
from planner.record.decisions import Actor
from planner.simulation.simulation import Simulation
from planner.simulation.wiring import handlers
from planner.units import US_PER_MIN
from tests.builders import a_node_group, a_plan, a_workload, an_hpa

RESTARTS = 10


@pytest.mark.parametrize("controller", list(RestartedController))
def test_ten_restarts_leave_as_many_listeners_as_there_were(controller: RestartedController) -> None:
    events = [
        ControllerRestart(type="controllerRestart", at=at * US_PER_MIN, controller=controller)
        for at in range(1, RESTARTS + 1)
    ]
    plan = a_plan(
        node_groups=(a_node_group(initial_size=1),),
        workloads=(a_workload(replicas=8),),
        horizontal_pod_autoscalers=(an_hpa(),),
        events=tuple(events),
    )
    sim = Simulation(plan, 1)
    listeners = len(sim.cluster._listeners)
    sim.start()
    EventLoop(sim.events, handlers(sim), sim.settle).run_until((RESTARTS + 2) * US_PER_MIN)
    happened = [one for one in sim.recorder.decisions if one.actor is Actor.PLAN_EVENT]
    assert sum(1 + one.repeats for one in happened) == RESTARTS
    assert len(sim.cluster._listeners) == listeners
