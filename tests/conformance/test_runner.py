"""The conformance runner itself: counting, exit codes, adapters that are missing or raise."""

import gzip
import json

import pytest

from tests.conformance import __main__ as command
from tests.conformance.runner import adapter_for, run_family
from tests.conformance.vectors import Family, find_families, read_cases


@pytest.fixture
def folder(tmp_path):
    area = tmp_path / "made-up"
    area.mkdir()
    cases = [{"id": f"odd-{n}", "family": "odd", "input": {"n": n}, "expect": n % 2} for n in range(4)]
    with gzip.open(area / "odd.jsonl.gz", "wt") as out:
        out.writelines(json.dumps(case) + "\n" for case in cases)
    return tmp_path


def is_odd(case):
    got = 0 if case["input"]["n"] == 3 else case["input"]["n"] % 2
    return got == case["expect"], got


def raises(case):
    raise RuntimeError("cannot translate")


def test_a_family_counts_what_agrees_and_keeps_what_does_not(folder):
    score = run_family(find_families(folder)[0], is_odd)
    assert (score.passed, score.total) == (3, 4)
    assert [(failure.case["id"], failure.got) for failure in score.failures] == [("odd-3", 0)]


def test_an_adapter_that_raises_fails_the_case_and_shows_where(folder):
    score = run_family(find_families(folder)[0], raises)
    assert (score.passed, score.total) == (0, 4)
    assert "cannot translate" in str(score.failures[0].got)


def test_a_family_without_adapter_fails_and_is_counted(folder):
    family = find_families(folder)[0]
    score = run_family(family, adapter_for(family))
    assert (score.passed, score.total) == (0, 4)
    assert "no adapter" in str(score.failures[0].got)


def test_a_row_of_the_queueing_table_is_a_case(tmp_path):
    path = tmp_path / "queueing" / "mmc.csv"
    path.parent.mkdir()
    path.write_text("c,rho,erlang_b,resp_mean_S\n1,0.5,0.3333,2\n")
    [family] = find_families(tmp_path)
    assert family == Family("queueing", "mmc", path)
    assert list(read_cases(family)) == [
        {
            "id": "mmc-1",
            "family": "mmc",
            "input": {"c": 1, "rho": 0.5},
            "expect": {"erlang_b": 0.3333, "resp_mean_S": 2.0},
        },
    ]


def test_the_last_line_is_the_total_and_failures_are_shown(folder, capsys):
    assert command.main([str(folder), "--show", "1"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[-2:] == ["made-up/odd 0/4", "conformance 0/4"]
    assert lines[0] == "--- made-up/odd odd-0"


def test_json_is_one_object(folder, capsys):
    assert command.main([str(folder), "--json"]) == 1
    answer = json.loads(capsys.readouterr().out)
    assert answer["families"] == {"made-up/odd": {"passed": 0, "total": 4}}
    assert (answer["passed"], answer["total"]) == (0, 4)


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(["--area", "nowhere"], id="unknown area"),
        pytest.param(["--family", "nothing"], id="unknown family"),
    ],
)
def test_what_is_not_there_ends_with_2_and_a_message(folder, words, capsys):
    assert command.main([str(folder), *words]) == 2
    assert "no cases" in capsys.readouterr().err


def test_a_missing_folder_ends_with_2(tmp_path, capsys):
    assert command.main([str(tmp_path / "none")]) == 2
    assert "no such folder" in capsys.readouterr().err


def test_a_folder_without_cases_ends_with_2(tmp_path):
    assert command.main([str(tmp_path)]) == 2


def test_a_truncated_file_ends_with_2(folder):
    path = folder / "made-up" / "odd.jsonl.gz"
    path.write_bytes(path.read_bytes()[:40])
    assert command.main([str(folder)]) == 2
