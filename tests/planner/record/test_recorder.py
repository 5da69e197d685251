"""What the recorder keeps apart and what it counts."""

import pytest

from planner.record.decisions import Actor, Decision, Verdict
from planner.record.details.node_groups import ScaleUp
from planner.record.details.replicas import Evaluation, HpaCondition, ReplicaCalculation
from planner.record.recorder import ALONE_AT_ONCE, Recorder


def recorded(*decisions: Decision) -> Recorder:
    recorder = Recorder()
    for decision in decisions:
        recorder.decide(decision)
    return recorder


def grown(verdict: Verdict, time_us: int) -> Decision:
    return Decision(time_us, Actor.SCALE_UP, verdict, "general", details=ScaleUp(1, 2))


def kept(ratio: float, replicas: int = 3, **more) -> Decision:
    made = ReplicaCalculation(
        replicas, ratio, 0.1, round(ratio * 500), target=50, utilization_pct=round(ratio * 50), ready=3
    )
    return Decision(0, Actor.HPA, Verdict.KEPT, "web", details=Evaluation("web", 3, 3, "cpu", made, **more))


@pytest.mark.parametrize("verdict", [Verdict.NOT_TRIGGERED, Verdict.UNNEEDED, Verdict.UNSCHEDULABLE, Verdict.KEPT])
def test_a_finding_that_repeats_is_counted(verdict):
    (one,) = recorded(*(grown(verdict, time_us) for time_us in (0, 10, 20))).decisions
    assert (one.time_us, one.repeats) == (0, 2)


@pytest.mark.parametrize("verdict", [Verdict.TRIGGERED, Verdict.SCALED, Verdict.REMOVED, Verdict.EVICTED])
def test_equal_changes_of_the_cluster_are_each_kept(verdict):
    found = recorded(grown(verdict, 0), grown(verdict, 10)).decisions
    assert [(decision.time_us, decision.repeats) for decision in found] == [(0, 0), (10, 0)]


def test_an_autoscaler_that_keeps_its_size_for_the_same_reasons_is_one_decision_with_ranges():
    (one,) = recorded(kept(1.0), kept(1.04), kept(0.97, replicas=2), kept(1.0)).decisions
    assert one.repeats == 3
    assert (one.details.calculation.ratio, one.details.calculation.replicas) == (1.0, 3), "that of the first"
    assert (one.details.ratios, one.details.proposals) == ((0.97, 1.04), (2, 3))


def test_equal_evaluations_have_no_ranges():
    (one,) = recorded(kept(1.0), kept(1.0)).decisions
    assert (one.repeats, one.details.ratios, one.details.proposals) == (1, None, None)


@pytest.mark.parametrize("more", [
    {"held": "ScaleDownStabilized"}, {"limited": "TooManyReplicas"},
    {"conditions": (HpaCondition("ScalingLimited", True, "TooManyReplicas"),)},
])  # fmt: skip
def test_another_reason_to_keep_the_size_is_another_decision(more):
    assert len(recorded(kept(1.0), kept(1.0, **more)).decisions) == 2


def test_repeats_that_were_counted_elsewhere_widen_the_ranges():
    recorder = recorded(kept(1.0))
    recorder.repeat(Actor.HPA, "web", 5, ((0.9, 1.0), (3, 3)))
    (one,) = recorder.decisions
    assert (one.repeats, one.details.ratios, one.details.proposals) == (5, (0.9, 1.0), None)


def test_rows_that_were_repeated_are_handed_out_once():
    recorder = recorded(kept(1.0))
    assert recorder.take_repeats() == ()
    recorder.watch_repeats()
    for ratio in (1.0, 1.01):
        recorder.decide(kept(ratio))
    assert (recorder.take_repeats(), recorder.take_repeats()) == ((0,), ())


def row_decision(row):
    return Decision(row[0], Actor.SCHEDULER, Verdict.BOUND, f"web-{row[1]}", "node")


def test_rows_become_decisions_in_their_places_when_these_are_read():
    recorder, made = Recorder(), []

    def make(row):
        made.append(row)
        return row_decision(row)

    recorder.keep_row((5, 1), make)
    recorder.decide(grown(Verdict.NOT_TRIGGERED, 10))
    recorder.keep_row((20, 2), make)
    recorder.decide(grown(Verdict.NOT_TRIGGERED, 30))
    assert not made
    found = recorder.decisions
    assert [(one.subject, one.repeats) for one in found] == [("web-1", 0), ("general", 1), ("web-2", 0)]
    recorder.keep_row((40, 3), make)
    assert recorder.decisions[3].subject == "web-3" and made == [(5, 1), (20, 2), (40, 3)]


def test_rows_of_two_makers_become_what_each_of_them_makes():
    recorder = Recorder()
    recorder.keep_row((0, 1), row_decision)
    recorder.keep_row((0, 2), lambda row: row_decision(row)._replace(target="elsewhere"))
    assert [one.target for one in recorder.decisions] == ["node", "elsewhere"]


