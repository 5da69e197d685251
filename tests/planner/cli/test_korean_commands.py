"""With `--lang ko` commands speak Korean, but for names, Kubernetes terms and what programs read."""

import json
import re
import shutil
from pathlib import Path

import pytest

from planner import cli

SCENARIOS = Path("scenarios").absolute()
_ENGLISH = re.compile(r"[A-Za-z]{2,}(?: [a-z]{2,})+")
_ALLOWED = re.compile(
    r"Flash sale|Example prices|headroom [a-z-]+|plan simulation|workloads\[\]\.[a-z]+ \w+|kubectl [a-z-]+(?: -o \w+)?"
    r"|[+-] \w+ \w+|No such file or directory"
)
"""Names of the plan, commands, paths of fields, and what the system says."""
COMMANDS = (
    ["validate", "PLAN"],
    ["simulate", "PLAN", "--until", "1m"],
    ["replicate", "PLAN", "--until", "1m", "--seeds", "2", "--jobs", "1"],
    ["compare", "PLAN", "OTHER", "--until", "1m", "--seeds", "2", "--jobs", "1"],
    ["vary", "PLAN", "--until", "1m", "--over", "nodeGroups[general].maxSize=10..11:1", "--seeds", "1", "--jobs", "1"],
    [
        "search",
        "PLAN",
        "--until",
        "1m",
        "--over",
        "nodeGroups[general].maxSize=10..11:1",
        "--seeds",
        "2",
        "--jobs",
        "1",
    ],
    ["grow", "PLAN", "--until", "1m", "--months", "2", "--seeds", "1", "--jobs", "1"],
    ["export", "PLAN", "-o", "FOLDER"],
    ["export", "PLAN", "-o", "FOLDER", "THEN", "import", "FOLDER", "-o", "IMPORTED"],
    ["import", "FOLDER", "-o", "IMPORTED"],
    ["simulate", "PLAN", "--seed", "y"],
    ["replicate"],
    ["replicat", "PLAN"],
    ["preset", "PLAN", "nope"],
    ["machine", "PLAN", "general", "zzz"],
    ["trace", "PLAN", "shop", "none.csv"],
    ["compare", "--help"],
    ["--help"],
)


@pytest.fixture
def words(tmp_path):
    places = {"PLAN": "flash-sale", "OTHER": "flash-sale-overprovisioned"}
    for name, scenario in places.items():
        shutil.copy(SCENARIOS / scenario / "plan.headroom", tmp_path / f"{name}.headroom")
    known = {name: str(tmp_path / f"{name}.headroom") for name in (*places, "IMPORTED")}
    return known | {"FOLDER": str(tmp_path / "manifests")}


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_no_line_holds_a_run_of_english_words(command, words, capsys):
    for part in " ".join(command).split(" THEN "):
        cli.main(["--lang", "ko", *(words.get(word, word) for word in part.split(" "))])
    said = "".join(capsys.readouterr())
    assert re.search("[가-힣]", said), said
    assert [found[0] for found in _ENGLISH.finditer(_ALLOWED.sub("", said))] == []


def test_what_programs_read_is_the_same_in_every_language(words, capsys):
    answers = []
    for code in ("en", "ko"):
        cli.main(["--lang", code, "replicate", words["PLAN"], "--until", "1m", "--seeds", "1", "--jobs", "1", "--json"])
        answers.append(json.loads(capsys.readouterr().out))
    assert answers[0] == answers[1]
