"""Decisions in two or three words."""

import pytest

from planner.record.decisions import Actor, Verdict
from planner.record.details.node_groups import NodeRemoval, NoScaleUp, ScaleUp
from planner.record.details.nodes import (
    DrainBegun,
    DrainEnded,
    EvictionRefused,
    NotAdmitted,
    OomKill,
    PressureChange,
    TaintEviction,
    ZoneDisruption,
)
from planner.record.details.replicas import Evaluation
from planner.record.details.scheduling import Nomination, Placement, Preempted, PreemptionCandidate
from planner.record.details.work import JobEnded, PlanEventEffect, RolloutEnded
from planner.record.text.headline import COMPONENTS, headline
from tests.planner.record.text.made_decisions import made


@pytest.mark.parametrize(("verdict", "details", "expected"), [
    (Verdict.BOUND, Placement(1), "bound to n-1"),
    (Verdict.NOMINATED, Nomination(PreemptionCandidate("n-1", ("web-0001",), 0, 0, 0, 0), 1), "preempts on n-1"),
    (Verdict.PREEMPTED, Preempted("web-0009", 100, 0), "preempted by web-0009"),
    (Verdict.SCALED, Evaluation("web", 3, 6), "rescale 3 → 6"),
    (Verdict.KEPT, Evaluation("web", 6, 6), "kept at 6"),
    (Verdict.NO_METRICS, Evaluation("web", 6, 6), "no metrics n-1"),
    (Verdict.TRIGGERED, ScaleUp(added=2, new_target=8), "scale-up 6 → 8"),
    (Verdict.NOT_TRIGGERED, NoScaleUp({}), "no pool can grow"),
    (Verdict.REMOVING, NodeRemoval(is_drain=True), "draining, to be removed"),
    (Verdict.REMOVING, NodeRemoval(is_drain=False), "removing empty node"),
    (Verdict.REMOVED, NodeRemoval(is_drain=False), "removed n-1"),
    (Verdict.NODE_READY, None, "node ready n-1"),
    (Verdict.EVICTED, TaintEviction((), 0.0), "evicted"),
    (Verdict.OOM_KILLED, OomKill(1, "memory limit of the container"), "OOM killed on n-1"),
    (Verdict.REFUSED, EvictionRefused(429, "drain", "web"), "eviction refused by web"),
    (Verdict.REFUSED, EvictionRefused(500, "drain", reason="two budgets"), "eviction refused"),
    (Verdict.REFUSED, NotAdmitted("OutOfcpu"), "rejected: OutOfcpu"),
    (Verdict.ZONE_STATE, ZoneDisruption("FullDisruption"), "zone FullDisruption"),
    (Verdict.PRESSURE, PressureChange(("MemoryPressure",)), "MemoryPressure"),
    (Verdict.PRESSURE_OVER, PressureChange(("MemoryPressure",)), "no MemoryPressure"),
    (Verdict.DRAINING, DrainBegun(2, "nodeUpgrade"), "draining (nodeUpgrade)"),
    (Verdict.FAILED, DrainEnded(0, 1, 5.0, "nodeUpgrade"), "drain gave up"),
    (Verdict.HAPPENED, PlanEventEffect("zoneOutage"), "zone outage"),
    (Verdict.ENDED, RolloutEnded(3, 5.0), "rollout finished"),
    (Verdict.FAILED, JobEnded(0, 1, 5.0, "BackoffLimitExceeded"), "failed n-1"),
])  # fmt: skip
def test_headlines(verdict, details, expected):
    assert headline(made(Actor.KUBELET, verdict, details, "web", "n-1")) == expected


def test_every_component_has_a_name():
    assert set(COMPONENTS) == set(Actor)
