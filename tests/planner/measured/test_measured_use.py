"""What right-sizing learns from measured series."""

import numpy as np
import pytest

from planner.errors import PlanProblem
from planner.experiments.kinds.registry import run_experiment
from planner.experiments.runs import Runs
from planner.measured.measured_cluster import MeasuredCluster, Subject
from planner.measured.measured_use import measured_use
from planner.measured.quantities import Quantity
from planner.plan.model.experiments.rightsize import Rightsize
from planner.plan.model.pods.containers import Container, Resources
from planner.plan.model.pods.pod_template import PodTemplate
from planner.plan.model.traffic import ConstantLoad, Traffic
from planner.units import MIB
from tests.builders import a_node_group, a_plan, a_workload

HOURS = 48


def a_shop(*containers):
    return a_workload(
        "shop",
        replicas=2,
        pod=PodTemplate(containers=containers or (Container(requests=Resources(cpu="1", memory="512Mi")),)),
        traffic=Traffic(profile=ConstantLoad(type="constant", rate=15.0)),
        demand={"cpu_seconds_per_request": 0.02},
    )


def a_shop_plan(*containers):
    return a_plan(workloads=(a_shop(*containers),), node_groups=(a_node_group(cpu="4", initial_size=2),))


def measured(**courses):
    """Two days of one-minute steps."""
    steps = HOURS * 60
    found = {
        Subject(Quantity(name), "shop"): np.broadcast_to(np.asarray(values, np.float32), (steps,)).copy()
        for name, values in courses.items()
    }
    return MeasuredCluster(1_772_323_200, 60, steps, found, {}, "week.json")


def test_use_is_shared_among_the_pods_that_were_ready():
    cpu, ready = np.repeat([0.4, 1.2], HOURS * 30), np.repeat([2.0, 4.0], HOURS * 30)
    [use] = measured_use(a_shop_plan(), measured(cpu=cpu, ready=ready)).uses
    assert use.cpu is not None and use.memory is None
    assert (use.cpu.p50, use.cpu.peak) == (pytest.approx(300, rel=0.01), 300)
    assert use.cpu.mean == pytest.approx((2 * 200 + 4 * 300) / 6)


def test_the_recommender_says_what_it_would_have_said_in_the_cluster():
    [use] = measured_use(a_shop_plan(), measured(cpu=0.6, memory=400.0 * MIB, ready=2.0)).uses
    assert use.target["cpu"] == pytest.approx(1.15 * 300, rel=0.06)
    assert 1.15 * 200 * MIB <= use.target["memory"] <= 1.15 * 1.06 * 210 * MIB


def test_containers_share_the_use_of_their_pod_by_their_requests():
    pod = (
        Container(name="main", requests=Resources(cpu="750m")),
        Container(name="proxy", requests=Resources(cpu="250m")),
    )
    known = measured_use(a_shop_plan(*pod), measured(cpu=0.8, ready=2.0))
    assert [(one.container, one.cpu and one.cpu.peak) for one in known.uses] == [("main", 300), ("proxy", 100)]
    assert any("shop" in note for note in known.notes)


def test_steps_without_pods_or_values_say_nothing():
    cpu = np.full(HOURS * 60, np.nan)
    cpu[:10] = 0.5
    [use] = measured_use(a_shop_plan(), measured(cpu=cpu, ready=np.where(np.arange(HOURS * 60) < 5, 0.0, 1.0))).uses
    assert use.cpu is not None and (use.cpu.samples, use.cpu.peak) == (5, 500)


def test_sizes_follow_the_measured_use_instead_of_a_run():
    plan, question = a_shop_plan(), {"type": "rightsize", "name": "sizes", "seeds": 1, "use": "measured"}
    known = measured_use(plan, measured(cpu=0.6, memory=400.0 * MIB, ready=2.0))
    answer = run_experiment(plan, Rightsize(**question), Runs(until_us=60_000_000), known)
    rows = {row["resource"]: row for row in answer.more["uses"]}
    assert rows["cpu"]["sizes"]["peak"] == 300 and rows["memory"]["sizes"]["peak"] == 200 * MIB
    assert answer.more["source"].startswith("week.json, 2026-03-01T00:00:00Z/")


def test_without_series_it_is_said_how_to_bring_them_in():
    question = {"type": "rightsize", "name": "sizes", "seeds": 1, "use": "measured"}
    with pytest.raises(PlanProblem, match="rightsize --measured FILE"):
        run_experiment(a_shop_plan(), Rightsize(**question), Runs())
