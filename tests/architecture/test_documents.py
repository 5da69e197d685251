"""Commands and files that the documents show work."""

import re

import pytest

from planner.plan.edits.presets import PRESETS
from planner.plan.files.io import plan_from_text
from tests.architecture.sources import PROJECT

DOCUMENTS = [
    path
    for pattern in ("*.md", "docs/**/*.md", "packaging/*.md", "scenarios/*/*.md")
    for path in sorted(PROJECT.glob(pattern))
]
PLANS = [
    pytest.param(text, id=f"{path.name}-{number}")
    for path in DOCUMENTS
    for number, text in enumerate(re.findall(r"```json\n(.*?)```", path.read_text(encoding="utf-8"), re.DOTALL))
]


@pytest.mark.parametrize("text", PLANS)
def test_a_plan_in_a_document_can_be_loaded(text):
    plan = plan_from_text(text, "document")
    assert plan.workloads and plan.node_groups


def test_the_page_on_plan_files_begins_with_a_whole_plan():
    assert any(param.id == "plan-files.md-0" for param in PLANS)


def test_the_first_screen_of_the_readme_has_a_picture_two_commands_and_three_things_to_try():
    text = (PROJECT / "README.md").read_text(encoding="utf-8")
    first = "\n".join(text.splitlines()[:30])
    assert "](docs/screenshots/" in first and "make run" in first and "make test" in first
    assert re.findall(r"^(\d)\. ", first, re.MULTILINE) == ["1", "2", "3"]


def test_every_shipped_scenario_is_described():
    page = (PROJECT / "docs" / "scenarios.md").read_text(encoding="utf-8")
    shipped = [path.parent.name for path in PROJECT.glob("scenarios/*/plan.headroom")]
    assert shipped and [name for name in shipped if f"`{name}`" not in page] == []


def test_every_preset_is_described():
    page = (PROJECT / "docs" / "plan-files.md").read_text(encoding="utf-8")
    assert [name for name in PRESETS if f"| `{name}` " not in page] == []


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.relative_to(PROJECT).as_posix())
def test_links_between_documents_lead_somewhere(path):
    targets = re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", path.read_text(encoding="utf-8"))
    assert [target for target in targets if not (path.parent / target).exists()] == []


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.relative_to(PROJECT).as_posix())
def test_the_files_that_a_document_names_exist(path):
    pattern = r"`((?:planner|ui|tests|resources|packaging|docs|scenarios)/[\w./-]*)`"
    named = re.findall(pattern, path.read_text(encoding="utf-8"))
    assert [name for name in named if not (PROJECT / name).exists()] == []


RULES = sorted((PROJECT / "docs" / "rules").glob("*.md"))


@pytest.mark.parametrize("path", RULES, ids=lambda path: path.name)
def test_the_modules_that_a_page_of_the_rules_names_exist(path):
    text = path.read_text(encoding="utf-8")
    homes = [PROJECT, *(PROJECT / home for home in re.findall(r"`(planner/\w+(?:/\w+)*)`", text))]
    named = re.findall(r"`(\w+(?:/\w+)*\.py)`", text)
    assert [name for name in named if not any((home / name).is_file() for home in homes)] == []
    assert named or path.name == "README.md"


def test_the_index_of_the_rules_names_every_page():
    index = (PROJECT / "docs" / "rules" / "README.md").read_text(encoding="utf-8")
    assert [path.name for path in RULES if f"]({path.name})" not in index] == ["README.md"]


def test_the_targets_named_in_documents_exist():
    makefile = (PROJECT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^(\w+):", makefile, re.MULTILINE))
    for name in ("README.md", "CONTRIBUTING.md"):
        named = re.findall(r"^make (\w+)", (PROJECT / name).read_text(encoding="utf-8"), re.MULTILINE)
        assert named and targets.issuperset(named), name
