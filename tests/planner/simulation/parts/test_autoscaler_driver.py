"""When loops run: the rhythm, and the signals of pods that turn unschedulable."""

from types import SimpleNamespace
from typing import Any

import pytest

from planner.engine.loop import EventLoop
from planner.engine.phases import Phase
from planner.plan.model.autoscalers.cluster_autoscaler import ClusterAutoscalerSettings
from planner.simulation.parts.autoscaler_driver import AutoscalerDriver
from planner.simulation.ticks import AutoscalerLoop
from planner.state.cluster import Cluster
from planner.units import US_PER_S
from tests.planner.state.small_cluster import small_cluster


class _Mark:
    """A pod is marked unschedulable with this message."""

    def __init__(self, pod: int, message: str) -> None:
        self.pod, self.message = pod, message


def _loops(marks: list[tuple[int, int, str]], until_s: int, productive: tuple[int, ...] = ()) -> list[int]:
    """Seconds of the loops; `marks`: second, pod, message; loops at `productive` seconds scale up."""
    cluster: Cluster = small_cluster(nodes=0)
    events: Any = cluster.clock
    cluster.create_pods(0, 3)
    seconds: list[int] = []
    autoscaler = SimpleNamespace(last_scale_up_us=None, last_deletion_us=None, next_timer_us=lambda: None)

    def run_once(now_us: int) -> None:
        seconds.append(now_us // US_PER_S)
        if seconds[-1] in productive:
            autoscaler.last_scale_up_us = now_us

    autoscaler.run_once = run_once
    driver = AutoscalerDriver(cluster, events, autoscaler, ClusterAutoscalerSettings())
    driver.start()
    for at_s, pod, message in marks:
        events.push(at_s * US_PER_S, Phase.HPA, _Mark(pod, message))
    handlers = {
        AutoscalerLoop: driver.on_loop,
        _Mark: lambda mark: cluster.mark_unschedulable([mark.pod], [mark.message]),
    }
    EventLoop(events, handlers, lambda: None).run_until((until_s + 1) * US_PER_S - 1)
    return seconds


@pytest.mark.parametrize(
    ("marks", "productive", "expected"),
    [
        pytest.param([], (), [10, 21, 32], id="idle loops are a scan interval and a loop duration apart"),
        pytest.param([(15, 0, "a"), (15, 1, "a")], (), [10, 15, 26], id="the loop that a signal wakes consumes it"),
        pytest.param([(21, 0, "a")], (), [10, 21, 22, 33], id="a loop due anyway leaves the signals of its second"),
        pytest.param(
            [(12, 0, "a")], (10,), [10, 11, 12, 13, 24], id="so does one that follows a productive loop at once"
        ),
        pytest.param([(11, 0, "a")], (10,), [10, 11, 12, 23], id="an immediate loop consumes earlier signals"),
        pytest.param([(15, 0, "a"), (20, 0, "b")], (), [10, 15, 20, 31], id="a new message of a fresh mark signals"),
        pytest.param([(15, 0, "a"), (20, 0, "a")], (), [10, 15, 26], id="the same message again does not"),
        pytest.param([(15, 0, "a"), (25, 0, "b")], (), [10, 15, 25], id="a mark is fresh for ten seconds"),
        pytest.param([(14, 0, "a"), (25, 0, "b")], (), [10, 14, 25, 36], id="and then no more"),
    ],
)
def test_loops_and_signals(marks: list[tuple[int, int, str]], productive: tuple[int, ...], expected: list[int]) -> None:
    assert _loops(marks, expected[-1], productive) == expected
