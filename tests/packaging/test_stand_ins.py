"""What is left out of the libraries of the packaged program is not missed, and says so if it ever is."""

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from tests.packaging.conftest import PROJECT
from tests.packaging.without_never_used import NEVER_USED


@pytest.mark.parametrize("name", sorted(NEVER_USED))
def test_the_tests_of_what_uses_a_library_run_without_what_is_left_out_of_it(name):
    assert Path(import_module(name).__file__).parent.name == "never_used"


@pytest.mark.parametrize(
    "use",
    [
        "from scipy.optimize import linprog; linprog([1.0], bounds=[(0, 1)])",
        "from scipy.interpolate import interp1d; interp1d([1, 2], [1, 2])",
        "import scipy.integrate; scipy.integrate.quad(abs, 0, 1)",
    ],
)
def test_what_is_left_out_refuses_to_be_used(use):
    command = [sys.executable, "-c", f"import tests.packaging.without_never_used\n{use}"]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1 and "was built without this part" in done.stderr
