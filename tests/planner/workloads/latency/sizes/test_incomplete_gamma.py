"""The compiled functions of scipy.special are loaded alone, and the package is whole for everybody else."""

import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).parents[5]
ALONE = """
import sys
from planner.workloads.latency.sizes.incomplete_gamma import incomplete_gamma
gamma = incomplete_gamma()
assert "scipy" not in sys.modules and "scipy.special" not in sys.modules
from scipy import special
import scipy.special
assert special is scipy.special and special.gammaincinv is gamma.gammaincinv
assert special.logsumexp([0.0]) == 0.0 and gamma.gammainc(1.0, 0.0) == 0.0
from scipy import stats
assert stats.norm.cdf(0.0) == 0.5
"""
WHOLE_BEFORE = """
from scipy import special
from planner.workloads.latency.sizes.incomplete_gamma import incomplete_gamma
assert incomplete_gamma().gammaincinv is special.gammaincinv
"""
ELSEWHERE = """
from planner.workloads.latency.sizes import incomplete_gamma
incomplete_gamma._COMPILED = "scipy.special._another_name"
assert incomplete_gamma.incomplete_gamma().gammainc(1.0, 0.0) == 0.0
import scipy.special
assert incomplete_gamma.incomplete_gamma() is scipy.special
"""


def _run(program: str) -> None:
    done = subprocess.run([sys.executable, "-c", program], cwd=PROJECT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_only_the_compiled_functions_are_loaded_and_others_get_the_whole_package_later() -> None:
    _run(ALONE)


def test_who_has_loaded_the_whole_package_has_them_from_there() -> None:
    _run(WHOLE_BEFORE)


def test_another_version_of_scipy_that_keeps_them_elsewhere_is_loaded_whole() -> None:
    _run(ELSEWHERE)
