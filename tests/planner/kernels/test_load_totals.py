"""Totals over load steps are the same with the kernel and without, to the last bit."""

import math

import numpy as np
import pytest

from planner.kernels import switch
from planner.metrics.totals import LoadTotals
from planner.plan.model.traffic import Slo
from planner.units import US_PER_S
from planner.workloads.load.step.load_step import WorkloadSteps

needs_kernels = pytest.mark.skipif(bool(switch.why_missing()), reason=f"kernels are {switch.why_missing()}")
SLOS = {
    4: Slo(target="200ms"),
    0: None,
    2: Slo(target="100ms", percentile=99, max_error_ratio=0.5),
    7: Slo(target="1s", percentile=50),
}


def steps_of(draws, count):
    """Steps of so many workloads: some idle, some without pods, some behind."""
    columns = draws.exponential(0.2, (len(WorkloadSteps._fields), count))
    steps = WorkloadSteps(*columns)
    steps.in_flight[draws.random(count) < 0.3] *= 1e3
    for column in (steps.offered, steps.in_flight):
        column[draws.random(count) < 0.3] = 0.0
    for column in (steps.p50_s, steps.p95_s, steps.p99_s):
        column[draws.random(count) < 0.2] = math.nan
    return steps


def totals_after_a_run(slos):
    """What is known after steps of all workloads and of some, and after rows of the series in between.

    Those of all are written over those before, as those of a run are.
    """
    draws, totals, seen = np.random.default_rng(1), LoadTotals(slos), []
    rows = np.array(totals.rows)
    of_all = steps_of(draws, len(rows))
    for number in range(1, 200):
        some = rows if number % 3 else rows[draws.random(len(rows)) < 0.5]
        if not len(some):
            continue
        length = np.full(len(some), 5 * US_PER_S)
        steps = steps_of(draws, len(some))
        if some is rows:
            for column, fresh in zip(of_all, steps, strict=True):
                column[:] = fresh
            steps = of_all
        totals.add(some, number * length - length, length, steps)
        seen.append(totals.slo_missed.tobytes())
        if number % 7 == 0:
            seen.append(totals.take_flows().table.tobytes())
    return seen, totals.of


@needs_kernels
@pytest.mark.parametrize("slos", [SLOS, dict.fromkeys(SLOS)], ids=["objectives", "none"])
def test_totals_are_the_same_to_the_last_bit(monkeypatch, slos):
    found = []
    for state in ("on", switch.OFF):
        monkeypatch.setenv(switch.VARIABLE, state)
        found.append(totals_after_a_run(slos))
    assert found[0] == found[1]
    assert any(total.waits.worst_us >= 0 for total in found[0][1].values())
