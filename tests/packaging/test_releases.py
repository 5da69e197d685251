"""What is pinned, and that version, lock and workflows agree with each other."""

import itertools
import re
import tomllib

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from planner import __version__
from tests.packaging.conftest import PROJECT

ABOUT = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))
LOCK = (PROJECT / "requirements.txt").read_text(encoding="utf-8")
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
SYSTEMS = ("linux", "win32", "darwin")
WORKFLOWS = sorted((PROJECT / ".github" / "workflows").glob("*.yml"))


def pins() -> list[Requirement]:
    """What the lock installs; each is followed by its hashes."""
    entries = re.findall(r"^([a-z][^\\\n]*) \\\n((?:    --hash=\S+(?: \\)?\n)+)", LOCK, re.MULTILINE)
    return [Requirement(text) for text, _ in entries]


def environment(python: str, system: str) -> dict[str, str]:
    return {"python_version": python, "python_full_version": f"{python}.0", "sys_platform": system, "extra": ""}


def test_every_line_of_the_lock_is_one_exact_version_with_hashes():
    lines = re.findall(r"^[a-z].*", LOCK, re.MULTILINE)
    assert len(pins()) == len(lines) > 0
    assert [str(pin) for pin in pins() if [each.operator for each in pin.specifier] != ["=="]] == []


def test_the_lock_names_no_place_to_fetch_from():
    assert "://" not in LOCK and "index-url" not in LOCK and "find-links" not in LOCK


@pytest.mark.parametrize(("python", "system"), list(itertools.product(PYTHONS, SYSTEMS)))
def test_the_lock_satisfies_the_project_everywhere(python, system):
    where = environment(python, system)
    wanted = [*ABOUT["project"]["dependencies"], *ABOUT["project"]["optional-dependencies"]["dev"],
              *ABOUT["build-system"]["requires"]]  # fmt: skip
    chosen = {canonicalize_name(pin.name): pin for pin in pins() if not pin.marker or pin.marker.evaluate(where)}
    for requirement in map(Requirement, wanted):
        if requirement.marker is None or requirement.marker.evaluate(where):
            pin = chosen[canonicalize_name(requirement.name)]
            (version,) = (each.version for each in pin.specifier)
            assert requirement.specifier.contains(version), f"{pin} for {requirement}: type make lock"


def test_the_changelog_begins_with_the_version():
    (newest, *_) = re.findall(r"^## (\S+)", (PROJECT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert newest == __version__


def test_the_workflows_use_exact_versions_of_actions():
    used = [action for path in WORKFLOWS for action in re.findall(r"uses: (\S+)", path.read_text(encoding="utf-8"))]
    assert used and [action for action in used if not re.search(r"@v\d+\.\d+\.\d+$", action)] == []


def test_make_test_runs_on_every_supported_python():
    workflow = yaml.safe_load((PROJECT / ".github" / "workflows" / "test.yml").read_text(encoding="utf-8"))
    assert tuple(workflow["jobs"]["test"]["strategy"]["matrix"]["python"]) == PYTHONS
    assert ABOUT["project"]["requires-python"] == f">={PYTHONS[0]}"
