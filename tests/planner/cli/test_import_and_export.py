"""headroom import and headroom export."""

import io
import json
import sys
from types import SimpleNamespace

import pytest
import yaml

from planner import cli
from planner.plan.files.io import load_plan, save_plan
from tests.builders import a_node_group, a_plan
from tests.planner.kube.manifests import SAMPLES, a_deployment, a_node


def test_import_writes_a_plan_and_lists_what_it_left_out(tmp_path, capsys):
    path = tmp_path / "cluster.headroom"
    assert cli.main(["import", str(SAMPLES), "-o", str(path)]) == 0
    shown = capsys.readouterr()
    assert shown.out == f"{path}: 3 node pools, 4 nodes, 8 workloads, 13 pods, 3 of them on their current nodes\n"
    assert "Left out:\n" in shown.err
    assert "  Secret: " in shown.err
    assert "hint: workloads have no load" in shown.err
    assert load_plan(path).workloads
    assert cli.main(["validate", str(path)]) == 0


def test_import_reads_standard_input(tmp_path, monkeypatch, capsys):
    path = tmp_path / "web.headroom"
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(json.dumps(a_deployment()).encode())))
    assert cli.main(["import", "-", "-o", str(path)]) == 0
    assert [workload.name for workload in load_plan(path).workloads] == ["web"]


def test_import_keeps_the_previous_file(tmp_path, capsys):
    path = tmp_path / "web.headroom"
    path.write_text("precious")
    manifest = tmp_path / "web.yaml"
    manifest.write_text(yaml.safe_dump(a_deployment()))
    assert cli.main(["import", str(manifest), "-o", str(path)]) == 0
    assert (tmp_path / "web.headroom~").read_text() == "precious"
    assert "is kept as " in capsys.readouterr().out


def test_import_places_the_pods_with_the_option(tmp_path, capsys):
    manifest = tmp_path / "all.yaml"
    big = a_deployment("big", containers=[{"name": "main", "resources": {"requests": {"cpu": "9"}}}])
    manifest.write_text(yaml.safe_dump_all([a_node("n1"), a_deployment(), big]))
    assert cli.main(["import", str(manifest), "-o", str(tmp_path / "p.headroom"), "--place"]) == 0
    out = capsys.readouterr().out
    assert "2 of 4 pods found a node" in out
    assert "2 of big: 0/1 nodes are available: 1 Insufficient cpu." in out


@pytest.mark.parametrize("text", ["kind: Pod\nspec:\n\t- x\n", "", "\0", "kind: Job\nspec: 1\n", "kind: Secret\n"])
def test_bad_input_ends_with_2_and_one_line_per_problem(tmp_path, capsys, text):
    manifest, path = tmp_path / "bad.yaml", tmp_path / "p.headroom"
    manifest.write_text(text)
    assert cli.main(["import", str(manifest), "-o", str(path)]) == 2
    shown = capsys.readouterr()
    assert shown.err.startswith(str(manifest))
    assert "Traceback" not in shown.err
    assert not path.exists()


def test_export_writes_manifests_that_import_again(tmp_path, capsys):
    plan = a_plan(node_groups=(a_node_group(initial_size=2, price_per_hour=0.2),))
    path, folder, back = tmp_path / "a.headroom", tmp_path / "out", tmp_path / "b.headroom"
    save_plan(plan, path)
    assert cli.main(["export", str(path), "-o", str(folder)]) == 0
    shown = capsys.readouterr()
    assert sorted(file.name for file in folder.iterdir()) == ["deployments.yaml", "nodes.yaml"]
    assert "nodeGroups[] pricePerHour: manifests cannot express it" in shown.err
    assert cli.main(["import", str(folder), "-o", str(back)]) == 0
    assert [(group.name, group.initial_size, group.max_size) for group in load_plan(back).node_groups] == [
        ("pool", 2, 10)
    ]  # fmt: skip


def test_export_points_at_files_of_an_earlier_export(tmp_path, capsys):
    path, folder = tmp_path / "a.headroom", tmp_path / "out"
    save_plan(a_plan(), path)
    folder.mkdir()
    (folder / "jobs.yaml").write_text("kind: Job")
    assert cli.main(["export", str(path), "-o", str(folder)]) == 0
    assert "jobs.yaml does not belong to this plan" in capsys.readouterr().err
    assert (folder / "jobs.yaml").exists()


def test_export_of_a_missing_plan_ends_with_2(tmp_path, capsys):
    assert cli.main(["export", str(tmp_path / "none.headroom"), "-o", str(tmp_path / "out")]) == 2
    assert "no such file" in capsys.readouterr().err
