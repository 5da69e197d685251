import errno
import io
import json
import os
import signal
import subprocess
import sys

import numpy as np
import pytest

from planner import __version__, cli
from planner.errors import ResultFileError, RunStopped
from planner.kernels import switch
from planner.plan.files.io import save_plan
from planner.plan.model.events.on_control_plane import ControllerRestart
from planner.record.result import Figure, RunResult
from planner.record.series import SeriesStore
from planner.reports import folder
from planner.simulation import run as simulation_run
from planner.units import US_PER_H, US_PER_MIN
from tests.builders import a_node_group, a_plan


def a_result(**settings):
    given = {
        "plan_name": "Shop",
        "seed": 1,
        "until_us": US_PER_H,
        "time_us": np.array([0], dtype=np.int64),
        "series": SeriesStore.of({"pods_count": [2.0]}),
        "decisions": (),
        "figures": {"latency_p95": Figure(0.25, "s"), "unserved": Figure(float("nan"), "")},
    }
    return RunResult(**given | settings)


@pytest.fixture
def plan_path(tmp_path):
    path = tmp_path / "plan.headroom"
    save_plan(a_plan(), path)
    return str(path)


@pytest.fixture
def run(monkeypatch):
    """Stands in for the simulation: records its arguments and returns `run.result`."""

    class Run:
        result = a_result()
        arguments = None

        def __call__(self, plan, **arguments):
            self.arguments = arguments
            if isinstance(self.result, BaseException):
                raise self.result
            return self.result

    fake = Run()
    monkeypatch.setattr(simulation_run, "run_plan", fake)
    return fake


def test_simulate_prints_the_figures(run, plan_path, capsys):
    assert cli.main(["simulate", plan_path]) == 0
    out = capsys.readouterr().out
    assert "latency_p95" in out
    assert "0.2 s" in out


def test_json_is_one_object_and_nothing_else(run, plan_path, tmp_path, capsys):
    assert cli.main(["simulate", plan_path, "--json", "--out", str(tmp_path / "out")]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "digest": a_result().digest(),
        "seed": 1,
        "until_s": 3600.0,
        "figures": {"latency_p95": {"value": 0.25, "unit": "s"}, "unserved": {"value": None, "unit": ""}},
    }


def test_seed_and_until_stand_in_for_those_of_the_plan(run, plan_path):
    assert cli.main(["simulate", plan_path, "--seed", "7", "--until", "90m"]) == 0
    assert run.arguments["seed"] == 7
    assert run.arguments["until_us"] == 90 * US_PER_MIN


def test_out_writes_the_report_and_says_where(run, plan_path, tmp_path, capsys):
    assert cli.main(["simulate", plan_path, "--out", str(tmp_path / "a" / "b")]) == 0
    assert (tmp_path / "a" / "b" / "summary.csv").exists()
    assert str(tmp_path / "a" / "b") in capsys.readouterr().err


def test_digest_prints_one_line(run, plan_path, capsys):
    assert cli.main(["digest", plan_path]) == 0
    assert capsys.readouterr().out == a_result().digest() + "\n"


def test_a_missed_slo_matters_only_with_the_option(run, plan_path, capsys):
    run.result = a_result(slo_missed=("web",))
    assert cli.main(["simulate", plan_path]) == 0
    assert cli.main(["simulate", plan_path, "--slo"]) == 3
    assert "web" in capsys.readouterr().err
    run.result = a_result()
    assert cli.main(["simulate", plan_path, "--slo"]) == 0


def test_an_interrupted_run_leaves_its_report_and_exits_with_130(run, plan_path, tmp_path):
    run.result = a_result(stopped=RunStopped("0 h", "Cancelled.", "", cancelled=True), slo_missed=("web",))
    out = tmp_path / "out"
    assert cli.main(["simulate", plan_path, "--out", str(out), "--slo"]) == 130
    assert (out / "summary.csv").exists()


