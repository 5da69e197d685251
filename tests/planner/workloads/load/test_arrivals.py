"""Noise of discrete requests, from rate and variability alone."""

import numpy as np
import pytest

from planner.engine.draws import Draws, key_of
from planner.plan.model.demand import Demand
from planner.plan.model.plan import SimulationSettings
from planner.plan.model.traffic import ConstantLoad, Traffic
from planner.simulation.run import run_plan
from planner.units import US_PER_MIN, US_PER_S
from planner.workloads.load.arrivals import DiscreteArrivals, poisson
from tests.builders import a_node_group, a_plan, a_workload


@pytest.mark.parametrize("mean", [0.05, 2.0, 25.0, 200.0])
@pytest.mark.parametrize("cv", [0.0, 0.5, 2.0])
def test_the_work_of_a_step_has_the_mean_and_the_variance_of_a_compound_poisson_number(mean, cv):
    steps = 400
    arrivals = DiscreteArrivals(np.full(200, cv), [key_of(str(number)) for number in range(200)], Draws(1))
    found = np.empty((steps, 200))
    for step in range(steps):
        arrivals.advance(np.full(200, mean))
        found[step] = arrivals.factors * mean
    kurtosis = 3.0 + (1 + cv**2) ** 2 / mean
    assert found.mean() == pytest.approx(mean, abs=5 * np.sqrt(mean * (1 + cv**2) / found.size))
    assert found.var() == pytest.approx(mean * (1 + cv**2), rel=0.05 + 8 * np.sqrt(kurtosis / found.size))


def test_small_poisson_numbers_are_whole_and_grow_with_the_mean():
    chance = np.linspace(0.001, 0.999, 50)
    few, more = poisson(np.full(50, 3.0), chance), poisson(np.full(50, 4.0), chance)
    assert np.array_equal(few, np.rint(few)) and (more >= few).all() and more.sum() > few.sum()


def test_measured_cpu_varies_as_rate_and_variability_say():
    """10 requests/s of cv 0.5 vary by sqrt(1.25 / 600) a minute."""
    demand = Demand(cpu_seconds_per_request=0.05, cv=0.5, discipline="queue")
    web = a_workload(traffic=Traffic(profile=ConstantLoad(type="constant", rate=10.0)), demand=demand)
    plan = a_plan(
        workloads=(web,), node_groups=(a_node_group(max_size=1),),
        simulation=SimulationSettings(
            duration=400 * US_PER_MIN, record_interval=US_PER_MIN, load_step=20 * US_PER_S, discrete_requests=True
        ),
    )  # fmt: skip
    used = run_plan(plan).series["cpu_used_cores[web]"][1:]
    assert used.std() / used.mean() == pytest.approx(np.sqrt(1.25 / 600), rel=0.12)
    assert used.mean() == pytest.approx(0.5, rel=0.01)
    fluid = plan.model_copy(
        update={"simulation": SimulationSettings(duration=10 * US_PER_MIN, discrete_requests=False)}
    )
    assert run_plan(fluid).series["cpu_used_cores[web]"][5:] == pytest.approx(0.5)
