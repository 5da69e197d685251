"""Everything that may be wrong with a file: an error with file, document, path, problem and cure."""

import copy
import io
import json
import os

import pytest
import yaml

from planner.errors import ImportProblem, ImportProblems
from planner.kube.files import documents, file_text, yaml_text
from planner.kube.importer import import_paths
from tests.planner.kube.manifests import a_deployment, a_node, imported, imported_objects


def problem_of(text):
    with pytest.raises((ImportProblem, ImportProblems)) as caught:
        imported(text, strict=True)
    error = caught.value
    return error.problems[0] if isinstance(error, ImportProblems) else error


def changed(value, *path):
    """A Deployment with one value replaced."""
    manifest = copy.deepcopy(a_deployment())
    part = manifest
    for step in path[:-1]:
        part = part[step] if isinstance(step, int) else part.setdefault(step, {})
    part[path[-1]] = value
    return yaml.safe_dump(manifest)


POD = ("spec", "template", "spec")
MAIN = (*POD, "containers", 0)
TERM = {"matchExpressions": [{"key": "disk", "operator": "Is", "values": ["ssd"]}]}


@pytest.mark.parametrize(
    ("text", "where", "problem"),
    [
        (changed("three", "spec", "replicas"), "spec.replicas", "not a whole number"),
        (changed(True, "spec", "replicas"), "spec.replicas", "not a whole number"),
        (changed(-1, "spec", "replicas"), "document 1: spec.replicas", "-1"),
        (changed(2**40, "spec", "replicas"), "spec.replicas", "too large"),
        (changed("250x", *MAIN, "resources", "requests", "cpu"), "containers[0].resources.requests.cpu", "quantity"),
        (changed("-1", *MAIN, "resources", "requests", "cpu"), "containers[0].resources.requests.cpu", "below 0"),
        (changed(["1"], *MAIN, "resources", "requests", "cpu"), "containers[0].resources.requests.cpu", "quantity"),
        (changed("1e999", *MAIN, "resources", "requests", "memory"), "requests.memory", ""),
        (changed({"cpu": "2"}, *MAIN, "resources", "limits"), "", None),
        (changed({"cpu": "10m"}, *MAIN, "resources", "limits"), "requests.cpu", "above the limit"),
        (changed([], *POD, "containers"), "spec.template.spec.containers", "no container"),
        (changed({}, *POD, "containers"), "spec.template.spec.containers", "not a list"),
        (changed(None, "metadata", "name"), "metadata.name", "missing"),
        (changed("web", "metadata", "labels"), "", None),
        (changed({"a": 1}, *POD, "nodeSelector"), "nodeSelector.a", "not text"),
        (changed([{"key": "a", "operator": "Sometimes"}], *POD, "tolerations"), "tolerations[0].operator", "not known"),
        (changed([{"key": "a", "effect": "No"}], *POD, "tolerations"), "tolerations[0].effect", "not known"),
        (
            changed(
                {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [TERM]}}},
                *POD, "affinity",
            ),
            "nodeSelectorTerms[0].matchExpressions[0].operator", "not known",
        ),
        (changed([{"maxSkew": 0, "topologyKey": "z"}], *POD, "topologySpreadConstraints"), "maxSkew", "0"),
        (changed("Sometimes", "spec", "strategy", "type"), "spec.strategy.type", "not known"),
        (changed(1, "spec"), "spec", "not a map"),
        ("kind: Deployment\nspec:\n\treplicas: 2\n", "line 3", "tab"),
        ("kind: Pod\n---\nkind: [\n", "document 2", "YAML"),
        ("apiVersion: v1\nkind: Pod\nkind: Pod\n", "line 3", "twice"),
        ("just words\n", "document 1", "not an object"),
        ("- 1\n- 2\n", "items[0]", "not an object"),
        ("apiVersion: v1\nmetadata: {name: a}\n", "kind", "missing"),
        ("kind: !!python/object:os.system x\n", "line 1", "tag"),
        ("kind: *nowhere\n", "line 1", "alias"),
        ("a: &a [*a]\n", "line 1", "alias"),
        ("? [1, 2]\n: x\n", "line 1", "key"),
        ('{"kind": "Pod", "metadata": ', "line 1", "too early"),
        ('{"kind": "Pod"} trailing', "line 1", "not JSON"),
        ('{"kind": "Pod", "x": NaN}', "document 1", "NaN"),
        ("", "standard input", "empty"),
        ("   \n\n", "standard input", "empty"),
        (b"\x7fELF\0\0\0\1", "standard input", "binary"),
        (b"kind: \xff\xfe", "standard input", "UTF-8"),
        ("kind: Pod".encode("utf-16"), "standard input", "UTF-16"),
        ("kind: Secret\n", "standard input", "None of the 1 objects"),
        ("kind: List\nitems: 3\n", "items", "not a list"),
    ],
)  # fmt: skip
def test_each_mistake_is_reported_with_place_problem_and_remedy(text, where, problem):
    if problem is None:
        assert imported(text).plan.workloads, "no mistake at all"
        return
    found = problem_of(text)
    assert found.where.startswith("standard input")
    assert where in found.where
    assert problem in found.problem
    assert found.remedy


