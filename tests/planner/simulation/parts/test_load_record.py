"""Rows of load in the time series, against the totals of the run."""

import numpy as np
import pytest

from planner.plan.model.plan import Plan
from planner.simulation.run import run_plan
from tests.planner.nodes.small_plan import a_plan, a_workload

ROW_S = 20.0


def bursts(**parts: object) -> Plan:
    """Two pods of a core each, which a burst of ten seconds in every minute overloads."""
    points = [{"at": f"{minute}m{second}s", "rate": rate} for minute in range(5) for second, rate in (
        (0, 40.0), (21, 40.0), (22, 400.0), (32, 400.0), (33, 40.0))]  # fmt: skip
    web = a_workload("web", 2, traffic={"profile": {"type": "points", "points": points}}, pod={
        "containers": [{"name": "main", "requests": {"cpu": "1"}, "limits": {"cpu": "1"}}]})  # fmt: skip
    web["demand"] = {"cpuSecondsPerRequest": 0.02, "queueLimit": 30, "timeout": "300ms", **parts}
    simulation = {"duration": "5m", "seed": 1, "recordInterval": "20s", "loadStep": "1s"}
    return a_plan(workloads=[web], simulation=simulation)


@pytest.mark.parametrize(
    ("series", "figure", "demand"),
    [
        ("lost_rps[web]", "requests_lost[web]", {}),
        ("rejected_rps[web]", "requests_rejected[web]", {"queueLimit": 5}),
        ("timed_out_rps[web]", "requests_timed_out[web]", {}),
        ("retried_rps[web]", "requests_retried[web]", {"retries": {"attempts": 1}}),
        ("cpu_throttled_ratio[web]", "cpu_throttled_time[web]", {"workers": 4, "discipline": "sharing"}),
    ],
)
def test_what_rows_show_as_a_rate_adds_up_to_the_total(series: str, figure: str, demand: dict[str, object]) -> None:
    result = run_plan(bursts(**demand))
    total = result.figures[figure].value
    assert total is not None and total > 1.0
    assert ROW_S * result.series[series].sum() == pytest.approx(total, rel=1e-9)


def test_requests_that_come_are_served_lost_or_still_there_in_every_row() -> None:
    series = run_plan(bursts()).series
    gone = series["served_rps[web]"] + series["lost_rps[web]"]
    more = np.diff(series["in_flight_count[web]"]) / ROW_S
    assert series["offered_rps[web]"][1:] == pytest.approx((gone[1:] + more).tolist(), rel=1e-9)
    ended = np.where(gone > 0.0, gone, 1.0)
    assert series["requests_lost_ratio[web]"] == pytest.approx((series["lost_rps[web]"] / ended).tolist())
