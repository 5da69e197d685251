"""What the recorder keeps apart and what it counts."""

import pytest

from planner.record.decisions import Actor, Decision, Verdict
from planner.record.recorder import Recorder


def told(verdict: Verdict, times_us: tuple[int, ...], **more: object) -> Recorder:
    recorder = Recorder()
    for time_us in times_us:
        recorder.decide(Decision(time_us, Actor.SCALE_UP, verdict, "general", **more))  # type: ignore[arg-type]
    return recorder


@pytest.mark.parametrize("verdict", [Verdict.NOT_TRIGGERED, Verdict.UNNEEDED, Verdict.UNSCHEDULABLE, Verdict.KEPT])
def test_a_finding_that_repeats_is_counted(verdict):
    (kept,) = told(verdict, (0, 10, 20)).decisions
    assert (kept.time_us, kept.repeats) == (0, 2)


@pytest.mark.parametrize("verdict", [Verdict.TRIGGERED, Verdict.SCALED, Verdict.REMOVED, Verdict.EVICTED])
def test_equal_changes_of_the_cluster_each_stand_for_themselves(verdict):
    kept = told(verdict, (0, 10), figures={"nodes": 1.0}).decisions
    assert [(decision.time_us, decision.repeats) for decision in kept] == [(0, 0), (10, 0)]
