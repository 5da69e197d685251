"""Experiments from the command line."""

import contextlib
import csv
import json
import signal
import sqlite3
import subprocess
import sys

import pytest

from planner import cli
from planner.cli.experiments.progress import in_words
from planner.plan.files.io import load_plan, save_plan
from planner.plan.model.experiments.experiment import Compare
from planner.plan.model.experiments.vary import Vary
from tests.builders import a_node_group
from tests.planner.experiments.small_plans import LARGER, SAME, a_small_plan
from tests.x_display import wait_until

PATIENCE_S = 240


@pytest.fixture
def path(tmp_path):
    found = tmp_path / "shop.headroom"
    question = Compare(type="compare", name="worth it", seeds=3, variants=("larger",))
    save_plan(a_small_plan(variants=(LARGER, SAME), experiments=(question,)), found)
    return str(found)


def test_compare_prints_one_json_object_of_the_documented_shape(path, capsys):
    assert cli.main(["compare", path, "--variant", "larger", "--seeds", "3", "--jobs", "1", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["kind"] == "compare"
    cost = found["figures"]["cost"]
    assert set(cost["variants"]["larger"]) == {"mean", "low", "high", "n"}
    [one] = cost["differences"]
    assert (one["a"], one["b"], one["verdict"]) == ("as planned", "larger", "higher")
    assert one["low"] <= one["mean"] <= one["high"]
    assert found["firstParting"]["a"]["subject"]


def test_a_plan_and_a_copy_of_it_are_alike_in_every_figure(path, tmp_path, capsys):
    copy = tmp_path / "copy.headroom"
    copy.write_bytes((tmp_path / "shop.headroom").read_bytes())
    assert cli.main(["compare", path, str(copy), "--seeds", "2", "--jobs", "1", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    ends = [
        one[key]
        for figure in found["figures"].values()
        for one in figure["differences"]
        for key in ("mean", "low", "high")
    ]
    assert ends and set(ends) == {0.0}
    assert found["firstParting"] is None


def test_the_answer_comes_first_as_text_and_as_markdown_and_goes_into_a_folder(path, tmp_path, capsys):
    out = tmp_path / "out"
    assert cli.main(["experiment", path, "worth it", "--jobs", "1", "--out", str(out)]) == 0
    assert capsys.readouterr().out.startswith("larger against as planned, 3 seeds: cost is ")
    assert cli.main(["experiment", path, "worth it", "--jobs", "1", "--markdown"]) == 0
    text = capsys.readouterr().out
    assert "larger differs from as planned:\n- `pool minSize 0 -> 3`\n- `pool initialSize 1 -> 3`" in text
    assert "Decisions whose number differs most:\n- " in text
    assert "| memory_allocatable_peak | GiB |" in text
    assert "| Figure | Unit | as planned | larger | larger − as planned |" in text
    assert (out / "answer.md").read_text(encoding="utf-8") == text
    with (out / "answer.csv").open(encoding="utf-8", newline="") as file:
        rows = {(row["figure"], row["variant"]): row for row in csv.DictReader(file)}
    cost = json.loads((out / "answer.json").read_text(encoding="utf-8"))["figures"]["cost"]
    assert float(rows["cost", "larger"]["mean"]) == cost["variants"]["larger"]["mean"]
    assert float(rows["cost", "larger"]["difference_high"]) == cost["differences"][0]["high"]
    assert rows["cost", "as planned"]["difference"] == "" and rows["cost", "larger"]["verdict"] == "higher"
    assert json.loads((out / "answer.json").read_text(encoding="utf-8"))["seeds"] == [11, 12, 13]


def test_the_rate_of_growth_may_be_written_with_a_percent_sign(path, capsys):
    rates = []
    for text in ("30%", "30"):
        options = ["--rate", text, "--months", "1", "--seeds", "1", "--until", "10s", "--jobs", "1", "--json"]
        assert cli.main(["grow", path, *options]) == 0
        rates.append(json.loads(capsys.readouterr().out)["rate"])
    assert rates == [0.3, 0.3]
    assert cli.main(["grow", path, "--rate", "a third"]) == 2
    assert "not a valid float" in capsys.readouterr().err


def test_replicate_says_how_often_an_slo_is_broken(path, capsys):
    assert cli.main(["replicate", path, "--seeds", "4", "--jobs", "1"]) == 0
    text = capsys.readouterr().out
    assert "the SLO of shop is broken in" in text
    assert "The worst seed of as planned for the SLO of shop: headroom simulate PLAN --seed 1" in text


def test_runs_are_kept_beside_the_plan_and_not_made_again(path, tmp_path, capsys, monkeypatch):
    words = ["compare", path, "--variant", "larger", "--seeds", "3", "--jobs", "1", "--json"]
    assert cli.main(words) == 0
    first = capsys.readouterr().out
    assert (tmp_path / "shop.headroom-results").exists()
    monkeypatch.setattr("planner.experiments.execution.work.run_plan", None)
    assert cli.main(words) == 0
    assert capsys.readouterr().out == first


@pytest.mark.parametrize(("words", "message"), [
    (["--variant", "largr"], "Did you mean larger?"),
    (["--figure", "costs"], "Did you mean cost?"),
    (["--until-width", "none"], "is not a percentage"),
    (["--scheduler", "tcp://127.0.0.1:9"], "No Dask scheduler answers"),
    (["--json", "--markdown"], "exclude each other"),
])  # fmt: skip
def test_bad_input_is_named_with_its_cure(path, words, message, capsys, monkeypatch):
    monkeypatch.setattr("planner.experiments.execution.dask_cluster._CONNECT_S", 0.5)
    assert cli.main(["compare", path, "--seeds", "2", "--jobs", "1", *words]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(("seconds", "words"), [(0.2, "1 s"), (59.4, "59 s"), (200, "3 min"), (7_800, "2 h 10 min")])
def test_the_time_left_is_as_exact_as_it_matters(seconds, words):
    assert in_words(seconds) == words


def test_a_variant_is_made_of_typed_changes_or_of_another_plan(path, tmp_path, capsys):
    other = tmp_path / "other.headroom"
    save_plan(a_small_plan(name="Other", node_groups=(a_node_group(cpu="8", price_per_hour=1.0),)), other)
    assert cli.main(["variant", path, "eight", "--from", str(other)]) == 0
    assert "nodeGroups[pool].cpu" in capsys.readouterr().out
    assert cli.main(["variant", path, "eight", "nodeGroups[pool].cpu = 16"]) == 0
    assert [one.name for one in load_plan(path).variants] == ["larger", "same", "eight"]
    assert load_plan(path).variants[2].changes == ("nodeGroups[pool].cpu = 16",)
    assert cli.main(["variant", path, "wrong", "nodeGroups[pol].cpu = 16"]) == 2
    assert "Did you mean nodeGroups[pool].cpu?" in capsys.readouterr().err


def test_a_check_fails_with_3_where_a_condition_holds(path, tmp_path, capsys):
    dear = tmp_path / "dear.headroom"
    save_plan(a_small_plan(node_groups=(a_node_group(cpu="2", initial_size=1, max_size=5, price_per_hour=2.0),)), dear)
    words = ["check", path, str(dear), "--seeds", "2", "--jobs", "1"]
    assert cli.main([*words, "--fail-if", "cost>+150%"]) == 0
    assert "- `cost>+150%` does not hold:" in capsys.readouterr().out
    assert cli.main([*words, "--fail-if", "cost>+5%", "--fail-if", "cost>+150%"]) == 3
    out, err = capsys.readouterr()
    assert "| cost | USD |" in out and "- `pool pricePerHour 1.0 -> 2.0`" in out and "- `cost>+5%` holds:" in out
    assert "The check fails: cost>+5%" in err
    assert cli.main([*words, "--fail-if", "costs>+5%"]) == 2
    assert "Did you mean cost?" in capsys.readouterr().err


def test_stress_prints_a_table_with_the_answer_first(path, capsys):
    asked = ["stress", path, "--ordeal", "slowBoot", "--variant", "larger", "--seeds", "1", "--jobs", "1"]
    assert cli.main([*asked, "--until", "2m"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].endswith(".") and lines[2].startswith("Ordeal")
    assert [line.split("  ")[0] for line in lines[3:]] == ["as planned", "slow boot"]


def test_vary_prints_a_row_per_point(path, capsys):
    over = ["--over", "nodeGroups[pool].initialSize=1..2:1", "--over", "load=0.5,1"]
    asked = ["vary", path, *over, "--seeds", "1", "--jobs", "1", "--until", "1m"]
    assert cli.main([*asked, "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["points"]) == 4
    assert cli.main(asked) == 0
    assert len(capsys.readouterr().out.splitlines()) == 3 + 1 + 4  # the answer, a note, a blank line


def test_a_range_that_is_none_and_a_space_of_a_million_points_are_refused_before_any_run(path, capsys):
    assert cli.main(["vary", path, "--over", "load=1.."]) == 2
    assert "write low..high:step" in capsys.readouterr().err
    assert cli.main(["vary", path]) == 2
    assert "--over" in capsys.readouterr().err
    size = ["--over", "nodeGroups[pool].maxSize=1..1000:1", "--over", "load=1..1000:1"]
    assert cli.main(["vary", path, *size, "--until", "1m", "--jobs", "2"]) == 2
    text = capsys.readouterr().err
    assert text.startswith("This takes up to 5,000,000 runs. One is made first")
    assert "about" in text and "with 2 at a time" in text and "--yes" in text
    vast = Vary(type="vary", name="vast", over=("load = 1..1000:1", "nodeGroups[pool].maxSize = 1..1000:1"))
    save_plan(load_plan(path).model_copy(update={"experiments": (vast,)}), path)
    assert cli.main(["experiment", path, "vast", "--until", "1m"]) == 2
    assert "experiment vast: This takes up to 5,000,000 runs" in capsys.readouterr().err


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_keeps_what_is_finished_and_the_next_time_goes_on(path, tmp_path, jobs):
    words = [sys.executable, "-m", "ui.launch", "replicate", path, "--jobs", jobs, "--json"]
    program = subprocess.Popen([*words, "--seeds", "2000"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        wait_until(
            lambda: kept(tmp_path) >= 3, "three runs", alive=lambda: program.poll() is None, patience_s=PATIENCE_S
        )
        program.send_signal(signal.SIGINT)
        out, err = program.communicate(timeout=PATIENCE_S)
    finally:
        program.kill()
    assert program.returncode == 130, err
    assert "Ending the run and keeping what it has" in err and "Traceback" not in err
    found, finished = json.loads(out), kept(tmp_path)
    assert found["stopped"] and 3 <= len(found["seeds"]) <= finished < 2000
    assert cli.main([*words[3:], "--seeds", "3"]) == 0
    assert kept(tmp_path) == finished


def kept(folder):
    """How many runs are in the file of results."""
    path = folder / "shop.headroom-results"
    if not path.exists():
        return 0
    with contextlib.suppress(sqlite3.Error), contextlib.closing(sqlite3.connect(path)) as base:
        return base.execute("SELECT count(*) FROM outcomes").fetchone()[0]
    return 0


def test_search_prints_the_best_plan_first_and_refuses_what_is_no_constraint(path, capsys):
    over = ["--over", "nodeGroups[pool].initialSize=1,2"]
    bound = ["--subject-to", "nodes_peak>=2@0.9"]
    assert cli.main(["search", path, *over, *bound, "--seeds", "2", "--until", "30s", "--jobs", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("Cheapest of 2 plans is nodeGroups[pool].initialSize = 2: cost is ")
    assert cli.main(["search", path, *over, "--subject-to", "cost"]) == 2
    assert "write figure>=bound@share" in capsys.readouterr().err


def test_the_best_sizes_are_written_as_patches_and_the_answer_beside_them(path, tmp_path, capsys):
    out = tmp_path / "sizes"
    assert cli.main(["rightsize", path, "--workload", "shop", "--seeds", "1", "--jobs", "1", "-o", str(out)]) == 0
    printed = capsys.readouterr().out
    assert "Requests and use of containers" in printed and "HPA target moved" in printed
    best = json.loads((out / "answer.json").read_text(encoding="utf-8"))["best"]
    assert printed.startswith(best) and best != "as planned"
    assert "cpu:" in (out / "deployment-default-shop.yaml").read_text(encoding="utf-8")
    assert (out / "kustomization.yaml").exists()


def test_sizes_follow_measured_series(path, tmp_path, capsys):
    measured = tmp_path / "cpu.csv"
    rows = "".join(f"{1_772_323_200 + 60 * step},0.4\n" for step in range(60))
    measured.write_text(f"Time,shop\n{rows}", encoding="utf-8")
    options = ["--workload", "shop", "--measured", str(measured), "--seeds", "1", "--jobs", "1", "--json"]
    assert cli.main(["rightsize", path, *options]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["source"].startswith("cpu.csv, 2026-02-28T23:59:00Z/")
    assert {row["resource"] for row in answer["uses"]} == {"cpu"}
