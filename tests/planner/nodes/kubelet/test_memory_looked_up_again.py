"""Working sets that are looked up again are what they would be if they were worked out anew."""

from pathlib import Path

import pytest

from planner.nodes.kubelet import memory_use
from planner.nodes.kubelet.memory_pressure import MemoryPressure
from planner.nodes.kubelet.memory_use import PodMemory
from planner.nodes.kubelet.node_memory import NodeMemory
from planner.plan.files.io import load_plan
from planner.simulation.run import run_plan
from tests.planner.simulation.scaling.test_vertical_pod_autoscaler import sized_plan

SCENARIOS = Path(__file__).parents[4] / "scenarios"
PLANS = {
    "pods that are replaced": lambda: sized_plan("Recreate"),
    "pods that are resized": lambda: sized_plan("InPlaceOrRecreate"),
    "containers that are killed": lambda: load_plan(SCENARIOS / "memory-burst" / "plan.headroom"),
    "requests that take memory": lambda: load_plan(SCENARIOS / "vpa-against-hpa" / "plan.headroom"),
}


@pytest.mark.parametrize("plan", PLANS.values(), ids=PLANS.keys())
def test_a_run_is_the_same_whether_unchanged_memory_is_worked_out_again_or_not(plan, monkeypatch):
    monkeypatch.setattr(memory_use, "_MANY", 1)
    until_us = 600_000_000
    again = run_plan(plan(), until_us=until_us).digest()
    monkeypatch.setattr(PodMemory, "revision", None)
    assert run_plan(plan(), until_us=until_us).digest() == again


@pytest.mark.parametrize("plan", PLANS.values(), ids=PLANS.keys())
def test_a_run_is_the_same_whether_nodes_with_room_are_looked_at_or_not(plan, monkeypatch):
    until_us, looks, on_pass = 1_200_000_000, [], MemoryPressure.on_pass

    def counted(self, event):
        looks.append(event.node)
        on_pass(self, event)

    monkeypatch.setattr(MemoryPressure, "on_pass", counted)
    spared, seldom = run_plan(plan(), until_us=until_us).digest(), len(looks)
    monkeypatch.setattr(NodeMemory, "have_room", lambda self, nodes: [False] * len(nodes))
    assert run_plan(plan(), until_us=until_us).digest() == spared
    assert seldom <= len(looks) - seldom
