"""Help of every command, and the page of the documentation that lists them."""

import re
import subprocess
import sys
from pathlib import Path

import click
import pytest

from planner import cli
from planner.cli import exit_codes
from planner.cli.command_line import SHORT_HELP
from planner.cli.loading import command

SAMPLE = Path(__file__).parents[3] / "scenarios" / "flash-sale" / "plan.headroom"
PAGE = (Path(__file__).parents[3] / "docs" / "command-line.md").read_text(encoding="utf-8")
NAMES = list(SHORT_HELP)


@pytest.mark.parametrize("name", NAMES)
def test_every_command_explains_itself_and_all_its_options(name, capsys):
    assert cli.main([name, "--help"]) == 0
    out = capsys.readouterr().out
    assert out.startswith(f"Usage: headroom {name} ")
    assert command(name).name == name
    assert command(name).help.partition("\n")[0] == SHORT_HELP[name]
    for option in command(name).params:
        if isinstance(option, click.Option):
            assert option.help and option.help.endswith((".", ")")), option.name


@pytest.mark.parametrize("name", NAMES)
def test_the_documentation_lists_every_command(name):
    assert re.search(rf"^\| `headroom {name} ", PAGE, re.MULTILINE)


def test_the_help_lists_the_commands_in_the_order_of_their_use(capsys):
    assert cli.main(["--help"]) == 0
    out = capsys.readouterr().out
    places = [re.search(rf"^  {name} +\S", out, re.MULTILINE).start() for name in NAMES]
    assert places == sorted(places)


@pytest.mark.parametrize(
    ("words", "never"),
    [
        (["--help"], ("numpy", "pydantic", "planner.plan", "planner.api")),
        (["simulate", "--help"], ("planner.kube", "planner.experiments", "planner.simulation")),
        (["validate", str(SAMPLE)], ("planner.kube", "planner.experiments", "planner.simulation")),
        (["simulate", str(SAMPLE), "--until", "10s"], ("planner.kube", "planner.experiments")),
    ],
)
def test_a_command_loads_only_what_it_needs(words, never):
    code = "import sys; from ui.launch import main; main(sys.argv[1:]); print(*sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, check=True)
    loaded = done.stderr.splitlines()[-1].split()
    assert [name for name in loaded if name.startswith(never)] == []


def test_the_help_lists_every_exit_code(capsys):
    assert cli.main(["--help"]) == 0
    out = capsys.readouterr().out
    codes = [value for name, value in vars(exit_codes).items() if name.isupper() and isinstance(value, int)]
    assert len(codes) == 5
    for code in codes:
        assert re.search(rf"^ +{code}  +\w", out, re.MULTILINE)


@pytest.mark.parametrize("words", [["trace", "PLAN", "web", "t.csv"], ["machine", "PLAN", "pool", "m6i.large"],
                                   ["preset", "PLAN", "reference-timing"], ["headroom", "PLAN"]])  # fmt: skip
def test_every_command_puts_the_file_in_front_of_the_place(words, tmp_path, capsys):
    (tmp_path / "t.csv").write_text("time,rate\n0,1\n60,2\n")
    path = tmp_path / "bad.headroom"
    path.write_text('{"schemaVersion": 1, "workloads": [{"name": "web", "replicas": "x"}]}')
    known = {"PLAN": str(path), "t.csv": str(tmp_path / "t.csv")}
    assert cli.main([known.get(word, word) for word in words]) == 2
    assert capsys.readouterr().err.startswith(f"{path}: workloads[0].replicas: ")


def test_a_plan_in_the_place_of_a_command_is_answered_with_what_to_type(tmp_path, capsys):
    plan = str(tmp_path / "shop.headroom")
    assert cli.main([plan, "--seed", "7"]) == 2
    assert f"headroom simulate {plan}" in capsys.readouterr().err


def test_of_a_folder_a_plan_inside_is_named(tmp_path, capsys):
    (tmp_path / "shop.headroom").touch()
    assert cli.main(["validate", str(tmp_path)]) == 2
    assert str(tmp_path / "shop.headroom") in capsys.readouterr().err
