"""Noise of discrete requests, from rate and variability alone."""

from functools import partial

import numpy as np
import pytest

from planner.engine.draws import Draws, key_of
from planner.plan.model.demand import Demand
from planner.plan.model.plan import SimulationSettings
from planner.plan.model.traffic import ConstantLoad, DiurnalLoad, ScaleLoad, Traffic
from planner.simulation.run import run_plan
from planner.units import US_PER_MIN, US_PER_S
from planner.workloads.load.arrivals import DiscreteArrivals, poisson
from planner.workloads.load_profiles import ProfileTable, rates
from tests.builders import a_node_group, a_plan, a_workload


@pytest.mark.parametrize("mean", [0.05, 2.0, 25.0, 200.0])
@pytest.mark.parametrize("cv", [0.0, 0.5, 2.0])
def test_the_work_of_a_step_has_the_mean_and_the_variance_of_a_compound_poisson_number(mean, cv):
    steps = 400
    keys = [key_of(str(number)) for number in range(200)]
    arrivals = DiscreteArrivals(np.full(200, cv), [None] * 200, keys, Draws(1))
    found = np.empty((steps, 200))
    for step in range(steps):
        arrivals.advance(lambda: np.full(200, mean), step * US_PER_S, US_PER_S)
        found[step] = arrivals.factors * mean
    kurtosis = 3.0 + (1 + cv**2) ** 2 / mean
    assert found.mean() == pytest.approx(mean, abs=5 * np.sqrt(mean * (1 + cv**2) / found.size))
    assert found.var() == pytest.approx(mean * (1 + cv**2), rel=0.05 + 8 * np.sqrt(kurtosis / found.size))


def test_small_poisson_numbers_are_whole_and_grow_with_the_mean():
    chance = np.linspace(0.001, 0.999, 50)
    few, more = poisson(np.full(50, 3.0), chance), poisson(np.full(50, 4.0), chance)
    assert np.array_equal(few, np.rint(few)) and (more >= few).all() and more.sum() > few.sum()


def test_steps_that_are_found_together_are_those_found_one_by_one():
    keys, cv = [key_of(str(number)) for number in range(40)], np.linspace(0.0, 2.0, 40)
    profile = DiurnalLoad(type="diurnal", mean=3.0, amplitude=3.0, period="10m")
    table = ProfileTable([ScaleLoad(type="scale", factor=4**at % 97, profile=profile) for at in range(40)])
    alone = DiscreteArrivals(cv, [None] * 40, keys, Draws(1))
    together = DiscreteArrivals(cv, [None] * 40, keys, Draws(1), table.foresee)
    now_us = 0
    for dt_us in [5 * US_PER_S] * 70 + [3 * US_PER_S] * 10 + [5 * US_PER_S] * 70:
        expected = table.rates(now_us) * (dt_us / US_PER_S)
        assert np.array_equal(expected, table.table(np.array([now_us]))[:, 0] * (dt_us / US_PER_S))
        alone.advance(partial(np.copy, expected), now_us, dt_us)
        together.advance(partial(np.copy, expected), now_us, dt_us)
        assert np.array_equal(alone.factors, together.factors)
        now_us += dt_us


def points(*rates, every_s=20, **settings):
    """Stairs of a list of points."""
    corners = [{"at": f"{every_s * at}s", "rate": rate} for at, rate in enumerate(rates)]
    return {"type": "trace", "points": corners, "interpolation": "step", **settings}


@pytest.mark.parametrize(
    ("profile", "intervals"),
    [
        pytest.param(points(4, 2, 9, 0, 5, 1, type="points"), 5, id="points"),
        pytest.param(points(4, 2, 9, atEnd="repeat"), 6, id="repeated"),
        pytest.param(points(4, 2, 9, 3, skip="40s"), 1, id="skipped"),
        pytest.param({"type": "scale", "factor": 3, "profile": points(4, 2)}, 1, id="scaled"),
    ],
)
def test_as_many_requests_arrive_between_two_points_as_were_counted(profile, intervals):
    """By chance is only when they arrive."""
    step_s, interval_s = 5, 20
    profile = Traffic.model_validate({"profile": profile}).profile
    arrivals = DiscreteArrivals(np.zeros(50), [profile] * 50, [key_of(str(number)) for number in range(50)], Draws(1))
    moments_us = np.arange(0, intervals * interval_s, step_s) * US_PER_S
    rate, came = rates(profile, moments_us), np.empty((len(moments_us), 50))
    for step, now_us in enumerate(moments_us.tolist()):
        expected = np.full(50, rate[step] * step_s)
        arrivals.advance(partial(np.copy, expected), now_us, step_s * US_PER_S)
        came[step] = arrivals.factors * expected
    whole = came.reshape(-1, interval_s // step_s, 50).sum(axis=1)
    counted = rate[:: interval_s // step_s, np.newaxis] * interval_s
    assert whole == pytest.approx(np.broadcast_to(counted, whole.shape), abs=1e-6)
    assert came[0].std() > 0.0


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
