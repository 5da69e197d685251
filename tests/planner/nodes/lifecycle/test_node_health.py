"""The memory of the node lifecycle controller: which taints come and go, look by look."""

import pytest

from planner.nodes.lifecycle.node_health import HealthSettings, NodeHealth, NodeReport, ReadyStatus
from planner.units import US_PER_S

READY, NOT_READY, UNKNOWN = ReadyStatus.TRUE, ReadyStatus.FALSE, ReadyStatus.UNKNOWN


def a_look(health: NodeHealth, at_s: int, *statuses: ReadyStatus, heard_s: int | None = None, zone: str = "a") -> None:
    """The controller looks at nodes 0, 1, ... of one zone, last heard of at `heard_s` or just now."""
    heard_us = (at_s if heard_s is None else heard_s) * US_PER_S
    reports = [NodeReport(node, zone, status, heard_us) for node, status in enumerate(statuses)]
    health.look(at_s * US_PER_S, reports)


def tainted(health: NodeHealth, at_s: int, *statuses: ReadyStatus) -> list[int]:
    """Nodes whose turn in the queues comes then, with the statuses they have now."""
    return [node for node, _ in health.work_queues(at_s * US_PER_S, statuses.__getitem__)]


@pytest.mark.parametrize(
    ("at_first", "left"),
    [
        pytest.param(NOT_READY, {0: UNKNOWN}, id="the look that stops everything has just swapped the taint: it stays"),
        pytest.param(UNKNOWN, {}, id="the taint is older than the look: it goes"),
    ],
)
def test_when_everything_is_down_the_taints_that_the_look_found_go(
    at_first: ReadyStatus, left: dict[int, ReadyStatus]
) -> None:
    health = NodeHealth(HealthSettings())
    a_look(health, 0, at_first, READY)
    assert tainted(health, 0, at_first, READY) == [0]
    a_look(health, 60, at_first, READY, heard_s=0)
    assert health.taints == left


def test_a_node_that_wasted_its_turn_waits_again_if_it_was_ready_only_between_two_looks() -> None:
    health = NodeHealth(HealthSettings())
    a_look(health, 0, NOT_READY, NOT_READY, READY)
    assert tainted(health, 0, NOT_READY, NOT_READY, READY) == [0]
    assert tainted(health, 11, NOT_READY, READY, READY) == []
    a_look(health, 15, NOT_READY, NOT_READY, READY)
    assert tainted(health, 22, NOT_READY, NOT_READY, READY) == [1]


def test_a_zone_whose_nodes_have_all_gone_starts_anew_when_nodes_come_back() -> None:
    health = NodeHealth(HealthSettings())
    a_look(health, 0, NOT_READY, NOT_READY)
    assert tainted(health, 0, NOT_READY, NOT_READY) == [], "all is down: no taints"
    for node in (0, 1):
        health.forget(node)
    a_look(health, 5, READY, zone="b")
    a_look(health, 10, READY, NOT_READY)
    assert tainted(health, 10, READY, NOT_READY) == [1]
