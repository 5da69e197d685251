"""Status of disruption budgets as a run keeps it."""

import pytest

from planner.plan.model.budgets import PodDisruptionBudget
from planner.plan.model.workloads import WorkloadKind
from planner.simulation.simulation import Simulation
from planner.state.pods import EndReason
from planner.units import US_PER_MIN
from planner.workloads.disruption.budgets import DISRUPTED_FOR_US
from planner.workloads.disruption.disruption_controller import DisruptionController
from planner.workloads.disruption.eviction_api import EvictionApi
from tests.builders import a_node_group, a_plan, a_pod, a_workload

SHOP = {"match_labels": {"part-of": "shop"}}
POOL = a_node_group(initial_size=4, min_size=4, max_size=4)


def a_budget(**settings):
    return PodDisruptionBudget(**{"name": "shop", "selector": SHOP} | settings)


def shop(name="web", **settings):
    pod = settings.pop("pod", {})
    return a_workload(name, **{"replicas": 4, "pod": a_pod(labels={"part-of": "shop"}, **pod)} | settings)


def started(*workloads, **budget):
    sim = Simulation(a_plan(node_groups=(POOL,), workloads=workloads, pod_disruption_budgets=(a_budget(**budget),)), 1)
    sim.start()
    return sim


def figures(sim):
    status = sim.evictions.status(sim.evictions.budgets[0])
    return status.current_healthy, status.desired_healthy, status.expected_pods, status.disruptions_allowed


@pytest.mark.parametrize(("workloads", "budget", "expected"), [
    pytest.param([shop(), shop("api")], {"max_unavailable": 1}, (8, 7, 8, 1), id="owners of two workloads add up"),
    pytest.param([shop(), shop("api", replicas=0)], {"min_available": "50%"}, (4, 2, 4, 2), id="a share of the scale"),
    pytest.param([shop()], {"min_available": 3}, (4, 3, 4, 1), id="a number of the pods that are there"),
    pytest.param(
        [shop(), shop("agent", kind=WorkloadKind.DAEMON_SET)], {"max_unavailable": 1}, (0, 0, 0, 0),
        id="a DaemonSet has no scale, so nothing may be disrupted",
    ),
    pytest.param(
        [shop(), shop("agent", kind=WorkloadKind.DAEMON_SET, pod={"node_selector": {"no": "node"}})],
        {"max_unavailable": 1}, (4, 3, 4, 1), id="a DaemonSet without pods is no owner",
    ),
    pytest.param(
        [shop(), shop("agent", kind=WorkloadKind.DAEMON_SET)], {"min_available": 2}, (8, 2, 8, 6),
        id="a number needs no scales",
    ),
])  # fmt: skip
def test_figures_follow_the_pods_and_their_owners(workloads, budget, expected):
    assert figures(started(*workloads, **budget)) == expected


def test_pods_whose_owner_is_deleted_can_not_be_counted():
    sim = started(shop(), shop("api", pod={"termination_time": "1m"}), max_unavailable=1)
    row = sim.world.workload_rows["api"]
    sim.cluster.set_absent(row, True)
    assert figures(sim)[3] == 0


def test_every_eviction_lowers_the_budget_until_the_successors_are_ready():
    sim = started(shop(), max_unavailable=2)
    answers = [sim.evictions.evict(pod, "test").allowed for pod in range(3)]
    assert answers == [True, True, False]
    assert figures(sim) == (2, 2, 4, 0)
    sim.settle()
    for pod in range(4, 6):
        sim.cluster.mark_running(pod)
    assert figures(sim) == (4, 2, 4, 2)


class LostDeletions:
    """Stands in for the kubelets: a pod that the API lets go stays as it is."""

    def delete(self, pod: int, reason: EndReason, grace_cap_us: int | None = None) -> None:
        """Nothing happens."""


def test_a_pod_that_was_let_go_but_not_deleted_counts_as_gone_for_two_minutes():
    sim = started(shop(), max_unavailable=1)
    api = EvictionApi(sim.cluster, LostDeletions(), [a_budget(max_unavailable=1)], lambda _: None, lambda _: False)
    assert api.evict(0, "test").allowed
    status = api.status(api.budgets[0])
    assert (status.disruptions_allowed, list(status.disrupted_us)) == (0, [0])
    sim.events.now_us = DISRUPTED_FOR_US - 1
    sim.cluster.set_pod_ready(3, False)  # another pass, which keeps the list
    sim.cluster.set_pod_ready(3, True)
    assert api.status(api.budgets[0]).current_healthy == 3
    sim.events.now_us = DISRUPTED_FOR_US
    assert api.status(api.budgets[0]).current_healthy == 4
    sim.events.now_us += US_PER_MIN
    assert api.status(api.budgets[0]).disrupted_us == {}


def test_a_pass_is_made_only_when_something_changed(monkeypatch):
    sim = started(shop(), max_unavailable=1)
    passes = []
    real = DisruptionController._pass
    monkeypatch.setattr(DisruptionController, "_pass", lambda *args: passes.append(1) or real(*args))
    for _ in range(3):
        figures(sim)
    assert len(passes) <= 1
    sim.cluster.set_pod_ready(0, False)
    assert figures(sim) == (3, 3, 4, 0)
