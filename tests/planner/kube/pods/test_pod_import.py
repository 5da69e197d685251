"""What an import takes of pods and of the budgets that cover them."""

import pytest

from planner.plan.model.pods.placement import NodeSelectorTerm
from planner.simulation.simulation import Simulation
from planner.state.resources import CPU
from tests.planner.kube.manifests import a_deployment, a_node, imported_objects, losses_of

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


def test_huge_pages_are_counted_and_resources_without_domain_are_left_out():
    asked = {"requests": {"hugepages-2Mi": "64Mi", "memory": "64Mi", "widgets": "1"}}
    node = a_node("node-1")
    node["status"]["capacity"] |= {"hugepages-2Mi": "1Gi"}
    web = a_deployment(containers=[{"name": "main", "resources": asked}])
    result = imported_objects(web, node)
    assert result.plan.node_groups[0].extended == {"hugepages-2Mi": 1 << 30}
    assert result.plan.workloads[0].pod.containers[0].requests.extended == {"hugepages-2Mi": 64 << 20}
    assert losses_of(result) == {("Pod", "resources.widgets"): 1}
    cluster = Simulation(result.plan, 1).cluster
    assert cluster.pod_specs[0].request[cluster.axis.index("hugepages-2Mi")] == 64 << 20


@pytest.mark.parametrize(("required", "terms"), [(None, 0), ({}, 1), ({"nodeSelectorTerms": None}, 1)])
def test_a_node_affinity_without_terms_is_kept_as_one_that_chooses_no_node(required, terms):
    affinity = {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": required}}
    plan = imported_objects(a_deployment(affinity=affinity), a_node("node-1")).plan
    assert plan.workloads[0].pod.required_node_affinity == (NodeSelectorTerm(),) * terms


def test_pods_carry_what_their_classes_say_where_the_classes_are_missing():
    web = a_deployment(priorityClassName="high", runtimeClassName="sandbox")
    spec = web["spec"]["template"]["spec"] | {
        "nodeName": "node-1",
        "priority": 7,
        "preemptionPolicy": "Never",
        "overhead": {"cpu": "250m"},
    }
    owner = {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web", "controller": True}
    pod = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "web-1", "ownerReferences": [owner]},
        "spec": spec,
        "status": {"phase": "Running"},
    }
    made = Simulation(imported_objects(web, pod, a_node("node-1")).plan, 1).cluster.pod_specs[0]
    assert (made.priority, made.placement.may_preempt) == (7, False)
    assert made.request[CPU] == 350


def test_tolerations_that_compare_numbers_are_left_out_as_they_match_nothing():
    entries = [
        {"key": "node.example.com/sla", "operator": "Gt", "value": "950", "effect": "NoSchedule"},
        {"key": "gpu", "operator": "Exists"},
    ]
    result = imported_objects(a_deployment(tolerations=entries), a_node("node-1"))
    assert [known.key for known in result.plan.workloads[0].pod.tolerations] == ["gpu"]
    assert losses_of(result) == {("Pod", "tolerations with Gt"): 1}
