"""Rows of the series show the same load with the kernels and without, to the last bit."""

import numpy as np
import pytest

from planner.kernels import switch
from planner.metrics.limits.limiting import Limiting
from planner.metrics.load_table import LoadTable
from planner.metrics.totals import Flows
from planner.units import US_PER_S
from planner.workloads.load.step.load_step import WorkloadSteps
from tests.builders import a_plan, a_workload

pytestmark = pytest.mark.skipif(bool(switch.why_missing()), reason=f"kernels are {switch.why_missing()}")
ROWS = np.array([5, 0, 2, 7])


def some(draws, *shape):
    """Numbers, some of them 0 and some nan."""
    found = draws.exponential(0.3, shape)
    found[draws.random(shape) < 0.2] = 0.0
    found[draws.random(shape) < 0.1] = np.nan
    return found


def with_and_without(monkeypatch, seen):
    """What `seen` says with the kernels and without."""
    found = []
    for state in ("on", switch.OFF):
        monkeypatch.setenv(switch.VARIABLE, state)
        found.append(seen(np.random.default_rng(3)))
    return found


def test_steps_and_flows_are_shown_alike(monkeypatch):
    def seen(draws):
        table, tables = LoadTable(9), []
        assert (table._put_steps is None) != switch.in_use()
        for _ in range(20):
            length = draws.integers(1, 60, len(ROWS)) * US_PER_S
            table.put(ROWS, length, WorkloadSteps(*some(draws, len(WorkloadSteps._fields), len(ROWS))))
            tables.append(table.values.tobytes())
            flows = Flows(len(ROWS))
            flows.table[:] = some(draws, *flows.table.shape)
            table.put_flows(ROWS, 15 * US_PER_S + 1, flows)
            shown = np.zeros((3, len(ROWS)))
            table.show(np.array([4, 0, 17]), draws.random(3), ROWS, shown)
            tables += [table.values.tobytes(), shown.tobytes()]
        return tables

    compiled, plain = with_and_without(monkeypatch, seen)
    assert compiled == plain


@pytest.mark.parametrize("calls", [(), ({"workload": "b", "per_request": 2.0},)], ids=["no calls", "calls"])
def test_limits_are_found_alike(monkeypatch, calls):
    pods = [{"requests": {"cpu": "500m"}, "limits": {"cpu": limit}} for limit in ("500m", "2", None, "1")]
    workloads = [
        a_workload(name=name, pod={"containers": [pod]}, calls=calls if name == "a" else ())
        for name, pod in zip("abcd", pods, strict=True)
    ]
    plan = a_plan(workloads=workloads)

    def seen(draws):
        limiting, table, found = Limiting(plan, plan.workloads), LoadTable(4), []
        for _ in range(200):
            table.values[:] = draws.exponential(3.0, table.values.shape) * (draws.random(table.values.shape) < 0.8)
            table.offered_rps[:] *= 40.0
            table.cpu_used_milli[:] *= 300.0
            table.throttled[:] *= 0.02
            limiting.show(table, np.arange(4), np.floor(draws.exponential(3.0, 4)).astype(np.int32))
            found += [table.busy.tobytes(), table.limited_by.tobytes()]
        assert len(set(found)) > 200
        return found

    compiled, plain = with_and_without(monkeypatch, seen)
    assert compiled == plain