def test_all_mistakes_are_reported_at_once_each_with_its_document():
    bad = [a_deployment(replicas="x"), a_deployment(), a_deployment("b", replicas=[])]
    with pytest.raises(ImportProblems) as caught:
        imported_objects(*bad, strict=True)
    assert [problem.where for problem in caught.value.problems] == [
        "standard input, document 1: spec.replicas", "standard input, document 3: spec.replicas",
    ]  # fmt: skip


def test_items_of_a_list_are_named_by_position():
    text = json.dumps({"kind": "List", "items": [a_deployment(), a_deployment("b", replicas="x")]})
    assert problem_of(text).where == "standard input, document 1, items[1]: spec.replicas"


def test_a_billion_laughs_are_refused_before_they_are_built():
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 30)]
    found = problem_of("\n".join(lines))
    assert str(yaml_text.MAX_ALIAS_NODES) in found.problem
    assert found.remedy


@pytest.mark.parametrize("text", ["[" * 5000, "{a: " * 5000, "- " * 5000 + "x", '{"a":' * 100_000])
def test_deep_nesting_is_refused(text):
    assert problem_of(text).remedy


def test_the_deepest_allowed_nesting_is_read():
    depth = yaml_text.MAX_DEPTH - 1
    text = f"kind: Secret\ndata: {'[' * depth}{']' * depth}\n---\n{yaml.safe_dump(a_deployment())}"
    assert len(imported(text).plan.workloads) == 1
    assert "nested" in problem_of(text.replace("[[", "[[[").replace("]]", "]]]")).problem


def test_a_huge_file_is_refused_without_reading_it(tmp_path):
    path = tmp_path / "dump.json"
    with path.open("wb") as file:
        file.truncate(1 << 30)
    with pytest.raises(ImportProblems, match="larger than 512 MiB"):
        import_paths([str(path)])


def test_yaml_has_a_lower_limit_than_json(tmp_path, monkeypatch):
    monkeypatch.setattr(documents, "MAX_YAML_BYTES", 100)
    monkeypatch.setattr(file_text, "MAX_YAML_BYTES", 100)
    text = yaml.safe_dump(a_deployment())
    path = tmp_path / "web.yaml"
    path.write_text(text)
    with pytest.raises(ImportProblems, match="the most for YAML.* dump as JSON"):
        import_paths([str(path)])
    assert "dump as JSON" in problem_of(text).remedy
    assert imported(json.dumps(a_deployment())).plan.workloads


@pytest.mark.parametrize("kind", ["missing", "empty name", "folder without manifests", "device", "unreadable folder"])
def test_places_that_are_no_manifests(kind, tmp_path):
    paths = {
        "missing": str(tmp_path / "nothing.yaml"),
        "empty name": "",
        "folder without manifests": str(tmp_path),
        "device": os.devnull,
        "unreadable folder": str(tmp_path / "x" / "y"),
    }
    with pytest.raises((ImportProblem, ImportProblems)):
        import_paths([paths[kind]])


def test_standard_input_may_be_missing():
    with pytest.raises(ImportProblems, match="empty"):
        import_paths(["-"], None)


def test_a_tag_of_yaml_that_kubectl_takes_is_taken():
    text = "kind: Deployment\napiVersion: apps/v1\nmetadata: {name: !!str 12}\nspec: {replicas: !!int '2', template: "
    text += "{spec: {containers: [{name: main}]}}}"
    [workload] = imported(text).plan.workloads
    assert (workload.name, workload.replicas) == ("12", 2)


def test_anchors_and_merge_keys_work():
    text = """
base: &base {requests: {cpu: 100m}}
kind: Deployment
apiVersion: apps/v1
metadata: {name: web, labels: {made: 2024-01-01, on: off}}
spec: {template: {spec: {containers: [{name: a, resources: {<<: *base}}, {name: b, resources: *base}]}}}
"""
    [workload] = imported(text).plan.workloads
    assert [container.requests.cpu for container in workload.pod.containers] == [100, 100]


def test_a_file_of_windows_is_read():
    text = "\ufeff" + yaml.safe_dump(a_node("n1")).replace("\n", "\r\n")
    assert import_paths(["-"], io.BytesIO(text.encode())).plan.node_groups
