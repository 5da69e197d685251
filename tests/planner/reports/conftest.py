"""Reports that many tests look at; each is made once."""

import pytest

from tests.planner.reports.made_reports import HOSTILE, a_busy_plan, run_and_report


@pytest.fixture(scope="session")
def busy():
    """Run and report of a plan that misses its SLO."""
    return run_and_report(a_busy_plan())


@pytest.fixture(scope="session")
def hostile():
    """Report of a plan whose free texts try to be something else."""
    return run_and_report(a_busy_plan(name=HOSTILE, notes=f"{HOSTILE}\n=cmd|' /C calc'!A0"))[1]
