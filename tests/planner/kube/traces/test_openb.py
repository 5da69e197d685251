"""The openb trace, on a few rows of its shape."""

import pytest

from planner.api import place_plan
from planner.errors import ImportProblem, ImportProblems
from planner.kube.importer import import_paths
from planner.kube.traces.openb import GPU_THOUSANDTHS, MODEL_LABEL
from planner.reports.fit_summary import fit_summary
from tests.planner.kube.manifests import losses_of

NODES = """sn,cpu_milli,memory_mib,gpu,model
n-0,32000,131072,0,
n-1,64000,262144,2,T4
n-2,64000,262144,2,T4
n-3,96000,393216,8,V100M16
"""
PODS = """name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time
p-0,4000,8192,1,500,,LS,Running,0,10,0
p-1,4000,8192,1,500,,LS,Running,0,10,0
p-2,8000,16384,2,1000,V100M32|V100M16,LS,Running,0,10,0
p-3,2000,1024,0,0,,BE,Pending,0,10,
p-4,2000,1024,8,1000,T4,BE,Pending,0,10,
"""


@pytest.fixture
def tables(tmp_path):
    def write(nodes=NODES, pods=PODS):
        paths = [tmp_path / "nodes.csv", tmp_path / "pods.csv"]
        for path, text in zip(paths, (nodes, pods), strict=True):
            path.write_text(text)
        return [str(path) for path in paths]

    return write


def test_nodes_of_one_shape_are_a_pool(tables):
    plan = import_paths(tables()).plan
    assert [(group.name, group.initial_size, group.extended) for group in plan.node_groups] == [
        ("cpu-32c-128g", 1, {}), ("t4-2gpu-64c-256g", 2, {GPU_THOUSANDTHS: 2000}),
        ("v100m16-8gpu-96c-384g", 1, {GPU_THOUSANDTHS: 8000}),
    ]  # fmt: skip
    assert plan.node_groups[1].labels == {MODEL_LABEL: "T4"}
    assert not plan.cluster_autoscaler.enabled


def test_pods_of_one_template_are_a_workload_and_models_become_affinity(tables):
    plan = import_paths(tables()).plan
    assert [workload.replicas for workload in plan.workloads] == [2, 1, 1, 1]
    shared, whole, plain, _ = plan.workloads
    assert shared.pod.containers[0].requests.extended == {GPU_THOUSANDTHS: 500}
    assert whole.pod.containers[0].requests.extended == {GPU_THOUSANDTHS: 2000}
    [requirement] = whole.pod.required_node_affinity[0].match_expressions
    assert (requirement.key, requirement.values) == (MODEL_LABEL, ("V100M16", "V100M32"))
    assert plain.pod.containers[0].requests.extended == {}


def test_losses_of_sharing_are_reported_with_the_number_of_pods(tables):
    assert losses_of(import_paths(tables()))[("openb", "gpu_milli below 1000")] == 2


def test_pods_that_did_not_fit_are_reported_with_the_reason(tables):
    text = fit_summary(place_plan(import_paths(tables()).plan))
    assert text.startswith("4 of 5 pods found a node\n")
    assert "1 of pod-2000m-1024mi-8x1000gpu-t4: 0/4 nodes are available" in text
    assert f"Insufficient {GPU_THOUSANDTHS}" in text


def test_a_folder_holding_both_tables_will_do(tables):
    folder = tables()[0].rpartition("/")[0]
    assert len(import_paths([folder]).plan.workloads) == 4


@pytest.mark.parametrize(
    ("nodes", "pods", "words"),
    [
        (NODES.replace("64000", "many", 1), PODS, "nodes.csv, line 3: cpu_milli"),
        (NODES.replace("32000", "-5"), PODS, "line 2: cpu_milli"),
        (NODES.replace("32000", "nan"), PODS, "line 2: cpu_milli"),
        (NODES + "n-4,1\n", PODS, "line 6"),
        (NODES, NODES, "2 tables of nodes and 0 of pods"),
        ("a,b\n1,2\n", "c,d\n1,2\n", "not a known trace"),
        ("a,b\n", PODS, "no rows"),
        ("", PODS, "empty"),
        ('a,"b\n', PODS, "not a CSV table"),
    ],
)
def test_broken_tables_are_reported_with_line_and_column(tables, nodes, pods, words):
    with pytest.raises((ImportProblem, ImportProblems)) as caught:
        import_paths(tables(nodes, pods))
    assert words in str(caught.value)
