"""What is known of pods by kind equals what is found pod by pod."""

import numpy as np
import pytest

from planner.engine.loop import EventLoop
from planner.plan.model.autoscalers.horizontal_pod_autoscaler import HorizontalPodAutoscaler, HpaMetric
from planner.plan.model.demand import Demand
from planner.plan.model.plan import SimulationSettings
from planner.plan.model.serving import WarmUp
from planner.plan.model.traffic import SpikeLoad, Traffic
from planner.simulation.run import run_plan
from planner.simulation.simulation import Simulation
from planner.simulation.wiring import handlers
from planner.state.pods import PodPhase
from planner.units import US_PER_MIN
from planner.workloads.cpu.node_room import NodeRoom
from tests.builders import a_node_group, a_plan, a_workload
from tests.planner.workloads.load.test_load_runs import limited

SPIKE = Traffic(profile=SpikeLoad(type="spike", base=30, peak=260, start="60s", rise="60s", hold="60s", decay="60s"))


def busy_plan(cores: str, contention: bool = True, **demand):
    web = a_workload(
        "web",
        replicas=3,
        pod=limited("500m", "1"),
        traffic=SPIKE,
        demand=Demand(cpu_seconds_per_request=0.01, **demand),
    )
    back = a_workload(
        "back", replicas=2, pod=limited("500m", "900m"), traffic=SPIKE, demand=Demand(cpu_seconds_per_request=0.02)
    )
    agent = a_workload("agent", replicas=2, cpu_use="200m")
    return a_plan(
        workloads=(web, back, agent),
        node_groups=(a_node_group(cpu=cores, memory="64Gi", initial_size=2, max_size=5),),
        horizontal_pod_autoscalers=(
            HorizontalPodAutoscaler(
                name="web",
                scale_target="web",
                min_replicas=3,
                max_replicas=9,
                metrics=(HpaMetric(average_utilization=60),),
            ),
        ),
        simulation=SimulationSettings(duration=6 * US_PER_MIN, cpu_contention=contention),
    )


PLANS = {
    "room for all": busy_plan("16"),
    "some nodes are crowded": busy_plan("3"),
    "pods that warm up": busy_plan("8", warm_up=WarmUp(duration="45s", slow_down=2.0)),
    "without contention": busy_plan("3", contention=False),
}


@pytest.mark.parametrize("name", PLANS)
def test_to_look_at_every_pod_changes_nothing(name, monkeypatch):
    short = run_plan(PLANS[name])
    monkeypatch.setattr(NodeRoom, "_crowded", lambda self: np.arange(len(self._cores)))
    assert run_plan(PLANS[name]).digest() == short.digest()


def test_kinds_are_kept_up_to_date_pod_by_pod():
    sim = Simulation(PLANS["some nodes are crowded"], 1)
    sim.start()
    loop = EventLoop(sim.events, handlers(sim), sim.settle)
    for minute in range(1, 7):
        loop.run_until(minute * US_PER_MIN, lambda: False)
        sim.load_model.observe()
        known, pods = sim.load_model._pods, sim.cluster.pods
        rows = np.flatnonzero(pods.phase == PodPhase.RUNNING)
        assert known.rows.tolist() == rows.tolist()
        assert known.node.tolist() == pods.node[rows].tolist()
        assert known.kinds.workload[known.kind].tolist() == pods.workload[rows].tolist()
        serving = pods.ready[rows] & (pods.workload[rows] < 2)
        assert known.kinds.serving[known.kind].tolist() == serving.tolist()
        assert known.count.tolist() == np.bincount(known.kind, minlength=len(known.count)).tolist()
        for row, some in enumerate(known.serving_of(np.arange(3))):
            assert some.tolist() == rows[serving & (pods.workload[rows] == row)].tolist()
