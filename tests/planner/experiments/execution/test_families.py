"""Runs that share their start with others are the same as runs of their own."""

import threading

import pytest

from planner.experiments.execution.families import families
from planner.experiments.runs import Runs
from planner.experiments.variants.runnable_plan import runnable_plan
from planner.plan.model.events.on_nodes import NodeLoss
from planner.plan.model.events.plan_change import PlanChangeEvent
from planner.simulation.plan_events.moments import alike_until_us
from planner.simulation.shared_start import SharedStart
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


def outcomes(*, shares_start, seeds=(1, 2)):
    plans = [runnable_plan(a_small_plan(events=events), name) for name, events in EVENTS.items()]
    runs = Runs(shares_start=shares_start)
    wanted = [(plan, seed) for seed in seeds for plan in plans]
    named = [(plan.name, seed) for plan, seed in wanted]
    return runs, dict(zip(named, runs.outcomes(wanted), strict=True))


def test_a_shared_start_changes_no_run():
    shared, together = outcomes(shares_start=True)
    single, apart = outcomes(shares_start=False)
    assert together == apart
    assert len({one.digest for one in together.values()}) == len(together)
    assert shared.saved_us >= 2 * 5 * US_PER_MIN and single.saved_us == 0
    assert shared.made == single.made == len(together)


def test_starts_are_shared_in_any_thread_beside_others():
    found = []
    threads = [threading.Thread(target=lambda: found.append(outcomes(shares_start=True, seeds=(1,)))) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    (first, together), (second, beside) = found
    assert first.saved_us == second.saved_us > 0
    assert together == beside and None not in together.values()


def test_a_copy_that_is_cancelled_has_no_outcome(monkeypatch):
    calls = []
    monkeypatch.setattr(SharedStart, "follow", lambda *_: calls.append(True))
    runs = Runs(cancelled=lambda: bool(calls))
    found = runs.outcomes([(runnable_plan(a_small_plan(events=events), name), 1) for name, events in EVENTS.items()])
    assert calls and set(found) == {None}


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
