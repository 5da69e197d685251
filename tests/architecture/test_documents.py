"""What the documents tell people to type or save works."""

import re

import pytest

from planner.plan.files.io import plan_from_text
from tests.architecture.sources import PROJECT

PLANS = re.findall(r"```json\n(.*?)```", (PROJECT / "README.md").read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize("text", PLANS)
def test_a_plan_in_the_readme_can_be_loaded(text):
    plan = plan_from_text(text, "README.md")
    assert plan.workloads and plan.node_groups


def test_the_targets_named_in_documents_exist():
    makefile = (PROJECT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^(\w+):", makefile, re.MULTILINE))
    for name in ("README.md", "CONTRIBUTING.md"):
        named = re.findall(r"^make (\w+)", (PROJECT / name).read_text(encoding="utf-8"), re.MULTILINE)
        assert named and targets.issuperset(named), name
