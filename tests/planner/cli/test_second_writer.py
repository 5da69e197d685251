"""Another program writes the plan while a command works on it."""

import pytest

from planner import api, cli
from planner.plan.files.io import load_plan, save_plan
from tests.builders import a_node_group, a_plan, a_workload

WORDS = {
    "preset": ["reference-timing"],
    "machine": ["pool", "m6i.large"],
    "machine --add": ["new", "m6i.large", "--add"],
    "trace": ["web", "trace.csv", "--unit", "requests/s"],
}


@pytest.fixture
def plan_path(tmp_path, monkeypatch):
    path = tmp_path / "plan.headroom"
    save_plan(a_plan(node_groups=(a_node_group("pool"),), workloads=(a_workload("web"),)), path)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "trace.csv").write_text("time,value\n0,1\n60,2\n")
    return path


@pytest.fixture
def meanwhile(monkeypatch):
    """Call this with what another program does just before the command writes."""

    def prepare(act):
        save = api.save_plan

        def save_later(*arguments, **named):
            act()
            return save(*arguments, **named)

        monkeypatch.setattr(api, "save_plan", save_later)

    return prepare


@pytest.mark.parametrize("name", WORDS)
def test_a_version_that_another_program_wrote_meanwhile_stays(plan_path, meanwhile, capsys, name):
    command, *options = [name.split()[0], str(plan_path), *WORDS[name]]
    meanwhile(lambda: save_plan(a_plan(name="Theirs"), plan_path))
    assert cli.main([command, *options]) == 2
    said = capsys.readouterr().err
    assert "changed by another program in the meantime; nothing was written. Run the command again." in said
    assert load_plan(plan_path).name == "Theirs"


def test_a_file_that_vanished_meanwhile_is_not_written_again(plan_path, meanwhile, capsys):
    meanwhile(plan_path.unlink)
    assert cli.main(["preset", str(plan_path), "reference-timing"]) == 2
    assert "was removed or renamed" in capsys.readouterr().err
    assert not plan_path.exists()


def test_another_spelling_of_the_same_file_is_the_same_file(plan_path, meanwhile):
    meanwhile(lambda: save_plan(a_plan(name="Theirs"), plan_path))
    (plan_path.parent / "link").symlink_to(plan_path)
    assert cli.main(["preset", str(plan_path), "reference-timing", "-o", "link"]) == 2
    assert load_plan(plan_path).name == "Theirs"
