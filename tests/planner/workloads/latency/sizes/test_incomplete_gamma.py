"""The compiled functions of scipy.special are loaded alone, and the package is whole for everybody else."""

import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).parents[5]
ALONE = """
import sys
from planner.workloads.latency.sizes.incomplete_gamma import incomplete_gamma
gamma = incomplete_gamma()
assert "numpy.f2py" not in sys.modules and "scipy.special" not in sys.modules
from scipy import special
import scipy.special
assert special is scipy.special and special.gammaincinv is gamma.gammaincinv
assert special.logsumexp([0.0]) == 0.0 and gamma.gammainc(1.0, 0.0) == 0.0
from scipy import stats
assert stats.norm.cdf(0.0) == 0.5
"""
FOUND_MEANWHILE = """
import importlib
import sys
found = []
class Watch:
    def find_spec(self, name, path=None, target=None):
        if name == "scipy.special._ufuncs":
            found.append(sys.modules["scipy.special"])
sys.meta_path.insert(0, Watch())
from planner.workloads.latency.sizes.incomplete_gamma import incomplete_gamma
incomplete_gamma()
assert found[0].logsumexp([0.0]) == 0.0
assert found[0].logsumexp is importlib.import_module("scipy.special").logsumexp
"""
ELSEWHERE = """
from planner.workloads.latency.sizes import incomplete_gamma
class Elsewhere:
    gammainc = staticmethod(lambda shape, size: 0.5)
def whole(name):
    if name == "scipy.special":
        return Elsewhere
    raise ImportError(name)
incomplete_gamma.importlib.import_module = whole
assert incomplete_gamma.incomplete_gamma().gammainc(1.0, 1.0) == 0.5
"""


def _run(program: str) -> None:
    done = subprocess.run([sys.executable, "-c", program], cwd=PROJECT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_only_the_compiled_functions_are_loaded_and_others_get_the_whole_package_later() -> None:
    _run(ALONE)


def test_who_finds_the_package_while_its_functions_are_loaded_gets_the_whole_one() -> None:
    _run(FOUND_MEANWHILE)


def test_another_version_of_scipy_that_keeps_them_elsewhere_is_loaded_whole() -> None:
    _run(ELSEWHERE)