def test_findings_at_once_are_kept_as_one_after_the_other():
    found = [("web-1", ScaleUp(1, 2)), ("web-2", ScaleUp(1, 2)), ("web-1", ScaleUp(1, 3)), ("web-2", ScaleUp(1, 2))]
    at_once = Recorder()
    for time_us in (0, 10):
        at_once.find(time_us, Actor.SCALE_UP, Verdict.NOT_TRIGGERED, found)
    each = recorded(*(
        Decision(time_us, Actor.SCALE_UP, Verdict.NOT_TRIGGERED, subject, details=details)
        for time_us in (0, 10)
        for subject, details in found
    ))  # fmt: skip
    assert at_once.decisions == each.decisions
    assert [(one.subject, one.time_us, one.repeats) for one in each.decisions] == [
        ("web-1", 0, 0), ("web-2", 0, 3), ("web-1", 0, 0), ("web-1", 10, 0), ("web-1", 10, 0),
    ]  # fmt: skip


def test_what_is_found_again_counts_whatever_comes_between():
    same, other = ScaleUp(1, 2), ScaleUp(3, 4)
    at_once, in_turn = Recorder(), Recorder()
    for recorder in (at_once, in_turn):
        recorder.watch_repeats()
    taken = []
    for time_us, subjects in enumerate(("ab", "ab", "b", "ab", "a", "ba", "a")):
        details = other if time_us == 2 else same
        at_once.find(time_us, Actor.SCALE_UP, Verdict.NOT_TRIGGERED, [(name, details) for name in subjects])
        for name in subjects:
            in_turn.decide(Decision(time_us, Actor.SCALE_UP, Verdict.NOT_TRIGGERED, name, details=details))
        if time_us == 4:
            at_once.decide(Decision(time_us, Actor.SCALE_UP, Verdict.NOT_TRIGGERED, "a", details=ScaleUp(1, 2)))
            in_turn.decide(Decision(time_us, Actor.SCALE_UP, Verdict.NOT_TRIGGERED, "a", details=ScaleUp(1, 2)))
        if time_us in (3, 6):
            taken.append([[(row, each.decisions[row]) for row in each.take_repeats()] for each in (at_once, in_turn)])
    assert [first == second for first, second in taken] == [True, True]
    assert at_once.decisions == in_turn.decisions
    assert at_once.copy().decisions == in_turn.decisions


def alike(subjects, time_us=0, kind="web", details=None):
    """What the scheduler would find of pods of one template."""
    return time_us, Actor.SCHEDULER, Verdict.UNSCHEDULABLE, [(one, details or ScaleUp(1, 2), kind) for one in subjects]


PODS = [f"web-{number:04d}" for number in range(ALONE_AT_ONCE + 5)]


def test_of_very_many_findings_at_one_instant_those_that_are_alike_share_a_decision():
    recorder = Recorder()
    recorder.find_alike(*alike(PODS))
    recorder.find_alike(*alike(["api-0001", "api-0002"], kind="api"))
    recorder.find_alike(*alike(["web-9999"], time_us=10))
    *alone, web, api, later = recorder.decisions
    assert [one.subject for one in alone] == PODS[:ALONE_AT_ONCE] and not any(one.others for one in alone)
    assert (web.subject, web.others) == (PODS[ALONE_AT_ONCE], tuple(PODS[ALONE_AT_ONCE + 1 :]))
    assert (api.subject, api.others) == ("api-0001", ("api-0002",))
    assert (later.time_us, later.subject, later.others) == (10, "web-9999", ())


def test_who_shares_a_decision_does_not_depend_on_the_calls_that_bring_them():
    together, one_by_one = Recorder(), Recorder()
    for time_us in (0, 10):
        for names in (PODS, PODS[50:], ["web-9998", "web-9999"]):
            together.find_alike(*alike(names, time_us, details=ScaleUp(time_us, 2)))
            for name in names:
                one_by_one.find_alike(*alike([name], time_us, details=ScaleUp(time_us, 2)))
                assert one_by_one.decisions, "read in between"
    assert together.decisions == one_by_one.decisions == together.copy().decisions
    shared = [one for one in together.decisions if one.others]
    assert [len(one.others) for one in shared] == [6, 6] and shared[0].others is shared[1].others


def test_a_copy_made_in_the_middle_of_an_instant_goes_on_as_the_record_does():
    recorder = Recorder()
    recorder.find_alike(*alike(PODS))
    copied = recorder.copy()
    for one in (recorder, copied):
        one.find_alike(*alike(["web-9998", "web-9999"]))
    assert copied.decisions == recorder.decisions
    assert recorder.decisions[-1].others[-2:] == ("web-9998", "web-9999")


def test_what_is_found_again_of_those_who_share_a_decision_counts_for_it():
    recorder = Recorder()
    recorder.watch_repeats()
    recorder.find_alike(*alike(PODS))
    assert len(recorder.decisions) == ALONE_AT_ONCE + 1
    recorder.take_repeats()
    recorder.find_alike(*alike(PODS[-2:], time_us=10))
    assert recorder.decisions[-1].repeats == 2 and len(recorder.decisions[-1].others) == 4
    assert recorder.take_repeats() == (ALONE_AT_ONCE,)
