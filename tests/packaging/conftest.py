"""The built program, a display for it, and the conditions under which it can be tested."""

import fcntl
import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import x_display
from tests.x_display import Hand

PROJECT = Path(__file__).resolve().parents[2]
MUST_INSTALL = "HEADROOM_TEST_INSTALL"
BUILD_PATIENCE_S = 500
PACKAGES = PROJECT / "build" / "test-packages" / os.environ.get("PYTEST_XDIST_WORKER", "alone")
"""A folder for each process that tests."""


def build(*words: str) -> None:
    """Run packaging/build.py, in turn when several processes test."""
    command = [sys.executable, "packaging/build.py", *words]
    (PROJECT / "build").mkdir(exist_ok=True)
    with (PROJECT / "build" / "turn").open("w") as turn:
        fcntl.flock(turn, fcntl.LOCK_EX)
        done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, timeout=BUILD_PATIENCE_S)
    assert done.returncode == 0, done.stdout + done.stderr


def must_install() -> bool:
    return os.environ.get(MUST_INSTALL, "") not in ("", "0")


def missing_tools(*tools: str) -> list[str]:
    """Which of these, and of what every build needs, is not installed."""
    missing = [tool for tool in tools if shutil.which(tool) is None]
    return missing if importlib.util.find_spec("PyInstaller") else [*missing, "PyInstaller"]


def needs(*tools: str) -> None:
    """Skip where something is missing on a developer's computer; fail where the packages have to be tested."""
    if missing := missing_tools(*tools):
        reason = f"not installed: {', '.join(missing)} (packaging/system_packages.sh test)"
        (pytest.fail if must_install() else pytest.skip)(reason)


@pytest.fixture(scope="session")
def frozen() -> Path:
    """The built program; built now unless it is up to date."""
    needs("objdump")
    build("frozen")
    return PROJECT / "dist" / "headroom" / "headroom"


@pytest.fixture(scope="session")
def package(frozen) -> Path:
    """The Debian package of the built program."""
    needs("dpkg-deb")
    build("deb", "--compression", "zstd", "--into", str(PACKAGES))
    (found,) = PACKAGES.glob("headroom_*.deb")
    return found


@pytest.fixture
def hand() -> Iterator[Hand]:
    """A separate display."""
    needs("Xvfb", "xdotool")
    with x_display.virtual_display() as display:
        yield Hand(display)


@pytest.fixture
def user(user_folders, tmp_path) -> dict[str, str]:
    """The environment of a user who has nothing of the project but the program."""
    kept = {key: value for key, value in os.environ.items() if key.startswith("XDG_") or key == "PATH"}
    return kept | {"HOME": str(tmp_path), "LANG": "C.UTF-8", "XDG_RUNTIME_DIR": str(tmp_path)}


@pytest.fixture
def log(user_folders) -> Path:
    """Where the program writes its log."""
    return Path(user_folders) / "headroom" / "log" / "headroom.log"


@pytest.fixture
def plan_copy(tmp_path) -> Path:
    """The sample plan under a name that is easily mistreated."""
    target = tmp_path / "내 계획" / "flash sale 세일.headroom"
    target.parent.mkdir()
    shutil.copyfile(PROJECT / "scenarios" / "flash-sale" / "plan.headroom", target)
    return target
