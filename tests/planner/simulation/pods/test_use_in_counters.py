"""Kubelets count the CPU of a load step in that step, not in the one after it."""

from planner.engine.loop import EventLoop
from planner.plan.model.plan import Plan
from planner.simulation.simulation import Simulation
from planner.simulation.wiring import handlers
from planner.units import US_PER_S

LOAD = [{"at": "0s", "rate": 0.0}, {"at": "60s", "rate": 100.0}]
CONTAINER = {"name": "main", "requests": {"cpu": "1"}, "limits": {"cpu": "1"}}
PLAN = {
    "simulation": {"duration": "10m", "loadStep": "60s", "recordInterval": "10m", "discreteRequests": False},
    "nodeGroups": [{"name": "pool", "cpu": "8", "memory": "16Gi", "initialSize": 1, "maxSize": 1}],
    "workloads": [
        {
            "name": "web",
            "replicas": 1,
            "pod": {"containers": [CONTAINER]},
            "demand": {"cpuSecondsPerRequest": 0.1},
            "traffic": {"profile": {"type": "points", "interpolation": "step", "points": LOAD}},
        }
    ],
    "horizontalPodAutoscalers": [{"name": "web", "scaleTarget": "web", "maxReplicas": 1}],
    "metricsPipeline": {"sampling": "perContainer", "scrapeInterval": "60s", "phase": "1s"},
}


def test_the_first_scrape_after_a_busy_step_of_load_shows_that_the_pod_was_busy_in_it() -> None:
    sim = Simulation(Plan.model_validate(PLAN), 1)
    sim.start()
    EventLoop(sim.events, handlers(sim), sim.settle).run_until(62 * US_PER_S)
    assert sim.samples.usage_milli[0] == 0
    EventLoop(sim.events, handlers(sim), sim.settle).run_until(122 * US_PER_S)
    # Between the samples before 61 s and before 121 s, which are up to 20 s old.
    assert sim.samples.usage_milli[0] > 600


def test_a_scrape_within_a_step_of_load_finds_the_samples_of_that_step() -> None:
    sim = Simulation(Plan.model_validate({**PLAN, "metricsPipeline": {"scrapeInterval": "15s", "phase": "1s"}}), 1)
    sim.start()
    ages_s = []
    for moment_s in range(241, 420, 15):
        EventLoop(sim.events, handlers(sim), sim.settle).run_until((moment_s + 1) * US_PER_S)
        ages_s.append(moment_s - sim.samples.time_us[0] / US_PER_S)
        assert sim.samples.usage_milli[0] == 1000
    assert 0 <= min(ages_s) and max(ages_s) <= 20
