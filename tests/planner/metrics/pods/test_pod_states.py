"""Every living pod is in one state: pending, starting, running or terminating."""

from typing import Any

import pytest

from planner.simulation.run import run_plan
from tests.planner.nodes.small_plan import a_group, a_plan, a_workload

STATES = ("pending", "starting", "running", "not_ready", "terminating")
SLOW = {"startupDelay": "25s", "readinessDelay": "20s", "terminationTime": "15s"}
SHRINK = {"type": "setReplicas", "workload": "web", "replicas": 1, "at": "65s"}


def _states_at(second: int, subject: str = "", **parts: Any) -> tuple[float, ...]:
    """Of a Deployment of four pods, for three of which there is room."""
    plan = a_plan(
        simulation={"duration": "2m", "seed": 1, "recordInterval": "10s", "warmStart": False},
        nodeGroups=[a_group("pool", 1, cpu="3")],
        workloads=[a_workload("web", 4, pod=SLOW)],
        events=[SHRINK],
        **parts,
    )
    series, row = run_plan(plan).series, second // 10
    assert series["pods_count"][row] == sum(
        series[f"pods_{state}_count"][row] for state in STATES if state != "not_ready"
    )
    return tuple(series[f"pods_{state}_count{subject}"][row] for state in STATES)


@pytest.mark.parametrize(
    ("second", "expected"),
    [
        pytest.param(20, (1, 3, 0, 0, 0), id="starting"),
        pytest.param(40, (1, 0, 3, 3, 0), id="running, not Ready yet"),
        pytest.param(60, (1, 0, 3, 0, 0), id="Ready"),
        pytest.param(70, (0, 0, 1, 0, 2), id="terminating"),
        pytest.param(90, (0, 0, 1, 0, 0), id="gone"),
    ],
)
def test_pods_are_pending_then_starting_then_running_then_terminating(second: int, expected: tuple[int, ...]) -> None:
    assert _states_at(second) == expected
    assert _states_at(second, "[web]") == expected


def test_pods_of_a_capacity_buffer_are_in_no_state() -> None:
    pod = {"containers": [{"requests": {"cpu": "1", "memory": "1Gi"}}]}
    buffer = {"name": "buffer", "replicas": 2, "capacityBuffer": True, "pod": pod}
    assert _states_at(60, overprovisioning=[buffer])[0] == 1
    assert _states_at(60, "[buffer]", overprovisioning=[buffer]) == (0, 0, 0, 0, 0)
