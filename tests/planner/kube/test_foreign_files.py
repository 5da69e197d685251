"""One foreign file does not refuse a folder: what is Kubernetes is read, the rest is listed with its reason."""

import json
import os

import pytest
import yaml

from planner.errors import ImportProblem, ImportProblems
from planner.kube.files import folders
from planner.kube.importer import import_paths
from tests.planner.kube.manifests import a_deployment, a_node, imported, imported_objects, losses_of

GOOD = yaml.safe_dump(a_deployment())
TEMPLATE = "{{- if .Values.on }}\n" + GOOD + "{{- end }}\n"
KUSTOMIZATION = "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [web.yaml]\n"


def folder(root, **files):
    """A folder with one good manifest and other files; two underscores in a name are a slash, one is a dot."""
    for name, content in {"web_yaml": GOOD, **files}.items():
        path = root / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return str(root)


def names(result):
    return [workload.name for workload in result.plan.workloads]


@pytest.mark.parametrize(("name", "content", "where", "problem", "remedy"), [
    ("values_yaml", "image: {tag: 3}\n", "values.yaml, document 1", "neither apiVersion nor kind", "another tool"),
    ("patch_yaml", "spec: {replicas: 3}\n", "patch.yaml, document 1", "is not a manifest", "kustomize build"),
    ("steps_yaml", "- {op: add, path: /metadata/labels/a, value: b}\n- {op: remove, path: /metadata/labels/c}\n",
     "steps.yaml, document 1", "JSON patch", "kustomize build"),
    ("package_json", '{"name": "shop"}', "package.json, document 1", "neither apiVersion nor kind", "another tool"),
    ("regions_json", '[{"key": "a"}, {"key": "b"}]', "regions.json, document 1", "not a manifest", "another tool"),
    ("half_yaml", "apiVersion: v1\n", "half.yaml, document 1: kind", "missing", "apiVersion and kind"),
    ("notes_yaml", "just words\n", "notes.yaml, document 1", "not an object", "apiVersion"),
    ("broken_yaml", "kind: [\n", "broken.yaml, document 1: line 2, column 1", "not YAML", "Correct this line"),
    ("cut_json", '{"kind": "Pod", "meta', "cut.json, document 1: line 1, column 17", "ends too early", "cut off"),
    ("empty_yaml", "\n", "empty.yaml", "is empty", "Give a file"),
    ("bare_yaml", "---\n# nothing\n---\n", "bare.yaml", "documents of the file are empty", "Give a file"),
    ("zero_yaml", b"kind: Pod\nmetadata:\n  name: a\0b\n", "zero.yaml", "Line 3 contains a NUL byte", "remove"),
    ("program_json", b"\x7fELF\1\0\0\0", "program.json", "binary", ".yaml"),
    ("latin_yaml", b"name: caf\xe9\n", "latin.yaml", "Line 1 is not UTF-8", "UTF-8"),
    ("shop__templates__web_yaml", TEMPLATE, "shop/templates/web.yaml", "template of a Helm chart", "shop`"),
    ("kustomization_yaml", KUSTOMIZATION, "kustomization.yaml, document 1", "Kustomize", "kustomize build"),
    ("wrong_yaml", yaml.safe_dump(a_deployment("b", replicas=-1)), "wrong.yaml, document 1: spec.replicas", "-1", ""),
    ("text_yaml", yaml.safe_dump(a_deployment("b", replicas="x")), "text.yaml, document 1: spec.replicas", "wh", ""),
])  # fmt: skip
def test_a_foreign_file_is_skipped_with_place_reason_and_cure(name, content, where, problem, remedy, tmp_path):
    path = folder(tmp_path, **{name: content})
    result = import_paths([path])
    assert names(result) == ["web"]
    [skipped] = result.losses.skipped
    assert skipped.where.endswith(where)
    assert problem in skipped.problem
    assert remedy in skipped.remedy
    assert skipped.remedy
    with pytest.raises(ImportProblems) as caught:
        import_paths([path], strict=True)
    assert caught.value.problems == (skipped,)


def test_the_files_of_a_helm_chart_name_helm(tmp_path):
    chart = {"shop__Chart_yaml": "apiVersion: v2\nname: shop\n", "shop__values_yaml": "replicas: 2\n"}
    result = import_paths([folder(tmp_path, **chart)])
    assert [skipped.remedy for skipped in result.losses.skipped] == [
        f"Import what `helm template {tmp_path / 'shop'}` prints."
    ] * 2


def test_a_broken_document_does_not_take_its_neighbours_along():
    text = f"# two of three\n---\n{GOOD}---\nkind: [\n---\n{yaml.safe_dump(a_node('n1'))}"
    result = imported(text)
    assert (names(result), len(result.plan.node_groups)) == (["web"], 1)
    [skipped] = result.losses.skipped
    assert skipped.where.startswith("standard input, document 2: line ")
    line = text[: text.index("kind: [")].count("\n") + 1
    assert f"line {line + 1}," in skipped.where


