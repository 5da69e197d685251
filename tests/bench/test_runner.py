"""The bench runner itself; nothing is timed here."""

import json
from functools import partial

import pytest

from tests.bench import __main__ as command
from tests.bench import runner
from tests.bench.runner import BenchProblem, Case, Registry


def frames():
    return {"frame_p99_ms": 40.0, "frame_max_ms": 90.0}


REGISTRY = Registry(
    cases=(Case(("place",), lambda: {"place": 1234567.0}), Case(("frame_p99_ms", "frame_max_ms"), frames)),
    units={"place": "pods/s", "frame_p99_ms": "ms", "frame_max_ms": "ms"},
)


@pytest.fixture(autouse=True)
def made_up_cases(monkeypatch):
    monkeypatch.setattr(command, "load_registry", lambda: REGISTRY)
    monkeypatch.setattr(command, "proxy_s", lambda: 1.5)
    monkeypatch.setattr(runner, "_run_in_child", runner.run_here)
    monkeypatch.setattr(runner, "peak_mib", lambda: 12.0)


def test_all_figures_are_printed_one_a_line(capsys):
    assert command.main([]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "place 1234567 pods/s",
        "place_peak_mib 12 MiB",
        "frame_p99_ms 40 ms",
        "frame_max_ms 90 ms",
        "frame_p99_ms_peak_mib 12 MiB",
        "proxy_s 1.5 s",
    ]


@pytest.mark.parametrize("figure", ["frame_max_ms", "frame_p99_ms", "frame_p99_ms_peak_mib"])
def test_only_runs_the_case_of_the_figure_and_the_yardstick(figure, capsys):
    assert command.main(["--only", figure]) == 0
    names = [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    assert names == ["frame_p99_ms", "frame_max_ms", "frame_p99_ms_peak_mib", "proxy_s"]


def test_the_name_of_a_family_runs_all_its_figures(monkeypatch, capsys):
    kinds = tuple(Case((name,), partial(dict.fromkeys, (name,), 0.5)) for name in ("growth_nodes", "growth_time"))
    family = Registry(cases=(*REGISTRY.cases, *kinds), units={})
    monkeypatch.setattr(command, "load_registry", lambda: family)
    assert command.main(["--only", "growth"]) == 0
    names = [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    assert names == ["growth_nodes", "growth_nodes_peak_mib", "growth_time", "growth_time_peak_mib", "proxy_s"]


def test_an_unknown_figure_ends_with_2_and_names_the_known_ones(capsys):
    assert command.main(["--only", "nothing"]) == 2
    assert "place" in capsys.readouterr().err


def test_json_is_one_object(capsys):
    assert command.main(["--only", "place", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["figures"] == {
        "place": {"value": 1234567.0, "unit": "pods/s"},
        "place_peak_mib": {"value": 12.0, "unit": "MiB"},
        "proxy_s": {"value": 1.5, "unit": "s"},
    }


def test_a_failing_case_ends_with_1_and_the_others_still_run(monkeypatch, capsys):
    def run(case):
        if case.name == "place":
            raise BenchProblem("the case 'place' failed")
        return runner.run_here(case)

    monkeypatch.setattr(runner, "_run_in_child", run)
    assert command.main([]) == 1
    shown = capsys.readouterr()
    assert "frame_max_ms 90 ms" in shown.out
    assert "'place' failed" in shown.err


@pytest.mark.parametrize("text", ["0", "many", "-1"])
def test_a_senseless_number_of_runs_is_refused(text, monkeypatch):
    monkeypatch.setenv(runner.RUNS_VARIABLE, text)
    assert command.main(["--only", "place"]) == 2


def test_a_figure_is_the_median_of_the_runs(monkeypatch):
    values = iter([3.0, 1.0, 2.0])
    monkeypatch.setattr(runner, "_run_in_child", lambda case: {"place": next(values)})
    assert dict(runner.medians(REGISTRY.cases[0], 3)) == {"place": 2.0}


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0000004, "0"),
        (0.05, "0.05"),
        (1.234567891, "1.23457"),
        (98765.4321, "98765.4"),
        (3e9, "3000000000"),
    ],
)
def test_numbers_are_plain_decimals(value, text):
    assert command.plain(value) == text


def test_every_case_of_the_project_has_a_unit():
    registry = runner.load_registry()
    assert [figure for case in registry.cases for figure in case.figures if figure not in registry.units] == []


def test_peak_memory_is_counted_in_mebibytes(monkeypatch):
    monkeypatch.undo()
    assert 5 < runner.peak_mib() < 100_000
