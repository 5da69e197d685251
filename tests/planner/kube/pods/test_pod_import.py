"""What an import takes of pods and of the budgets that cover them."""

import pytest

from planner.simulation.simulation import Simulation
from tests.planner.kube.manifests import a_deployment, a_node, imported_objects

NETWORK = "node.kubernetes.io/network-unavailable"


@pytest.mark.parametrize("on_host", [True, False])
def test_only_a_daemon_set_on_the_host_network_tolerates_a_node_without_network(on_host):
    agent = a_deployment("agent", hostNetwork=on_host) | {"kind": "DaemonSet"}
    plan = imported_objects(agent, a_node("node-1")).plan
    assert plan.workloads[0].pod.host_network is on_host
    spec = Simulation(plan, 1).cluster.pod_specs[0]
    assert any(toleration.key == NETWORK for toleration in spec.placement.tolerations) is on_host


def test_a_budget_without_portion_allows_no_disruption():
    budget = {
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": {"name": "web"},
        "spec": {"selector": {"matchLabels": {"app": "web"}}},
    }
    plan = imported_objects(a_deployment(), a_node("node-1"), budget).plan
    assert plan.pod_disruption_budgets[0].max_unavailable == 0