def test_ctrl_c_asks_the_run_to_end_and_a_second_one_breaks_it_off(monkeypatch, plan_path):
    def run_until_cancelled(_plan, *, cancelled, **_settings):
        assert not cancelled()
        signal.raise_signal(signal.SIGINT)
        assert cancelled()
        return a_result(stopped=RunStopped("0 h", "Cancelled.", "", cancelled=True))

    monkeypatch.setattr(simulation_run, "run_plan", run_until_cancelled)
    before = signal.getsignal(signal.SIGINT)
    assert cli.main(["simulate", plan_path]) == 130

    def break_off(_plan, **_settings):
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(simulation_run, "run_plan", break_off)
    assert cli.main(["digest", plan_path]) == 130
    assert signal.getsignal(signal.SIGINT) is before


@pytest.mark.parametrize(("name", "code"), [("SIGINT", 130), ("SIGTERM", 143), ("SIGHUP", 129)])
def test_a_signal_ends_the_run_and_what_was_finished_is_written(monkeypatch, plan_path, tmp_path, capfd, name, code):
    """The report is written once; a second signal leaves the folder as it was."""
    number, out = getattr(signal, name), tmp_path / "out"

    def run_until_cancelled(_plan, *, cancelled, **_settings):
        signal.raise_signal(number)
        assert cancelled()
        return a_result(stopped=RunStopped("at 5 s", "Cancelled.", "", cancelled=True))

    monkeypatch.setattr(simulation_run, "run_plan", run_until_cancelled)
    assert cli.main(["simulate", plan_path, "--out", str(out)]) == code
    shown = capfd.readouterr()
    assert "Ending the run" in shown.err and "latency_p95" in shown.out
    assert "stopped,at 5 s: Cancelled.," in (out / "summary.csv").read_text()

    def end_twice(_plan, **_settings):
        signal.raise_signal(number)
        signal.raise_signal(number)

    before = (out / "summary.csv").read_bytes()
    monkeypatch.setattr(simulation_run, "run_plan", end_twice)
    assert cli.main(["simulate", plan_path, "--out", str(out)]) == code
    assert (out / "summary.csv").read_bytes() == before
    assert "Traceback" not in capfd.readouterr().err


def test_a_signal_while_the_report_is_written_lets_it_finish(run, monkeypatch, plan_path, tmp_path):
    write_all = folder.write_all

    def signalled(result, folder):
        signal.raise_signal(signal.SIGTERM)
        return write_all(result, folder)

    monkeypatch.setattr(folder, "write_all", signalled)
    assert cli.main(["simulate", plan_path, "--out", str(tmp_path / "out")]) == 143
    assert (tmp_path / "out" / "summary.csv").exists()


def test_a_signal_outside_of_a_run_ends_the_command_at_once(monkeypatch, plan_path, capsys):
    monkeypatch.setattr("planner.api.check_before_run", lambda *_all: signal.raise_signal(signal.SIGTERM))
    assert cli.main(["validate", plan_path]) == 143
    assert capsys.readouterr().err == "Ended by SIGTERM.\n"


def test_an_ignored_signal_stays_ignored(monkeypatch, plan_path):
    def hang_up(_plan, **_settings):
        signal.raise_signal(signal.SIGHUP)
        return a_result()

    monkeypatch.setattr(simulation_run, "run_plan", hang_up)
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        assert cli.main(["digest", plan_path]) == 0
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)


def test_an_interrupted_digest_prints_none(run, plan_path, capsys):
    run.result = a_result(stopped=RunStopped("0 h", "Cancelled.", "", cancelled=True))
    assert cli.main(["digest", plan_path]) == 130
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("raised", [True, False])
def test_a_run_that_reaches_a_bound_is_bad_input(run, plan_path, capsys, raised):
    stopped = RunStopped("12 s", "Too many events.", "Use a longer interval.")
    run.result = stopped if raised else a_result(stopped=stopped)
    assert cli.main(["simulate", plan_path]) == 2
    assert "12 s: Too many events. Use a longer interval." in capsys.readouterr().err


