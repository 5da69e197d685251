"""The entry point: who gets which words."""

import subprocess
import sys

import pytest

from planner import cli
from ui import launch


@pytest.fixture
def handed_over(monkeypatch):
    calls = []
    monkeypatch.setattr(cli, "main", lambda words: calls.append(words) or 7)
    return calls


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(["simulate", "a.headroom", "--seed", "2"], id="a subcommand with a plan"),
        pytest.param(["--help"], id="an option"),
        pytest.param(["simulat"], id="an unknown word, for the command line to refuse"),
    ],
)
def test_subcommands_go_to_the_command_line(words, handed_over):
    assert launch.main(words) == 7
    assert handed_over == [words]


@pytest.mark.parametrize(
    ("words", "named"),
    [
        pytest.param([], "simulate PLAN", id="nothing typed"),
        pytest.param(["my.headroom"], "simulate my.headroom", id="a plan file"),
        pytest.param(["plans/shop"], "simulate plans/shop", id="a path"),
    ],
)
def test_without_a_display_the_command_says_what_to_type(words, named, handed_over, capsys, monkeypatch):
    for variable in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(variable, raising=False)
    assert launch.main(words) == 2
    assert handed_over == []
    assert named in capsys.readouterr().err


@pytest.mark.parametrize(("words", "plan"), [([], None), (["my.headroom"], "my.headroom")])
def test_with_a_display_the_window_opens(words, plan, handed_over, monkeypatch):
    opened = []
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr("ui.app.run_window", lambda plan: opened.append(plan) or 0)
    assert launch.main(words) == 0
    assert (opened, handed_over) == ([plan], [])


def test_a_headless_call_does_not_load_qt():
    look = "print([name for name in sys.modules if 'PySide' in name])"
    code = f"import sys; from ui import launch; launch.main(['--help']); {look}"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert said.splitlines()[-1] == "[]"


def test_the_process_arguments_are_the_default(monkeypatch, handed_over):
    monkeypatch.setattr("sys.argv", ["headroom", "digest", "a.headroom"])
    assert launch.main() == 7
    assert handed_over == [["digest", "a.headroom"]]
