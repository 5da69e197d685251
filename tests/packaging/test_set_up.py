"""Set-up: which system packages are asked for, from whom, and what `make run` does with and without a display."""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.packaging.conftest import MUST_INSTALL, PROJECT

DPKG = """#!/bin/sh
[ "$1" = "-s" ] || exit 1
case " $MISSING " in *" $2 "*) exit 1 ;; esac
echo "Status: install ok installed"
"""
APT_GET = """#!/bin/sh
echo "apt-get $*" >>"$CALLS"
[ "$1" = "update" ] || [ -z "$APT_FAILS" ]
"""
APT_CACHE = """#!/bin/sh
[ "$2" != "libglib2.0-0" ]
"""
ID = """#!/bin/sh
echo "$USER_NUMBER"
"""
HEADROOM = """#!/bin/sh
echo "headroom $*" >>"$CALLS"
"""


@dataclass
class FakeSystem:
    """A Debian that only notes what is asked of it."""

    folder: Path
    settings: dict[str, str]

    def run(self, *words: str, **settings: str) -> "subprocess.CompletedProcess[str]":
        kept = {key: value for key, value in os.environ.items()
                if key not in ("DISPLAY", "WAYLAND_DISPLAY", "MAKEFLAGS", MUST_INSTALL)}  # fmt: skip
        return subprocess.run(words, cwd=PROJECT, env=kept | self.settings | settings, capture_output=True, text=True)

    def packages(self, purpose: str, **settings: str) -> "subprocess.CompletedProcess[str]":
        return self.run("sh", "packaging/system_packages.sh", purpose, "python3", **settings)

    @property
    def calls(self) -> list[str]:
        noted = self.folder / "calls"
        return noted.read_text().splitlines() if noted.exists() else []


@pytest.fixture
def system(tmp_path) -> FakeSystem:
    tools = {"dpkg": DPKG, "apt-get": APT_GET, "apt-cache": APT_CACHE, "id": ID, "headroom": HEADROOM}
    for name, text in tools.items():
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o755)
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    settings = {"PATH": path, "CALLS": str(tmp_path / "calls"), "USER_NUMBER": "0", "MISSING": "", "APT_FAILS": ""}
    return FakeSystem(tmp_path, settings)


@pytest.mark.parametrize("purpose", ["window", "test", "package"])
def test_nothing_happens_when_nothing_is_missing(system, purpose):
    done = system.packages(purpose)
    assert (done.returncode, done.stderr, system.calls) == (0, "", [])


def test_root_gets_what_is_missing(system):
    assert system.packages("test", MISSING="xvfb libegl1").returncode == 0
    assert system.calls == ["apt-get update -q", "apt-get install -q -y --no-install-recommends libegl1 xvfb"]


def test_other_users_get_the_command_to_run(system):
    done = system.packages("window", MISSING="libegl1 fonts-noto-cjk", USER_NUMBER="1000")
    assert (done.returncode, system.calls) == (0, [])
    assert "sudo apt-get install -y --no-install-recommends libegl1 fonts-noto-cjk" in done.stderr


def test_a_package_with_two_names_is_requested_by_the_known_one(system):
    system.packages("window", MISSING="libglib2.0-0 libglib2.0-0t64")
    assert system.calls[-1].endswith(" libglib2.0-0t64")


def test_a_failing_apt_warns_and_stops_nothing(system):
    done = system.packages("window", MISSING="libegl1 libgl1", APT_FAILS="yes")
    assert done.returncode == 0
    assert "warning: apt-get could not install libegl1" in done.stderr
    assert [call.split()[-1] for call in system.calls[2:]] == ["libgl1", "libegl1"]


@pytest.mark.parametrize(("purpose", "setting", "asked"), [
    pytest.param("window", {}, [], id="a window needs no virtual display"),
    pytest.param("test", {}, ["xvfb"], id="tests do"),
    pytest.param("test", {MUST_INSTALL: "1"}, ["xvfb", "libglib2.0-bin", "chromium"], id="all of them need more"),
    pytest.param("package", {}, [], id="a build needs neither"),
])  # fmt: skip
def test_only_what_the_purpose_needs_is_required(system, purpose, setting, asked):
    system.packages(purpose, MISSING="xvfb libglib2.0-bin chromium", **setting)
    assert (system.calls[-1].split()[5:] if system.calls else []) == asked


def make_run(system, **settings):
    assert shutil.which("make")
    done = system.run("make", "--old-file=setup", "run", f"BIN={system.folder}", MISSING="libegl1", **settings)
    assert done.returncode == 0, done.stderr
    return done


def test_make_run_without_a_display_needs_no_system_package(system):
    done = make_run(system)
    assert system.calls == ["headroom simulate scenarios/flash-sale/plan.headroom --out out"]
    assert "No display" in done.stdout


@pytest.mark.parametrize("variable", ["DISPLAY", "WAYLAND_DISPLAY"])
def test_make_run_with_a_display_opens_the_window(system, variable):
    make_run(system, **{variable: ":9"})
    assert system.calls[-1] == "headroom scenarios/flash-sale/plan.headroom"
    assert "apt-get install -q -y --no-install-recommends libegl1" in system.calls


def test_a_compiler_is_installed_for_the_kernels_where_there_is_none(system):
    assert system.packages("kernels", MISSING="gcc libc6-dev").returncode == 0
    assert system.calls == ["apt-get update -q", "apt-get install -q -y --no-install-recommends gcc libc6-dev"]


def test_without_a_compiler_the_project_is_installed_without_kernels(tmp_path):
    """Building in a copy with one of the kernels, with a compiler that fails: it succeeds and leaves nothing."""
    kernels = [path.relative_to(PROJECT).as_posix() for path in (PROJECT / "planner" / "kernels").rglob("*.py")]
    kernels.append("planner/kernels/metrics/group_sums.pyx")
    for name in ("setup.py", "pyproject.toml", "README.md", "LICENSE", "planner/__init__.py", *kernels):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(PROJECT / name, tmp_path / name)
    command = [sys.executable, "setup.py", "build_ext", "--inplace"]
    done = subprocess.run(command, cwd=tmp_path, env=os.environ | {"CC": "false"}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert not list(tmp_path.glob("planner/kernels/*/*.so"))
    state = "from planner.kernels import switch; print(switch.in_words())"
    said = subprocess.run([sys.executable, "-c", state], cwd=tmp_path, capture_output=True, text=True)
    assert said.stdout == "compiled kernels not built: runs are the same, but slower\n"