def test_a_bug_is_shown_in_full_and_exits_with_1(run, plan_path, capsys):
    run.result = ZeroDivisionError("oops")
    assert cli.main(["simulate", plan_path]) == 1
    assert "Traceback" in capsys.readouterr().err


def test_a_report_that_cannot_be_written_costs_no_figures(run, plan_path, monkeypatch, tmp_path, capsys):
    def fail(*_arguments):
        raise ResultFileError("out/pods.csv", "No space left.", "Free some space.")

    monkeypatch.setattr(folder, "write_all", fail)
    assert cli.main(["simulate", plan_path, "--out", str(tmp_path / "out")]) == 2
    shown = capsys.readouterr()
    assert "out/pods.csv: No space left." in shown.err
    assert "latency_p95" in shown.out  # a full disk does not cost the figures too


def test_a_file_in_the_way_of_the_report_is_found_before_the_run(run, plan_path, capsys):
    assert cli.main(["simulate", plan_path, "--out", plan_path]) == 2
    assert run.arguments is None
    assert "Choose another folder" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["simulate", "validate", "digest"])
@pytest.mark.parametrize("content", ["", "{", "{}", '{"schemaVersion": 9}', '{"schemaVersion": 1, "nam": 1}', None])
def test_bad_files_exit_with_2_without_traceback(tmp_path, capsys, command, content):
    path = tmp_path / "bad.headroom"
    if content is not None:
        path.write_text(content)
    assert cli.main([command, str(path)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(str(path))
    assert "Traceback" not in err


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["fly"],
        ["simulate"],
        ["simulate", "PLAN", "--seed", "x"],
        ["simulate", "PLAN", "--seed", "-1"],
        ["simulate", "PLAN", "--until", "2"],
        ["simulate", "PLAN", "--until", "0s"],
        ["simulate", "PLAN", "--until", "9999d"],
        ["simulate", "PLAN", "--nonsense"],
        ["validate", "PLAN", "more"],
    ],
)
def test_usage_errors_exit_with_2(run, plan_path, capsys, arguments):
    assert cli.main([plan_path if word == "PLAN" else word for word in arguments]) == 2
    assert capsys.readouterr().err
    assert run.arguments is None


