"""headroom preset, and presets of a run."""

import pytest

from planner import cli
from planner.plan.edits.presets import PRESETS
from planner.plan.edits.reference_timing import with_reference_timing
from planner.plan.files.io import load_plan, save_plan
from planner.units import US_PER_MIN
from tests.builders import a_plan


@pytest.fixture
def plan_path(tmp_path):
    path = tmp_path / "plan.headroom"
    save_plan(a_plan(), path)
    return str(path)


@pytest.mark.parametrize("name", list(PRESETS))
def test_a_preset_is_written_into_the_plan(plan_path, tmp_path, name):
    new = str(tmp_path / "new.headroom")
    assert cli.main(["preset", plan_path, name, "-o", new]) == 0
    assert load_plan(new) == PRESETS[name].apply(load_plan(plan_path))


def test_what_a_preset_changes_is_listed_and_the_previous_file_kept(plan_path, tmp_path, capsys):
    assert cli.main(["preset", plan_path, "reference-timing"]) == 0
    shown = capsys.readouterr()
    assert "simulation warmStart true -> false" in shown.err
    assert "is kept as " in shown.out
    assert load_plan(f"{plan_path}~") == a_plan()


def test_a_preset_that_changes_nothing_leaves_the_file_alone(plan_path, tmp_path, capsys):
    assert cli.main(["preset", plan_path, "autoscaler-1.36"]) == 0
    assert "the preset changes nothing" in capsys.readouterr().out
    assert not (tmp_path / "plan.headroom~").exists()


def test_an_unknown_preset_is_answered_with_those_there_are(plan_path, capsys):
    assert cli.main(["preset", plan_path, "reference"]) == 2
    assert "reference-timing" in capsys.readouterr().err


def test_a_run_under_a_preset_equals_the_run_of_the_changed_plan(plan_path, tmp_path, capsys):
    new = str(tmp_path / "new.headroom")
    short = a_plan(simulation={"duration": "2m"})
    save_plan(short, plan_path)
    save_plan(with_reference_timing(short), new)
    digests = []
    for words in (["digest", plan_path, "--preset", "reference-timing"], ["digest", new], ["digest", plan_path]):
        assert cli.main(words) == 0
        digests.append(capsys.readouterr().out)
    assert digests[0] == digests[1] != digests[2]
    assert load_plan(plan_path).simulation.load_step != US_PER_MIN
