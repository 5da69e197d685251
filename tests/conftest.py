"""What all tests share."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import settings

# The same examples on every machine and in every run; slow machines must not fail a property.
settings.register_profile("headroom", derandomize=True, deadline=None)
settings.load_profile("headroom")


def pytest_addoption(parser):
    parser.addoption("--update-golden", action="store_true", help="write golden figures and the conformance floor anew")


@pytest.fixture(scope="session")
def homes(tmp_path_factory):
    return tmp_path_factory.mktemp("homes")


@pytest.fixture(autouse=True)
def user_folders(homes, monkeypatch):
    """The user's data, settings and cache folders are never touched by a test."""
    home = Path(tempfile.mkdtemp(dir=homes))  # numbered folders would be counted anew for every test
    for variable in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(variable, str(home))
    return home