def test_problems_come_one_a_line_on_stderr(tmp_path, capsys):
    path = tmp_path / "plan.headroom"
    save_plan(a_plan(node_groups=(a_node_group(), a_node_group(min_size=9, max_size=8))), path)
    assert cli.main(["validate", str(path)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert [line.removeprefix(f"{path}: ").split(": ")[0] for line in err.splitlines()] == [
        "nodeGroups[1].name",
        "nodeGroups[1].minSize",
    ]


def test_hints_go_to_stdout_and_the_plan_is_good(tmp_path, capsys):
    path = tmp_path / "plan.headroom"
    save_plan(a_plan(node_groups=()), path)
    assert cli.main(["validate", str(path)]) == 0
    out, err = capsys.readouterr()
    assert "hint: nodeGroups: There are no node pools" in out
    assert err == ""


def test_control_characters_of_a_plan_do_not_reach_the_terminal(tmp_path, capsys):
    path = tmp_path / "plan.headroom"
    path.write_text('{"schemaVersion": 1, "nodeGroups": [{"labels": {"\\u001b[2J\\n": 1}}]}')
    assert cli.main(["validate", str(path)]) == 2
    err = capsys.readouterr().err
    assert "\x1b" not in err
    assert len(err.splitlines()) == 4


def test_help_is_no_error(capsys):
    assert cli.main(["--help"]) == 0
    assert "simulate" in capsys.readouterr().out


def test_a_time_out_of_bounds_is_reported_at_the_option(run, plan_path, capsys):
    assert cli.main(["simulate", plan_path, "--until", "367d"]) == 2
    assert capsys.readouterr().err == "--until: 367d is too large. The largest value allowed is 366d.\n"


def test_an_empty_name_of_the_report_folder_is_no_folder(run, plan_path, capsys):
    assert cli.main(["simulate", plan_path, "--out", ""]) == 2
    assert "the name is empty" in capsys.readouterr().err
    assert run.arguments is None


def test_a_run_too_large_for_the_memory_is_bad_input(run, plan_path, capsys):
    run.result = MemoryError()
    assert cli.main(["simulate", plan_path]) == 2
    assert "memory" in capsys.readouterr().err


@pytest.mark.parametrize("words", [["simulate", "PLAN"], ["validate", "PLAN"], ["digest", "PLAN"], ["--help"]])
def test_a_full_disk_on_the_output_is_reported_without_traceback(run, plan_path, monkeypatch, capsys, words):
    class Full(io.StringIO):
        def write(self, _text):
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(sys, "stdout", Full())
    assert cli.main([plan_path if word == "PLAN" else word for word in words]) == 2
    assert capsys.readouterr().err.endswith(
        "The output cannot be written (No space left on device). Free some space or redirect it.\n"
    )


@pytest.mark.parametrize("closed", ["stdout", "stderr"])
def test_closed_streams_are_no_error(run, plan_path, monkeypatch, closed):
    monkeypatch.setattr(sys, closed, None)
    assert cli.main(["simulate", plan_path]) == 0
    assert cli.main(["validate", plan_path]) == 0


def test_a_run_goes_on_when_its_progress_is_not_read(monkeypatch, plan_path, capsys):
    class Gone(io.StringIO):
        def write(self, _text):
            raise BrokenPipeError

    def run_with_progress(_plan, *, on_progress, **_settings):
        on_progress(US_PER_H, US_PER_H)
        return a_result()

    monkeypatch.setattr(simulation_run, "run_plan", run_with_progress)
    monkeypatch.setattr(sys, "stderr", Gone())
    assert cli.main(["simulate", plan_path]) == 0
    assert "latency_p95" in capsys.readouterr().out


def test_a_reader_that_has_seen_enough_is_no_error(plan_path):
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w") as output:
        command = [sys.executable, "-m", "ui.launch", "validate", plan_path]
        done = subprocess.run(command, stdout=output, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 0
    assert done.stderr == ""


def test_why_says_why_a_node_is_there_and_offers_the_nearest_name(plan_path, capsys):
    node = simulation_run.run_plan(a_plan(), until_us=US_PER_MIN).nodes[0]["node"]
    assert cli.main(["why", plan_path, f"{node}9", "--at", "1m"]) == 2
    assert f"No node or pod is called {node}9" in capsys.readouterr().err
    assert cli.main(["why", plan_path, node, "--at", "1m"]) == 0
    assert capsys.readouterr().out.strip()


@pytest.mark.parametrize("words", [["simulate", "--until", "5m"], ["why", "pool-0001", "--at", "5m"]])
def test_events_after_a_run_that_ends_early_are_no_problem(tmp_path, words, capsys):
    path = tmp_path / "plan.headroom"
    save_plan(
        a_plan(
            events=(ControllerRestart(type="controllerRestart", controller="clusterAutoscaler", at=10 * US_PER_MIN),)
        ),
        path,
    )
    command, *others = words
    assert cli.main([command, str(path), *others]) == 0
    assert capsys.readouterr().err.count("after the end of the run") == 0
    assert cli.main(["simulate", str(path), "--until", "0s"]) == 2


def test_version_says_whether_kernels_are_in_use(capsys, monkeypatch):
    monkeypatch.setenv(switch.VARIABLE, "on")
    assert cli.main(["--version"]) == 0
    assert capsys.readouterr().out == f"headroom {__version__}, {switch.in_words()}\n"


def test_no_kernels_runs_the_command_without_them(plan_path, capsys, monkeypatch):
    monkeypatch.setenv(switch.VARIABLE, "on")
    assert cli.main(["--no-kernels", "digest", plan_path]) == 0
    assert switch.why_not() == switch.SWITCHED_OFF
    without = capsys.readouterr().out
    monkeypatch.setenv(switch.VARIABLE, "on")
    assert cli.main(["digest", plan_path]) == 0
    assert capsys.readouterr().out == without
