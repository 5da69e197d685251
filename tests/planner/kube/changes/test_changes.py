"""From a changed plan to what has to be applied: a real kubectl makes the new objects of the old and the patches."""

import shutil
import subprocess

import pytest
import yaml

from planner import cli
from planner.kube.changes.by_hand import autoscaler_flags, own_changes, pool_changes
from planner.kube.changes.object_changes import object_changes
from planner.kube.exporter import yaml_text
from planner.plan.edits.edit import replace_at
from planner.plan.files.io import save_plan
from planner.plan.variants.application import with_changes
from planner.plan.variants.between import changes_between
from tests.builders import a_node_group, a_plan, a_workload, an_hpa

BASE = a_plan(
    node_groups=(a_node_group("general", initial_size=3, max_size=8),),
    workloads=(
        a_workload(
            "shop",
            pod={
                "containers": (
                    {"name": "main", "requests": {"cpu": "250m", "memory": "256Mi"}, "limits": {"cpu": "1"}},
                    {"name": "proxy", "requests": {"cpu": "50m"}},
                ),
                "node_selector": {"disk": "ssd", "tier": "a"},
            },
        ),
    ),
    horizontal_pod_autoscalers=(an_hpa("shop", max_replicas=20),),
)

CASES = [
    pytest.param("workloads[shop].replicas = 7", ["Deployment"], id="replicas"),
    pytest.param('workloads[shop].pod.containers[main].requests.cpu = "400m"', ["Deployment"], id="a request"),
    pytest.param("workloads[shop].pod.containers[proxy] = null", ["Deployment"], id="a container less"),
    pytest.param("workloads[shop].pod.nodeSelector[tier] = null", ["Deployment"], id="a selector less"),
    pytest.param('workloads[shop].pod.nodeSelector[zone] = "a"', ["Deployment"], id="a selector more"),
    pytest.param('workloads[shop].pod.tolerations = [{"operator": "Exists"}]', ["Deployment"], id="a toleration"),
    pytest.param("horizontalPodAutoscalers[shop].maxReplicas = 40", ["HorizontalPodAutoscaler"], id="a bound"),
    pytest.param("workloads[shop].demand.cpuSecondsPerRequest = 0.2", [], id="what only the plan knows"),
    pytest.param("nodeGroups[general].maxSize = 12", [], id="a pool"),
    pytest.param('workloads[shop].startsOn = {"general-0001": 1}', [], id="where pods are"),
]
TEXTS = [str(case.values[0]) for case in CASES]


def changed(text):
    return with_changes(BASE, [text])


@pytest.mark.parametrize(("text", "kinds"), CASES)
def test_only_the_objects_that_differ_are_changed(text, kinds):
    assert [change.kind for change in object_changes(BASE, changed(text))] == kinds


