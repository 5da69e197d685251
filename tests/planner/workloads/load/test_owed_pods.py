"""Services that are given their pods again only when these have changed do what they would do anyway."""

import numpy as np
import pytest

from planner.simulation.run import run_plan
from planner.workloads.cpu.running_pods import NOT_RUNNING, Moved
from planner.workloads.load.use.owed_pods import OwedPods
from tests.properties.random_plans import random_plan

ALL = np.arange(3)
SERVICE_OF_KIND = np.array([0, 1, -1])
CORES = np.array([4000, 4000])


def moved(before, after):
    one = np.zeros(1, np.int64)
    return Moved(one, one, np.array([before]), np.array([after]))


@pytest.fixture
def owed():
    """Three services, the last of which is always given its pods; all have them."""
    found = OwedPods(np.array([False, False, True]))
    found.note(None, SERVICE_OF_KIND, CORES)
    found.give(ALL, lasting=True)
    return found


@pytest.mark.parametrize(
    ("change", "cores", "services"),
    [
        pytest.param(None, CORES, [2], id="nothing"),
        pytest.param(moved(NOT_RUNNING, 0), CORES, [0, 2], id="a pod that begins"),
        pytest.param(moved(1, NOT_RUNNING), CORES, [1, 2], id="a pod that ends"),
        pytest.param(moved(NOT_RUNNING, 2), CORES, [2], id="a pod of no service"),
        pytest.param(None, np.array([4000, 4000, 8000]), [2], id="a new node"),
        pytest.param(None, np.array([4000, 2000]), [0, 1, 2], id="a node with less CPU"),
    ],
)
def test_services_are_owed_their_pods_when_something_about_them_has_changed(owed, change, cores, services):
    owed.note(change, SERVICE_OF_KIND, cores)
    assert owed.of(ALL).tolist() == services


def test_what_was_given_for_a_moment_only_is_owed_again(owed):
    owed.give(np.array([1]), lasting=False)
    assert owed.of(ALL).tolist() == [1, 2]


@pytest.mark.parametrize("number", range(0, 40, 10))
def test_giving_pods_again_changes_nothing(number, monkeypatch):
    plan = random_plan(number)
    until_us = min(plan.simulation.duration, 300_000_000)
    seldom = run_plan(plan, until_us=until_us).digest()
    monkeypatch.setattr(OwedPods, "of", lambda owed, positions: positions)
    assert run_plan(plan, until_us=until_us).digest() == seldom
