"""What is left out of the libraries of the packaged program is not missed, and says so if it ever is."""

import subprocess
import sys

import pytest

from tests.packaging.conftest import PROJECT

USES_OF_SCIPY = (
    "tests/planner/experiments/statistics",
    "tests/planner/measured/calibration/test_regression.py",
    "tests/planner/measured/calibration/test_retries.py",
    "tests/planner/workloads/latency/test_laws.py",
)
PATIENCE_S = 300


def without_never_used(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *words]
    return subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, timeout=PATIENCE_S)


def test_statistics_and_fits_need_nothing_that_is_left_out():
    settings = ("-q", "-p", "no:cacheprovider", "-p", "tests.packaging.without_never_used")
    done = without_never_used("-m", "pytest", *settings, *USES_OF_SCIPY)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    "use",
    [
        "from scipy.optimize import linprog; linprog([1.0], bounds=[(0, 1)])",
        "from scipy.interpolate import interp1d; interp1d([1, 2], [1, 2])",
        "import scipy.integrate; scipy.integrate.quad(abs, 0, 1)",
    ],
)
def test_what_is_left_out_refuses_to_be_used(use):
    done = without_never_used("-c", f"import tests.packaging.without_never_used\n{use}")
    assert done.returncode == 1 and "was built without this part" in done.stderr
