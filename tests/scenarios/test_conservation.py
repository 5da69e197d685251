"""No request appears or vanishes in any load step of any shipped scenario."""

import numpy as np
import pytest

from planner.engine.loop import EventLoop
from planner.plan.files.io import load_plan
from planner.simulation.simulation import Simulation
from planner.simulation.wiring import handlers
from tests.scenarios.test_scenarios import IDS, SCENARIOS


@pytest.mark.parametrize("plan_path", SCENARIOS, ids=IDS)
def test_requests_are_conserved_in_every_step(plan_path):
    """offered + retried = served + rejected + timed out + change of in flight."""
    plan = load_plan(plan_path)
    sim = Simulation(plan, plan.simulation.seed)
    held, steps_seen, add = np.zeros(sim.cluster.workloads.count), [0], sim.load_record.add_steps

    def check(rows, start_us, length_us, steps):
        came = steps.offered + steps.retried + held[rows]
        gone = steps.served + steps.rejected + steps.timed_out + steps.in_flight
        assert (np.abs(came - gone) <= 1e-6 * np.maximum(1.0, came)).all()
        for counted in (steps.offered, steps.served, steps.rejected, steps.timed_out, steps.retried, steps.in_flight):
            assert (counted >= 0.0).all()
        held[rows] = steps.in_flight
        steps_seen[0] += len(rows)
        add(rows, start_us, length_us, steps)

    sim.load_model._on_steps = check
    sim.start()
    EventLoop(sim.events, handlers(sim), sim.settle).run_until(plan.simulation.duration, lambda: False)
    assert steps_seen[0] > 100 or all(item.traffic is None for item in plan.workloads)
