"""headroom import --from-cluster: a real kubectl reads a small API server, and a saved dump gives the same plan."""

import json
import shutil

import pytest

from planner import cli
from planner.kube.files.documents import read_documents
from planner.plan.files.io import load_plan, save_plan
from tests.builders import a_node_group, a_plan, a_workload, an_hpa
from tests.planner.kube.live.api_server import RESOURCES, ApiServer

pytestmark = pytest.mark.skipif(not shutil.which("kubectl"), reason="kubectl is not installed")
PLURALS = {kind: name for resources in RESOURCES.values() for name, (kind, _) in resources.items()}


def recorded_objects(folder, nodes):
    """The objects of a plan, by resource."""
    plan = a_plan(
        node_groups=(a_node_group("general", initial_size=nodes, max_size=nodes + 5),),
        workloads=(a_workload("shop", replicas=30), a_workload("mail", namespace="office", replicas=2)),
        horizontal_pod_autoscalers=(an_hpa("shop", max_replicas=50),),
    )
    save_plan(plan, folder / "source.headroom")
    assert cli.main(["export", str(folder / "source.headroom"), "-o", str(folder / "manifests")]) == 0
    found = {}
    for path in sorted((folder / "manifests").glob("*.yaml")):
        for _, value in read_documents(str(path), None, []):
            found.setdefault(PLURALS[value["kind"]], []).append(value)
    return found


@pytest.fixture(scope="module")
def objects(tmp_path_factory):
    return recorded_objects(tmp_path_factory.mktemp("source"), nodes=1200)


@pytest.fixture
def cluster(objects, tmp_path, monkeypatch):
    server = ApiServer(objects)
    config = {
        "apiVersion": "v1", "kind": "Config", "current-context": "shop",
        "clusters": [{"name": "shop", "cluster": {"server": server.url}}],
        "users": [{"name": "ann", "user": {}}],
        "contexts": [{"name": "shop", "context": {"cluster": "shop", "user": "ann"}}],
    }  # fmt: skip
    (tmp_path / "kubeconfig").write_text(json.dumps(config))
    monkeypatch.setenv("KUBECONFIG", str(tmp_path / "kubeconfig"))
    monkeypatch.setenv("HOME", str(tmp_path))  # kubectl keeps what it discovered there
    yield server
    server.close()


def imported(tmp_path, *options):
    path = tmp_path / "plan.headroom"
    code = cli.main(["import", "--from-cluster", "-o", str(path), *options])
    return code, load_plan(path) if code == 0 else None


def test_a_cluster_is_read_in_pages_and_its_dump_gives_the_same_plan(cluster, tmp_path, capsys):
    code, plan = imported(tmp_path, "--dump", str(tmp_path / "dump"))
    assert code == 0
    assert sum(group.initial_size for group in plan.node_groups) == 1200
    assert {(item.namespace, item.name) for item in plan.workloads} == {("default", "shop"), ("office", "mail")}
    assert plan.horizontal_pod_autoscalers[0].max_replicas == 50
    assert len(cluster.lists_of("nodes")) == 3, "1200 nodes are three pages of 500"
    assert cluster.lists_of("secrets") == [] and cluster.lists_of("configmaps") == []
    assert {method for method, _ in cluster.requests} == {"GET"}
    shown = capsys.readouterr().err
    assert "kubectl get node --output=json --chunk-size=500" in shown
    assert cli.main(["import", str(tmp_path / "dump"), "-o", str(tmp_path / "again.headroom")]) == 0
    again = load_plan(tmp_path / "again.headroom")
    assert again.model_copy(update={"name": plan.name}) == plan


def test_a_page_that_is_gone_makes_the_list_be_read_in_one_piece(cluster, tmp_path):
    cluster.expired.append("nodes")
    code, plan = imported(tmp_path)
    assert code == 0
    assert sum(group.initial_size for group in plan.node_groups) == 1200
    assert "limit=500" not in cluster.lists_of("nodes")[-1]


def test_only_the_namespaces_that_are_named_are_read_and_what_a_role_does_not_show_is_listed(cluster, tmp_path, capsys):
    cluster.forbidden.append("poddisruptionbudgets")
    code, plan = imported(tmp_path, "--namespace", "office")
    assert code == 0
    assert [item.name for item in plan.workloads] == ["mail"]
    assert not [path for path in cluster.lists_of("pods") if "/namespaces/office/" not in path]
    assert "cannot list resource" in capsys.readouterr().err


def test_a_cluster_that_wants_a_login_is_refused(cluster, tmp_path, capsys):
    cluster.unauthorised = True
    assert imported(tmp_path)[0] == 2
    assert "Check the context, the login and the connection." in capsys.readouterr().err


def test_a_dry_run_prints_the_calls_and_asks_nothing(cluster, capsys):
    assert cli.main(["import", "--from-cluster", "--context", "shop", "--dry-run"]) == 0
    calls = capsys.readouterr().out.splitlines()
    assert all(call.startswith("kubectl get ") and "--context=shop" in call for call in calls)
    assert cluster.requests == []


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["import", "-o", "p.headroom"], "Give a PATH, or --from-cluster"),
        (["import", "--from-cluster", "x.yaml", "-o", "p.headroom"], "takes no PATH"),
        (["import", "x.yaml", "--namespace", "a", "-o", "p.headroom"], "go with --from-cluster"),
        (["import", "x.yaml"], "which plan file"),
    ],
)
def test_options_that_do_not_fit_are_refused(arguments, problem, capsys):
    assert cli.main(arguments) == 2
    assert problem in capsys.readouterr().err


def test_without_kubectl_a_dump_is_asked_for(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert imported(tmp_path)[0] == 2
    assert "The program is not installed" in capsys.readouterr().err
