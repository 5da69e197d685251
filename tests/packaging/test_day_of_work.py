"""A user's day on an X server, with the program as the Debian package has it, or from source where it cannot be built.

`test_deb.py` has the same day with the package that apt has installed.
"""

import subprocess
import sys

import pytest

from tests import x_display
from tests.packaging.conftest import MUST_INSTALL, PROJECT, missing_tools, must_install
from tests.packaging.day_of_work import Day, work_a_day

MANIFESTS = PROJECT / "tests" / "data" / "manifests"


@pytest.fixture
def program(request, user, tmp_path) -> list[str]:
    if missing_tools("dpkg-deb", "objdump"):
        user["PYTHONPATH"] = str(PROJECT)
        return [sys.executable, "-m", "ui.launch"]
    package = request.getfixturevalue("package")
    subprocess.run(["dpkg-deb", "--extract", str(package), str(tmp_path / "root")], check=True)
    return [str(tmp_path / "root" / "opt" / "headroom" / "headroom")]


@pytest.mark.skipif(bool(x_display.missing_tools()), reason="needs Xvfb and xdotool")
@pytest.mark.skipif(must_install(), reason=f"{MUST_INSTALL} is set: the installed package has the same day")
def test_a_day_of_work(program, user, hand, log, tmp_path):
    day = Day(program, user, hand, log, tmp_path)
    try:
        work_a_day(day, MANIFESTS)
    finally:
        day.kill()
