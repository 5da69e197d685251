"""What all tests share."""

import os
import signal
import tempfile
from collections import deque
from pathlib import Path

import pytest
from hypothesis import settings

import tests.packaging.without_never_used  # noqa: F401  before anything imports SciPy
from planner.language.translation import ENGLISH, use_language
from planner.simulation.simulation import Simulation
from planner.state.invariants import broken_invariants

# The same examples on every machine and in every run; slow machines must not fail a property.
settings.register_profile("headroom", derandomize=True, deadline=None)
settings.load_profile("headroom")

# A shell ignores Ctrl-C in what it starts in the background, nohup that the terminal goes, and programs under test
# would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)
if hasattr(signal, "SIGHUP"):
    signal.signal(signal.SIGHUP, signal.SIG_DFL)

KEPT_SIMULATIONS = 4


def pytest_addoption(parser):
    parser.addoption("--update-golden", action="store_true", help="rewrite golden figures and the conformance floor")


def pytest_xdist_auto_num_workers(config):
    """One more than there are processors: tests of the window wait for timers, files and other programs."""
    return (os.cpu_count() or 1) + 1


@pytest.fixture(scope="session")
def homes(tmp_path_factory):
    return tmp_path_factory.mktemp("homes")


@pytest.fixture(autouse=True)
def user_folders(homes, monkeypatch):
    """The user's data, settings and cache folders are never touched by a test."""
    home = Path(tempfile.mkdtemp(dir=homes))  # numbered folders would be counted again for every test
    for variable in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(variable, str(home))
    return home


@pytest.fixture(autouse=True)
def english(monkeypatch):
    """Texts are in English at the start of every test, on any machine."""
    for variable in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(variable, raising=False)
    use_language(ENGLISH)


@pytest.fixture(scope="session")
def latest_simulations():
    """The last few that were made, for `invariants_hold`; an older one is checked when it leaves the list."""
    latest: deque[Simulation] = deque()
    make = Simulation.__init__

    def make_and_keep(simulation, *arguments, **named):
        make(simulation, *arguments, **named)
        latest.append(simulation)
        if len(latest) > KEPT_SIMULATIONS:
            assert broken_invariants(latest.popleft().cluster) == []

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Simulation, "__init__", make_and_keep)
        yield latest


@pytest.fixture(autouse=True)
def invariants_hold(latest_simulations):
    """After every test the sums and references in the clusters that it simulated are true."""
    yield
    broken = [found for simulation in latest_simulations for found in broken_invariants(simulation.cluster)]
    latest_simulations.clear()
    assert broken == []
