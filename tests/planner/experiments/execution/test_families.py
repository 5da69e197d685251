"""Runs that share their start with others are the same as runs of their own."""

import os
import threading

import pytest

from planner.experiments.execution import families as families_module
from planner.experiments.execution.families import families
from planner.experiments.runs import Runs
from planner.experiments.variants.runnable_plan import runnable_plan
from planner.plan.model.events.plan_change import PlanChangeEvent
from planner.plan.model.faults import NodeLoss
from planner.simulation.plan_events.moments import alike_until_us
from planner.units import US_PER_MIN
from tests.planner.experiments.small_plans import a_small_plan

LOSS = NodeLoss(type="nodeLoss", node_group="pool", at="1m", duration="1m")
EVENTS = {
    "none": (),
    "a fault": (NodeLoss(type="nodeLoss", node_group="pool", at="3m"),),
    "a scheduled change": (PlanChangeEvent(type="change", at="2m", changes=("nodeGroups[pool].minSize = 3",)),),
    "at random, after a common fault": (LOSS, NodeLoss(type="nodeLoss", node_group="pool", at="2m", per_hour=60.0)),
    "a common fault": (LOSS,),
}


@pytest.fixture
def alone(monkeypatch):
    """The threads of whatever runs the tests do not count: the copies need none of them."""
    monkeypatch.setattr(families_module, "can_branch", lambda: True)


def outcomes(*, shares_start, seeds=(1, 2)):
    plans = [runnable_plan(a_small_plan(events=events), name) for name, events in EVENTS.items()]
    runs = Runs(shares_start=shares_start)
    wanted = [(plan, seed) for seed in seeds for plan in plans]
    named = [(plan.name, seed) for plan, seed in wanted]
    return runs, dict(zip(named, runs.outcomes(wanted), strict=True))


def test_a_shared_start_changes_no_run(alone):
    shared, together = outcomes(shares_start=True)
    single, apart = outcomes(shares_start=False)
    assert together == apart
    assert len({one.digest for one in together.values()}) == len(together)
    assert shared.saved_us >= 2 * 5 * US_PER_MIN and single.saved_us == 0
    assert shared.made == single.made == len(together)


def test_a_copy_that_is_lost_is_made_up_for(alone, monkeypatch):
    _, apart = outcomes(shares_start=False, seeds=(1,))
    monkeypatch.setattr(families_module, "_rest", lambda *_: os._exit(1))
    runs, together = outcomes(shares_start=True, seeds=(1,))
    assert together == apart and runs.saved_us == 0


def test_a_process_with_other_threads_makes_every_run_by_itself():
    go_on = threading.Event()
    other = threading.Thread(target=go_on.wait)
    other.start()
    try:
        runs, found = outcomes(shares_start=True, seeds=(1,))
    finally:
        go_on.set()
        other.join()
    assert runs.saved_us == 0 and None not in found.values()


@pytest.mark.parametrize(
    ("a", "b", "minutes"),
    [
        ("none", "a fault", 3.0),
        ("a fault", "a scheduled change", 2.0),
        ("none", "a common fault", 1.0),
        ("a fault", "a fault", 5.0),
    ],
)
def test_plans_are_alike_until_the_first_event_that_only_one_of_them_has(a, b, minutes):
    plans = [a_small_plan(events=EVENTS[name]) for name in (a, b)]
    for one, other in (plans, plans[::-1]):
        assert alike_until_us(one, other, seed=1) // US_PER_MIN == minutes


def test_a_family_is_split_so_that_every_process_has_work():
    assert families(list("abcd"), [1, 1, 1, 1], lanes=2) == [[0, 1], [2, 3]]
    assert families(list("abcd"), [1, 2, 1, 2], lanes=1) == [[0, 2], [1, 3]]
