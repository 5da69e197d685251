"""Losses of the load model at queues that are bounded, in calm, in overload and on ramps, against single requests."""

import numpy as np
import pytest

from planner.plan.model.demand import Demand
from planner.units import US_PER_S
from tests.planner.workloads.load.one_step import step_pods
from tests.requests.loads import open_load, served
from tests.requests.pod import PodLaw
from tests.requests.streams import Work, arrivals_of_changing

WORK_S = 0.02
STEP_S = 5
SEEDS = range(3)


def demand(workers, **bounds):
    return Demand(cpu_seconds_per_request=WORK_S, cv=0.5, workers=workers, discipline="queue", **bounds)


def modelled(settings, rates, cores, node_cores):
    """Share that is lost, and the mean response of the rest, of steps at these rates."""
    held = lost = offered = request_s = done = 0.0
    for rate in rates:
        step = step_pods(settings, rate, [1000 * cores], held, STEP_S * US_PER_S, 1000 * node_cores, tick_s=0.0)
        held = step.in_flight
        lost, offered = lost + step.rejected + step.timed_out, offered + step.offered
        request_s, done = request_s + held * STEP_S, done + step.served
    return lost / offered, request_s / done


@pytest.mark.parametrize("room", [2, 5, 10, 40])
@pytest.mark.parametrize("busy", [0.8, 0.95, 1.2, pytest.param(1.6, marks=pytest.mark.soak)])
def test_a_pod_with_one_worker_blocks_as_in_the_simulation_below_and_beyond_saturation(room, busy):
    rate = busy / WORK_S
    known = open_load(PodLaw(workers=1, cores=1, queue_limit=room), rate, Work.of(WORK_S, 0.5), 20_000)
    found, _ = modelled(demand(1, queue_limit=room), [rate] * 40, 1, 1)
    assert found == pytest.approx(known.lost, abs=0.02 if room == 2 else 0.01)


@pytest.mark.parametrize(
    ("workers", "limit", "bounds"),
    [
        pytest.param(1, 1.0, {"queue_limit": 20}, id="one worker, bounded queue"),
        pytest.param(1, 1.0, {"timeout": 2 * US_PER_S}, id="one worker, timeout"),
        pytest.param(8, 1.0, {"queue_limit": 20}, id="quota, bounded queue"),
        pytest.param(8, 1.0, {"timeout": 2 * US_PER_S}, id="quota, timeout"),
        pytest.param(1, 1.0, {}, id="one worker, a backlog"),
        pytest.param(8, 1.0, {}, id="quota, a backlog"),
    ],
)
def test_a_load_that_climbs_beyond_saturation_and_falls_loses_what_the_simulation_loses(workers, limit, bounds):
    most = limit / WORK_S

    def rate(at):
        return np.interp(at, [0, 60, 120, 180, 240], [0.5 * most, 0.5 * most, 1.5 * most, 1.5 * most, 0.5 * most])

    law = PodLaw(
        limit, workers, cores=workers, queue_limit=bounds.get("queue_limit", np.inf),
        timeout_s=bounds.get("timeout", np.inf) / US_PER_S,
    )  # fmt: skip
    lost, means = [], []
    for seed in SEEDS:
        generator = np.random.default_rng(seed)
        times = arrivals_of_changing(generator, rate, 1.0, 360.0)
        known = served(law, times, Work.of(WORK_S, 0.5), generator)
        lost.append(known.lost)
        means.append(known.mean_s)
    steps = rate(np.arange(0.5 * STEP_S, 420.0, STEP_S)) * (np.arange(0.5 * STEP_S, 420.0, STEP_S) < 360.0)
    found, mean_s = modelled(demand(workers, **bounds), steps.tolist(), limit, workers)
    assert found == pytest.approx(np.mean(lost), abs=0.01)
    assert mean_s == pytest.approx(np.mean(means), rel=0.15)
