"""Deployments of the cluster-proportional-autoscaler."""

import json

import pytest

from planner.api import run_plan
from planner.errors import ImportProblem, ImportProblems
from planner.plan.model.autoscalers.proportional_autoscaler import LadderMode, LinearMode
from planner.units import US_PER_MIN, US_PER_S
from tests.planner.kube.manifests import a_deployment, a_node, imported_objects, losses_of

LINEAR = {"coresPerReplica": 2, "nodesPerReplica": 1, "min": 1, "preventSinglePointFailure": True}


def the_autoscaler(*more, target="deployment/dns", name="dns-autoscaler"):
    image = "registry.k8s.io/cpa/cluster-proportional-autoscaler-amd64:v1.9.0"
    words = ["/cluster-proportional-autoscaler", "--namespace=kube-system", "--configmap=dns", f"--target={target}"]
    container = {"name": "autoscaler", "image": image, "command": [*words, "--logtostderr=true", *more]}
    return a_deployment(name, "kube-system", replicas=1, containers=[container])


def parameters(**data):
    texts = {key: value if isinstance(value, str) else json.dumps(value) for key, value in data.items()}
    about = {"name": "dns", "namespace": "kube-system"}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": about, "data": texts}


def imported_with(*objects):
    nodes = [a_node(f"n{number}") for number in range(3)]
    return imported_objects(*nodes, a_deployment("dns", "kube-system", replicas=1), *objects, strict=True)


def test_linear_mode_is_read_and_acts():
    result = imported_with(the_autoscaler(), parameters(linear=LINEAR))
    [scaler] = result.plan.proportional_autoscalers
    assert (scaler.name, scaler.targets, scaler.poll_period) == ("dns-autoscaler", ("dns",), 10 * US_PER_S)
    assert scaler.mode == LinearMode(
        type="linear", cores_per_replica=2, nodes_per_replica=1, min=1, prevent_single_point_failure=True
    )
    assert ("ConfigMap", "") not in losses_of(result)
    pods = run_plan(result.plan, until_us=US_PER_MIN).pods
    assert len([pod for pod in pods if pod["workload"] == "dns"]) == 6  # twelve cores


def test_ladder_mode_is_read():
    ladder = {"coresToReplicas": [[1, 1], [8, 3, 99]], "nodesToReplicas": [[5]], "includeUnschedulableNodes": True}
    [scaler] = imported_with(the_autoscaler(), parameters(ladder=ladder)).plan.proportional_autoscalers
    assert isinstance(scaler.mode, LadderMode) and scaler.mode.include_unschedulable_nodes
    assert [(step.threshold, step.replicas) for step in scaler.mode.cores_to_replicas] == [(1, 1), (8, 3)]
    assert [(step.threshold, step.replicas) for step in scaler.mode.nodes_to_replicas] == [(5, 0)]


def test_default_parameters_stand_in_for_a_missing_config_map():
    flags = ("--default-params=" + json.dumps({"linear": LINEAR}), "--poll-period-seconds=30", "--nodelabels=a=b,c=d")
    [scaler] = imported_with(the_autoscaler(*flags)).plan.proportional_autoscalers
    assert (scaler.poll_period, scaler.node_labels) == (30 * US_PER_S, {"a": "b", "c": "d"})
    assert scaler.mode.cores_per_replica == 2


@pytest.mark.parametrize(("objects", "reason"), [
    pytest.param([the_autoscaler()], "config map is not among", id="no parameters"),
    pytest.param([the_autoscaler(), parameters(linear=LINEAR, ladder={})], "more than one entry", id="both modes"),
    pytest.param([the_autoscaler(target="deployment/x"), parameters(linear=LINEAR)], "none of its targets", id="aim"),
    pytest.param(
        [the_autoscaler(), the_autoscaler(name="second"), parameters(linear=LINEAR)], "already", id="a second one"
    ),
])  # fmt: skip
def test_one_that_cannot_act_is_left_out_with_the_reason(objects, reason):
    assert reason in "\n".join(map(str, imported_with(*objects).losses))


def test_parameters_that_have_no_effect_are_left_out():
    assert ("ConfigMap", "") in losses_of(imported_with(parameters(linear=LINEAR)))


def found_in(error: ImportProblem | ImportProblems) -> tuple[ImportProblem, ...]:
    return error.problems if isinstance(error, ImportProblems) else (error,)


@pytest.mark.parametrize("objects", [
    pytest.param([the_autoscaler(), parameters(linear="{")], id="no JSON"),
    pytest.param([the_autoscaler(), parameters(linear="[1]")], id="no object"),
    pytest.param([the_autoscaler(), parameters(ladder={"coresToReplicas": [3]})], id="a step that is no pair"),
    pytest.param([the_autoscaler(), parameters(linear={"coresPerReplica": 2, "min": 3, "max": 2})], id="bounds"),
    pytest.param([the_autoscaler("--poll-period-seconds=soon"), parameters(linear=LINEAR)], id="a flag"),
    pytest.param([the_autoscaler(target="dns"), parameters(linear=LINEAR)], id="a target without kind"),
])  # fmt: skip
def test_mistakes_are_reported_with_place_and_remedy(objects):
    with pytest.raises((ImportProblem, ImportProblems)) as caught:
        imported_with(*objects)
    for problem in found_in(caught.value):
        assert "document" in problem.where and problem.remedy
