"""Where no pod changes and every node has room for what its pods need, a load step leaves the CPU of all as it is."""

import pytest

from planner.plan.model.pods.containers import Container, Resources
from planner.plan.model.pods.pod_template import PodTemplate
from planner.simulation.run import run_plan
from planner.units import US_PER_MIN
from planner.workloads.cpu.node_room import NodeRoom
from planner.workloads.load.load_model import LoadModel
from planner.workloads.load.use.asked_cpu import AskedCpu
from tests.builders import a_node_group, a_plan, a_workload
from tests.properties.random_plans import random_plan


def _service(name="web", cv=0.0):
    traffic = {"profile": {"type": "sine", "mean": 30, "amplitude": 20, "period": "5m"}, "noise": {"cv": cv}}
    bounds = Resources(cpu="500m", memory="256Mi")
    pod = PodTemplate(containers=(Container(requests=bounds, limits=bounds),))
    return a_workload(name, pod=pod, traffic=traffic, demand={"cpuSecondsPerRequest": 0.01})


def test_what_pods_ask_for_is_not_computed_again_while_nodes_have_room_for_it(monkeypatch):
    looks, asked = [], AskedCpu.of_workloads
    monkeypatch.setattr(AskedCpu, "of_workloads", lambda cpu: looks.append(0) or asked(cpu))
    run_plan(a_plan(node_groups=(a_node_group(cpu="16"),), workloads=(_service(),)), until_us=20 * US_PER_MIN)
    assert len(looks) < 20


def test_load_that_varies_leads_to_few_looks_at_the_room_of_nodes(monkeypatch):
    looks, look = [], NodeRoom._look
    monkeypatch.setattr(NodeRoom, "_look", lambda room, *others: looks.append(0) or look(room, *others))
    services = tuple(_service(f"web-{at}", cv=0.3) for at in range(4))
    run_plan(a_plan(node_groups=(a_node_group(cpu="16"),), workloads=services), until_us=20 * US_PER_MIN)
    assert len(looks) < 20


@pytest.mark.parametrize("number", range(3, 7))
def test_runs_are_the_same_as_if_it_were_computed_at_every_step(number, monkeypatch):
    plan, until_us = random_plan(number), 10 * US_PER_MIN
    found = run_plan(plan, until_us=until_us).digest()
    monkeypatch.setattr(LoadModel, "_is_calm", lambda model, positions: False)
    assert run_plan(plan, until_us=until_us).digest() == found