@pytest.mark.skipif(not shutil.which("kubectl"), reason="kubectl is not installed")
@pytest.mark.parametrize(("text", "kinds"), [case for case in CASES if case.values[1]])
def test_kubectl_makes_the_new_object_of_the_old_one_and_the_patch(text, kinds, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("KUBECONFIG", str(tmp_path / "none"))
    (change,) = object_changes(BASE, changed(text))
    (tmp_path / "old.yaml").write_text(yaml_text([change.before]))
    (tmp_path / "patch.yaml").write_text(yaml_text([change.patch()]))
    command = ["kubectl", "patch", "--local", "-f", "old.yaml", "--patch-file", "patch.yaml", "-o", "yaml"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    made = yaml.safe_load(done.stdout)
    assert without_empty(made) == without_empty(change.after)


def without_empty(value):
    """The API drops what is empty."""
    if isinstance(value, dict):
        kept = {key: without_empty(part) for key, part in value.items()}
        return {key: part for key, part in kept.items() if part not in ({}, [], None) and key != "creationTimestamp"}
    return [without_empty(part) for part in value] if isinstance(value, list) else value


def test_equal_plans_have_nothing_to_change():
    assert not object_changes(BASE, BASE)
    assert not [*autoscaler_flags(BASE, BASE), *pool_changes(BASE, BASE), *own_changes(BASE, BASE)]


@pytest.mark.parametrize(
    ("text", "flag"),
    [
        ('clusterAutoscaler.scaleDownUnneededTime = "5m"', "--scale-down-unneeded-time=5m"),
        ('clusterAutoscaler.expander = ["price", "random"]', "--expander=price,random"),
        ("clusterAutoscaler.balanceSimilarNodeGroups = true", "--balance-similar-node-groups=true"),
        ("clusterAutoscaler.coresTotalMax = 900", "--cores-total=0:900"),
        ("nodeGroups[general].maxSize = 12", "--nodes=0:12:general"),
    ],
)
def test_settings_of_the_autoscaler_are_flags(text, flag):
    assert list(autoscaler_flags(BASE, changed(text))) == [flag]


def test_the_command_prints_a_diff_and_writes_patches_that_kustomize_applies(tmp_path, capsys):
    for name, plan in (("base", BASE), ("new", with_changes(BASE, TEXTS))):
        save_plan(plan, tmp_path / f"{name}.headroom")
    paths = [str(tmp_path / "new.headroom"), "--changes", str(tmp_path / "base.headroom")]
    assert cli.main(["export", *paths, "-o", str(tmp_path / "overlay")]) == 0
    shown = capsys.readouterr()
    assert "-  replicas: 2\n+  replicas: 7" in shown.out and "nodeGroups[general].maxSize = 12" in shown.out
    assert "workloads[shop].demand.cpuSecondsPerRequest = 0.2" in shown.err
    assert sorted(path.name for path in (tmp_path / "overlay").iterdir()) == [
        "deployment-default-shop.yaml", "horizontalpodautoscaler-default-shop.yaml", "kustomization.yaml",
    ]  # fmt: skip
    assert "kind: Node" not in shown.out
    if shutil.which("kubectl"):
        assert cli.main(["export", str(tmp_path / "base.headroom"), "-o", str(tmp_path / "base")]) == 0
        listed = "resources: [deployments.yaml, horizontal-pod-autoscalers.yaml]\n"
        (tmp_path / "base" / "kustomization.yaml").write_text(listed)
        done = subprocess.run(
            ["kubectl", "kustomize", str(tmp_path / "overlay")], capture_output=True, text=True, check=True
        )
        found = {item["kind"]: item["spec"] for item in yaml.safe_load_all(done.stdout)}
        assert found["Deployment"]["replicas"] == 7
        assert [part["name"] for part in found["Deployment"]["template"]["spec"]["containers"]] == ["main"]
        assert found["HorizontalPodAutoscaler"]["maxReplicas"] == 40


@pytest.mark.parametrize("change", ["provisioningDelay = 4m", "readyDelay = 40s", "pricePerHour = 0.3"])
def test_what_is_found_of_a_pool_is_nothing_to_apply(change):
    text = f"nodeGroups[general].{change}"
    assert not list(pool_changes(BASE, changed(text))) and list(own_changes(BASE, changed(text))) == [text]


def test_where_a_number_was_measured_is_no_change():
    number = {"path": "workloads[shop].demand.idleCpu", "value": "0", "low": "0", "high": "0", "samples": 40,
              "source": "week", "window": "today"}  # fmt: skip
    after = replace_at(BASE, ("measured",), (number,))
    assert not list(own_changes(BASE, after)) and not changes_between(BASE, after)


def test_new_and_gone_objects_are_added_and_deleted(tmp_path):
    more = BASE.model_copy(update={"workloads": (*BASE.workloads, a_workload("mail"))})
    (added,), (gone,) = object_changes(BASE, more), object_changes(more, BASE)
    assert added.patch()["spec"]["replicas"] == 2
    assert gone.patch() == {
        "apiVersion": "apps/v1", "kind": "Deployment", "metadata": gone.patch()["metadata"], "$patch": "delete",
    }  # fmt: skip
