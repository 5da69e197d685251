"""Decisions in two or three words."""

import pytest

from planner.record.decisions import Actor, Decision, Verdict
from planner.record.headline import COMPONENTS, headline


@pytest.mark.parametrize(("verdict", "facts", "expected"), [
    (Verdict.BOUND, {"target": "blue-0001"}, "bound to blue-0001"),
    (Verdict.NOMINATED, {"target": "blue-0001"}, "preempts on blue-0001"),
    (Verdict.PREEMPTED, {"details": {"preemptor": "web-0009"}}, "preempted by web-0009"),
    (Verdict.PREEMPTED, {}, "preempted"),
    (Verdict.SCALED, {"figures": {"current": 3.0, "desired": 6.0}}, "rescale 3 → 6"),
    (Verdict.SCALED, {}, "rescale"),
    (Verdict.KEPT, {"figures": {"desired": 6.0}}, "kept at 6"),
    (Verdict.KEPT, {}, "kept"),
    (Verdict.TRIGGERED, {"figures": {"delta": 2.0, "new_target": 8.0}}, "scale-up 6 → 8"),
    (Verdict.TRIGGERED, {}, "scale-up"),
    (Verdict.NOT_TRIGGERED, {}, "no pool can grow"),
    (Verdict.REMOVING, {"details": {"how": "drain"}}, "draining, to be removed"),
    (Verdict.REMOVING, {"details": {"how": "empty"}}, "removing empty node"),
    (Verdict.NODE_READY, {}, "node ready"),
    (Verdict.EVICTED, {"details": {"by": "drain"}}, "evicted by drain"),
    (Verdict.EVICTED, {}, "evicted"),
    (Verdict.REFUSED, {"details": {"budget": "web"}}, "eviction refused by web"),
    (Verdict.ZONE_STATE, {"details": {"state": "FullDisruption"}}, "zone FullDisruption"),
    (Verdict.PRESSURE, {"details": {"condition": "MemoryPressure"}}, "MemoryPressure"),
    (Verdict.PRESSURE_OVER, {"details": {"condition": "MemoryPressure"}}, "no MemoryPressure"),
    (Verdict.DRAINING, {"details": {"by": "nodeUpgrade"}}, "draining (nodeUpgrade)"),
    (Verdict.HAPPENED, {"details": {"what": "zoneOutage"}}, "zone outage"),
    (Verdict.ENDED, {"details": {"what": "rollout"}}, "rollout finished"),
    (Verdict.ENDED, {}, "finished"),
])  # fmt: skip
def test_headlines(verdict, facts, expected):
    assert headline(Decision(0, Actor.CLOUD, verdict, "web", **facts)) == expected


@pytest.mark.parametrize(("actor", "verdict", "details", "expected"), [
    (Actor.KUBELET, Verdict.REFUSED, {"reason": "OutOfcpu"}, "rejected: OutOfcpu"),
    (Actor.DRAIN, Verdict.FAILED, {}, "drain gave up"),
    (Actor.CLOUD, Verdict.FAILED, {}, "failed"),
])  # fmt: skip
def test_headlines_of_one_component(actor, verdict, details, expected):
    assert headline(Decision(0, actor, verdict, "web", details=details)) == expected


def test_every_component_has_a_name():
    assert set(COMPONENTS) == set(Actor)
