"""A run that is copied and goes on is the run that was not copied."""

from pathlib import Path

import numpy as np
import pytest

from planner.engine.loop import never
from planner.kernels import switch
from planner.plan.files.io import load_plan
from planner.simulation.checkpoint import RunCheckpoint
from planner.simulation.run import run_plan
from planner.simulation.shared_start import SharedStart
from planner.units import US_PER_MIN

SCENARIOS = Path(__file__).parents[4] / "scenarios"


def ends(scenario, at_min, until_min):
    """Digests of a run, of one that was copied on the way, of its copy, and of a copy of that."""
    plan, until_us = load_plan(SCENARIOS / scenario / "plan.headroom"), until_min * US_PER_MIN
    straight = run_plan(plan, seed=1, until_us=until_us).digest()
    with SharedStart.of(plan, 1, until_us, never) as run:
        run.go_to(at_min * US_PER_MIN)
        copy = run.copy()
        copied_again = copy.copy()
        return [straight] + [each.finish().digest() for each in (run, copy, copied_again)]


@pytest.mark.parametrize(
    ("scenario", "at_min", "until_min"),
    [
        pytest.param("flash-sale", 6, 9, id="HPA and Cluster Autoscaler"),
        pytest.param("flash-sale-karpenter", 6, 9, id="Karpenter"),
        pytest.param("vpa-against-hpa", 6, 9, id="VPA"),
        pytest.param("keda-overnight", 6, 20, id="KEDA"),
        pytest.param("dead-node", 12, 14, id="a fault whose effects go on"),
        pytest.param("node-upgrade", 6, 8, id="drains under way"),
        pytest.param("memory-burst", 5, 8, id="memory pressure"),
    ],
)
def test_copies_end_as_the_run_that_was_not_copied(scenario, at_min, until_min):
    assert len(set(ends(scenario, at_min, until_min))) == 1


def test_copies_without_kernels_do_so_too(monkeypatch):
    monkeypatch.setenv(switch.VARIABLE, switch.OFF)
    assert len(set(ends("flash-sale", 6, 8))) == 1


class Columns:
    """Two views of one column, a reader of it, and a function that counts in it."""

    def __init__(self, outside):
        self.column = np.arange(24).reshape(4, 6)
        self.part, self.seen = self.column[1:3, ::2], self.column.view()
        self.seen.flags.writeable = False
        self.bytes = self.column.view(np.uint8)
        self.outside = outside
        total, nothing = 0, None

        def add(number):
            nonlocal total
            total += number
            assert nothing is None
            self.column[1, 0] += number
            return total

        self.add, self.again = add, self.read

    def read(self):
        return int(self.column[1, 0])


def test_views_functions_and_methods_of_a_copy_look_at_its_own_columns():
    outside = object()
    one = Columns(outside)
    one.add(1)
    kept = RunCheckpoint(one, (outside,))
    one.add(10)
    first = kept.copy()
    second = RunCheckpoint(kept.copy(), (outside,)).copy()
    assert (one.add(0), first.add(100), second.add(1000)) == (11, 101, 1001)
    assert (one.again(), first.again(), second.again()) == (17, 107, 1007)
    for each in (one, first, second):
        assert each.part[0, 0] == each.seen[1, 0] == each.column[1, 0]
        assert each.bytes.tobytes() == each.column.tobytes() and not each.seen.flags.writeable
        assert each.outside is outside
