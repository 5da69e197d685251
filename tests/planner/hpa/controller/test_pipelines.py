"""Whole runs with the metrics pipelines of real clusters: when a step of the load is answered, and by how much."""

import numpy as np
import pytest

from planner.engine.loop import EventLoop
from planner.plan.checks.validate import check_plan
from planner.plan.edits.presets import PRESETS
from planner.plan.model.demand import Demand
from planner.plan.model.events.on_nodes import NodeLoss
from planner.plan.model.plan import Plan
from planner.plan.model.traffic import Traffic
from planner.record.decisions import Actor, Verdict
from planner.simulation.run import run_plan
from planner.simulation.simulation import Simulation
from planner.simulation.wiring import handlers
from planner.units import US_PER_S
from tests.builders import a_node_group, a_pod, a_workload, an_hpa

STEP_S = 600


def stepped(preset=None, **parts):
    """Five pods at their target; the load doubles at 600 s, which is also a multiple of the sync period."""
    load = Traffic.model_validate({"profile": {"type": "step", "from": 100, "to": 200, "at": f"{STEP_S}s"}})
    web = a_workload(replicas=5, traffic=load, pod=a_pod("500m"), demand=Demand(cpu_seconds_per_request=0.01))
    hpa = an_hpa(metrics=({"average_utilization": 40},), min_replicas=5, max_replicas=20)
    pool = a_node_group(cpu="64", memory="256Gi", initial_size=1, max_size=1)
    plan = Plan(node_groups=(pool,), workloads=(web,), horizontal_pod_autoscalers=(hpa,), **parts)
    plan = plan if preset is None else PRESETS[preset].apply(plan)
    assert not list(check_plan(plan))
    return plan


def answers_s(preset=None, seeds=range(6)):
    """Seconds from the step to the first growth, and until there are at least nine pods, for every seed."""
    found = []
    for seed in seeds:
        result = run_plan(stepped(preset), seed=seed, until_us=1050 * US_PER_S)
        grown = [
            (one.time_us / US_PER_S - STEP_S, one.details.desired)
            for one in result.decisions
            if one.actor is Actor.HPA and one.verdict is Verdict.SCALED
        ]
        found.append((grown[0][0], next(at for at, size in grown if size >= 9)))
    return np.array(found).T


def test_a_step_at_a_sync_is_never_answered_in_the_same_instant():
    first, nearly = answers_s()
    assert first.min() > 5
    assert 15 < np.median(first) < 45 and 30 < np.median(nearly) < 75


def test_exact_samples_are_answered_at_the_next_sync_at_the_latest():
    assert answers_s("exact-metrics", range(2)).max() <= 15


@pytest.mark.parametrize("preset", ["metrics-server-60s", "prometheus-adapter"])
def test_slower_pipelines_answer_later(preset):
    """A cluster was seen to have 6, 9 and 10 pods 76, 88 and 94 s after such a step."""
    slow, fast = answers_s(preset)[1], answers_s()[1]
    assert slow.mean() > fast.mean() + 20
    assert slow.max() > 94


def test_moments_depend_on_the_seed_and_nothing_else():
    plan = stepped()
    one, again, other = (run_plan(plan, seed=seed, until_us=700 * US_PER_S) for seed in (1, 1, 2))
    assert one.digest() == again.digest() != other.digest()


@pytest.mark.parametrize(("staleness", "kept"), [("0s", False), ("5m", True)])
def test_pods_on_a_dead_node_have_no_sample_once_it_is_stale(staleness, kept):
    plan = stepped(
        events=(NodeLoss(type="nodeLoss", at="200s", node_group="pool", count=1),),
        metrics_pipeline={"staleness": staleness},
    )
    sim = Simulation(plan, 1)
    sim.start()
    EventLoop(sim.events, handlers(sim), sim.settle).run_until(240 * US_PER_S)
    assert bool((sim.samples.time_us[:5] > 0).all()) is kept