def test_what_is_nothing_but_foreign_is_refused(tmp_path):
    (tmp_path / "values.yaml").write_text("a: 1\n")
    with pytest.raises(ImportProblems, match="values.yaml, document 1"):
        import_paths([str(tmp_path)])


def test_a_workload_that_fails_a_check_of_plans_is_skipped_at_its_path_in_the_manifest():
    bad = a_deployment("greedy")
    bad["spec"]["template"]["spec"]["containers"][0]["resources"]["limits"] = {"cpu": "10m"}
    result = imported_objects(a_deployment(), bad)
    assert names(result) == ["web"]
    [skipped] = result.losses.skipped
    path = "spec.template.spec.containers[0].resources.requests.cpu"
    assert skipped.where == f"standard input, document 2: {path}"


def test_pods_of_a_skipped_controller_are_kept_as_pods():
    owner = [{"kind": "StatefulSet", "name": "db", "controller": True}]
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "db-0", "ownerReferences": owner}}
    pod |= {"spec": a_deployment()["spec"]["template"]["spec"], "status": {"phase": "Running"}}
    wrong = {**a_deployment("db", replicas="x"), "kind": "StatefulSet"}
    result = imported_objects(wrong, pod)
    assert names(result) == ["db"]
    assert len(result.losses.skipped) == 1


def test_json_documents_may_follow_each_other():
    text = f"{json.dumps(a_deployment('a'))}\n{json.dumps(a_deployment('b'))}{json.dumps(a_node('n1'))}"
    assert names(imported(text)) == ["a", "b"]
    cut = imported(text[:-5])
    assert names(cut) == ["a", "b"]
    assert cut.losses.skipped[0].where.startswith("standard input, document 3: line 2")


def test_objects_with_a_generated_name_are_numbered():
    jobs = [a_deployment() | {"kind": "Job", "apiVersion": "batch/v1", "metadata": {"generateName": "load-"}}] * 2
    assert names(imported_objects(*jobs)) == ["load-1", "load-2"]


def dump(kind, *objects):
    """A typed list as cluster-info dump writes it: items without kind and apiVersion."""
    items = [{key: part for key, part in each.items() if key not in ("kind", "apiVersion")} for each in objects]
    return json.dumps({"kind": f"{kind}List", "apiVersion": "v1", "metadata": {}, "items": items}, indent=4)


LOGS = """==== START logs for container main of pod default/web-1 ====
{"level": "info"}
--- {{ broken
==== END logs for container main of pod default/web-1 ====
"""


def test_a_folder_of_cluster_info_dump_is_read(tmp_path):
    path = folder(
        tmp_path, web_yaml=GOOD, nodes_json=dump("Node", a_node("n1")),
        default__deployments_json=dump("Deployment", a_deployment("shop")), default__events_json=dump("Event"),
        default__web__logs_txt="nothing of interest",
    )  # fmt: skip
    result = import_paths([path])
    assert (names(result), len(result.plan.node_groups)) == (["web", "shop"], 1)
    assert not result.losses.skipped
    assert losses_of(result)["file", "*.txt"] == 1


def test_a_printed_cluster_info_dump_is_read_without_its_logs():
    text = f"{dump('Node', a_node('n1'))}\n{dump('Deployment', a_deployment('shop'))}\n{LOGS}{dump('Event')}\n{LOGS}"
    result = imported(text)
    assert (names(result), len(result.plan.node_groups)) == (["shop"], 1)
    assert not result.losses.skipped


def test_links_never_lead_into_a_loop(tmp_path):
    path = folder(tmp_path, a__b_yaml=GOOD.replace("web", "b"))
    os.symlink(tmp_path, tmp_path / "a" / "loop")
    os.symlink("self.yaml", tmp_path / "self.yaml")
    result = import_paths([path])
    assert names(result) == ["web", "b"]
    assert [os.path.basename(skipped.where) for skipped in result.losses.skipped] == ["self.yaml"]
    assert ("link", str(tmp_path / "a" / "loop")) in losses_of(result)


def test_hidden_folders_are_left_alone_and_named(tmp_path):
    path = folder(tmp_path)
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "x.yaml").write_text("a: 1\n")
    result = import_paths([path], strict=True)
    assert losses_of(result)["folder", ".git"] == 1


def test_a_folder_without_end_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(folders, "MAX_FILES", 2)
    with pytest.raises(ImportProblem, match="more than 2 files"):
        import_paths([folder(tmp_path, a_yaml=GOOD, b_yaml=GOOD)])


def test_files_beyond_the_bound_of_all_together_are_skipped(tmp_path, monkeypatch):
    monkeypatch.setattr(folders, "MAX_FOLDER_BYTES", len(GOOD) + 10)
    result = import_paths([folder(tmp_path, z_yaml=GOOD)])
    assert [os.path.basename(skipped.where) for skipped in result.losses.skipped] == ["z.yaml"]


@pytest.mark.parametrize("text", ["{{" * 200_000, "#" * 200_000 + "\nx: [", "---\n" * 20_000 + "x: ["])
def test_hostile_text_takes_no_time(text):
    with pytest.raises(ImportProblems):
        imported(text)
