"""Changes as values of a Helm chart."""

import pytest
import yaml

from planner import cli
from planner.errors import ImportProblem
from planner.kube.changes.helm_values import helm_values, read_mapping
from planner.kube.changes.object_changes import object_changes
from planner.plan.files.io import save_plan
from planner.plan.variants.application import with_changes
from tests.planner.kube.changes.test_changes import BASE

MAPPING = """\
shop.replicaCount: Deployment/default/shop spec.replicas
shop.cpu: deployment/default/shop spec.template.spec.containers[main].resources.requests.cpu
shop.nodeSelector.zone: Deployment/default/shop spec.template.spec.nodeSelector.zone
scaling.maxReplicas: HorizontalPodAutoscaler/default/shop spec.maxReplicas
"""


@pytest.fixture
def mapping(tmp_path):
    path = tmp_path / "mapping.yaml"
    path.write_text(MAPPING)
    return path


REQUEST = 'workloads[shop].pod.containers[main].requests.cpu = "400m"'
OTHER_REQUEST = 'workloads[shop].pod.containers[proxy].requests.cpu = "60m"'
SEVEN, FORTY = "workloads[shop].replicas = 7", "horizontalPodAutoscalers[shop].maxReplicas = 40"
ZONE = 'workloads[shop].pod.nodeSelector[zone] = "a"'
SHOP = "deployment/shop in default"


@pytest.mark.parametrize(
    ("texts", "values", "others"),
    [
        pytest.param([SEVEN], {"shop": {"replicaCount": 7}}, (), id="a number"),
        pytest.param([REQUEST, FORTY], {"shop": {"cpu": "400m"}, "scaling": {"maxReplicas": 40}}, (), id="two objects"),
        pytest.param([ZONE], {"shop": {"nodeSelector": {"zone": "a"}}}, (), id="a new key"),
        pytest.param([SEVEN, OTHER_REQUEST], {"shop": {"replicaCount": 7}}, (SHOP,), id="a field without a value"),
        pytest.param(["workloads[shop].demand.cpuSecondsPerRequest = 0.2"], {}, (), id="what only the plan knows"),
    ],
)
def test_mapped_fields_become_values_and_others_are_named(texts, values, others, mapping):
    found = helm_values(object_changes(BASE, with_changes(BASE, texts)), read_mapping(mapping))
    assert (found.values, found.others) == (values, others)


@pytest.mark.parametrize(
    "text",
    ["- a\n", "a: b\n", "a: Deployment spec.replicas\n", "a: 3\n", "a: Deployment/x/y spec..replicas\n", "{", ""],
)
def test_a_mapping_that_names_no_field_says_how_to_write_one(text, tmp_path):
    (tmp_path / "mapping.yaml").write_text(text)
    with pytest.raises(ImportProblem) as caught:
        read_mapping(tmp_path / "mapping.yaml")
    assert str(tmp_path / "mapping.yaml") in caught.value.where
    assert caught.value.remedy


def test_the_command_writes_a_values_file(mapping, tmp_path, capsys):
    plan = with_changes(BASE, [SEVEN, OTHER_REQUEST])
    for name, one in (("base", BASE), ("new", plan)):
        save_plan(one, tmp_path / f"{name}.headroom")
    paths = [str(tmp_path / "new.headroom"), "--changes", str(tmp_path / "base.headroom"), "--helm", str(mapping)]
    assert cli.main(["export", *paths, "-o", str(tmp_path / "out")]) == 0
    shown = capsys.readouterr()
    assert "# Values of the Helm chart\nshop:\n  replicaCount: 7" in shown.out
    assert "deployment/shop in default: other fields change, too; see its patch" in shown.err
    assert yaml.safe_load((tmp_path / "out" / "values.yaml").read_text()) == {"shop": {"replicaCount": 7}}


def test_a_mapping_without_changes_to_map_is_refused(mapping, tmp_path, capsys):
    save_plan(BASE, tmp_path / "a.headroom")
    assert cli.main(["export", str(tmp_path / "a.headroom"), "-o", str(tmp_path / "out"), "--helm", str(mapping)]) == 2
    assert "--helm goes with --changes" in capsys.readouterr().err
