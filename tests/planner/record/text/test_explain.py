"""Sentences of decisions, in the words of Kubernetes."""

import typing

import pytest

from planner.record.decisions import Actor, Details, Verdict
from planner.record.details.node_groups import (
    Expendable,
    GroupProblem,
    NodeRemoval,
    NodeReview,
    PodMove,
    RejectedGroup,
    RemovalFailed,
    ScaleUp,
    ScaleUpEvent,
    TieBreak,
    WeighedOption,
)
from planner.record.details.nodes import DrainEnded, EvictionRefused, OomKill
from planner.record.details.replicas import Evaluation, ReplicaCalculation
from planner.record.details.scheduling import Placement, Unschedulable
from planner.record.details.work import JobEnded, PlanEventEffect
from planner.record.text.explain import why
from planner.record.text.headline import headline
from planner.record.text.reasoning import reasoning
from planner.units import MIB
from tests.planner.record.text.made_decisions import (
    CPU,
    DECISIONS,
    EVALUATED,
    FAILING,
    SCORED,
    WEIGHED,
    calculation,
    made,
)


def in_words(details, verdict, actor=Actor.SCHEDULER, subject="shop", target="blue-1", repeats=0):
    return why(made(actor, verdict, details, subject, target, repeats))


@pytest.mark.parametrize(("details", "text"), [
    (Unschedulable(7, {"node(s) had untolerated taint(s)": 3, "Insufficient cpu": 4}),
     "0/7 nodes are available: 3 node(s) had untolerated taint(s), 4 Insufficient cpu."),
    (Unschedulable(4, {"Insufficient memory": 4, "Insufficient cpu": 4}),
     "0/4 nodes are available: 4 Insufficient cpu, 4 Insufficient memory."),
    (Unschedulable(0, {}), "0/0 nodes are available."),
    (Unschedulable(2, {"x": 2}, {"No preemption victims found for incoming pod": 2}),
     "0/2 nodes are available: 2 x. preemption: 0/2 nodes are available: "
     "2 No preemption victims found for incoming pod."),
    (Unschedulable(2, {"x": 2}, no_preemption="not eligible due to preemptionPolicy=Never."),
     "0/2 nodes are available: 2 x. preemption: not eligible due to preemptionPolicy=Never."),
])  # fmt: skip
def test_a_refused_pod_has_the_message_of_kube_scheduler(details, text):
    assert in_words(details, Verdict.UNSCHEDULABLE) == text


@pytest.mark.parametrize(("details", "text"), [
    (SCORED, "Successfully assigned shop to blue-1, score 626, best of 4 feasible nodes, next blue-2 with 620 "
             "(Taints 300, Fit 326)"),
    (Placement(1), "Successfully assigned shop to blue-1, the only feasible node"),
    (Placement(3, ("Fit",), (5,), tied=2),
     "Successfully assigned shop to blue-1, score 5, best of 3 feasible nodes, 2 of them tied (Fit 5)"),
])  # fmt: skip
def test_a_placement_says_what_the_node_was_compared_with(details, text):
    assert in_words(details, Verdict.BOUND) == text


@pytest.mark.parametrize(("details", "verdict", "text"), [
    (Evaluation("shop", 6, 8, CPU, calculation(), reason=f"{CPU} above target", limited="ScaleUpLimit"), Verdict.SCALED,
     "New size: 8 (was 6); reason: cpu resource utilization (percentage of request) above target: "
     "94 % (470m a pod) against 70 %, ratio 1.3429, raw proposal 9; limited by the scale-up rate"),
    (Evaluation("shop", 8, 8, "q", ReplicaCalculation(4, 0.5, 0.1, 5000, 10000, is_total=True), stabilized=8,
                held="ScaleDownStabilized"), Verdict.KEPT,
     "Size kept at 8; q: 5 against 10, ratio 0.5, raw proposal 4; held by the scale-down stabilization window"),
    (Evaluation("shop", 42, 42, CPU, calculation(100, 60, 1.1, 42, first_ratio=1.6667)), Verdict.KEPT,
     "Size kept at 42; cpu resource utilization (percentage of request): 100 % (470m a pod) against 60 %, "
     "ratio 1.6667, 1.1 once pods that are not ready or have no sample are counted, raw proposal 42"),
    (Evaluation("shop", 3, 3, CPU, calculation(70, 70, 1.0, 3), ratios=(0.98, 1.02)), Verdict.KEPT,
     "Size kept at 3; cpu resource utilization (percentage of request): 70 % (470m a pod) against 70 %, "
     "ratio 1 (0.98 to 1.02 over the repeats), raw proposal 3"),
    (Evaluation("other", 3, 3), Verdict.KEPT, "Size kept at 3 (hpa other)"),
    (Evaluation("shop", 2, 2, reason="NoMetricsReturned"), Verdict.NO_METRICS,
     "failed to get cpu utilization: no metrics returned from resource metrics API; size stays 2"),
    (FAILING, Verdict.NO_METRICS, f"failed to get {CPU}: no pods match; size stays 2"),
])  # fmt: skip
def test_an_evaluation_states_use_ratio_proposal_and_limits(details, verdict, text):
    assert in_words(details, verdict, Actor.HPA) == text


@pytest.mark.parametrize(("number", "text"), [(1e-6, "ratio 0,"), (float("nan"), "ratio nan,"), (0.5, "ratio 0.5,")])
def test_figures_that_are_tiny_or_no_numbers_are_written(number, text):
    assert text in in_words(Evaluation("shop", 2, 2, "q", calculation(ratio=number)), Verdict.KEPT, Actor.HPA)


@pytest.mark.parametrize(("details", "verdict", "text"), [
    (WEIGHED, Verdict.TRIGGERED, "pod triggered scale-up: shop 3->5; for 4 pods; expander least-waste (0.5); "
     "options: blue: 2 nodes for 4 pods (least-waste 0.5); red: 1 node for 2 pods"),
    (GroupProblem(ScaleUpEvent.TIMED_OUT, 2), Verdict.FAILED,
     "ScaleUpTimedOut: 2 nodes of shop did not register in time"),
    (GroupProblem(ScaleUpEvent.REFUSED, 1, "no quota"), Verdict.FAILED,
     "FailedToScaleUpGroup: The cloud refused to add 1 node to shop: no quota"),
    (GroupProblem(ScaleUpEvent.DELETE_UNREGISTERED), Verdict.REMOVED,
     "DeleteUnregistered: Removed unregistered node shop"),
    (GroupProblem(ScaleUpEvent.DELETE_UNREGISTERED, in_backoff=False), Verdict.REMOVED,
     "DeleteUnregistered: Removed unregistered node shop; its pool is not in back-off and may be chosen again: an "
     "instance that is this late no longer counts as on its way, so the request had ended before it could time out"),
    (NodeReview(0.2, 0.5, wait_s=600.0), Verdict.UNNEEDED, "node is unneeded: its pods fit elsewhere, utilization 0.2 "
     "(threshold 0.5), may be removed once unneeded for more than 600 s"),
    (NodeReview(0.727, 0.5, reason="NotUnderutilized"), Verdict.NEEDED_AGAIN,
     "node is needed again: NotUnderutilized, utilization 0.727 (threshold 0.5)"),
    (NodeReview(0.2, 0.5, None, "BlockedByPod", "web-1", "NotEnoughPdb"), Verdict.UNREMOVABLE,
     "node cannot be removed: BlockedByPod: NotEnoughPdb (pod web-1), utilization 0.2 (threshold 0.5)"),
    (Expendable(-20, -10), Verdict.NOT_TRIGGERED, "pod didn't trigger scale-up: it is expendable, its priority -20 is "
     "below the cutoff -10 (expendablePodsPriorityCutoff)"),
    (ScaleUp(1, 3, 3, triggers=("web-1", "web-2"), tied=("a", "shop"), tie_break=TieBreak.DRAWN,
             rejected=(RejectedGroup("b", "max node group size reached"),)), Verdict.TRIGGERED,
     "pod triggered scale-up: shop 2->3; for 3 pods (web-1, web-2, and 1 more); expander random; drawn at random "
     "among a, shop; not considered: b (max node group size reached)"),
    (ScaleUp(1, 3, 1, options=(WeighedOption("shop", 1, 1),)), Verdict.TRIGGERED, "pod triggered scale-up: shop 2->3; "
     "for 1 pod; expander random; options: shop: 1 node for 1 pod"),
    (NodeRemoval(True, 605.0, (PodMove("web-1", "n-2"), PodMove("web-2"))), Verdict.REMOVING,
     "ScaleDown: removing node shop after evicting its pods, unneeded for 605 s; "
     "room was found for web-1 to n-2, web-2"),
    (NodeRemoval(is_drain=True, unneeded_s=605.0), Verdict.REMOVING,
     "ScaleDown: removing node shop after evicting its pods, unneeded for 605 s"),
    (NodeRemoval(is_drain=False), Verdict.REMOVED, "ScaleDownEmpty: empty node removed"),
    (RemovalFailed("EvictionRefused"), Verdict.FAILED, "ScaleDownFailed: a pod could not be evicted in time"),
])  # fmt: skip
def test_the_cluster_autoscaler_speaks_in_the_words_of_its_events(details, verdict, text):
    assert in_words(details, verdict, Actor.SCALE_DOWN) == text


@pytest.mark.parametrize(("details", "verdict", "text"), [
    (EvictionRefused(429, "kubectl drain", "web", 2, 2), Verdict.REFUSED,
     "Cannot evict pod as it would violate the pod's disruption budget web, which needs 2 healthy pods and has 2; "
     "requested by kubectl drain (code 429)"),
    (OomKill(MIB, "x", restart_wait_s=10.0), Verdict.OOM_KILLED, "OOMKilled on blue-1 at 1Mi: x; restarts after 10 s"),
    (OomKill(MIB, "x", restart_wait_s=0.0), Verdict.OOM_KILLED, "OOMKilled on blue-1 at 1Mi: x; restarts at once"),
    (OomKill(MIB, "x", "cache"), Verdict.OOM_KILLED, "Container cache OOMKilled on blue-1 at 1Mi: x; the pod fails"),
    (DrainEnded(1, 0, 5.0, "node upgrade"), Verdict.DRAINED, "Drained: 1 pod evicted in 5 s (node upgrade)"),
    (DrainEnded(3, 2, 60.0, "kubectl drain"), Verdict.FAILED,
     "Drain gave up after 60 s with 2 pods left, 3 evicted (kubectl drain)"),
    (JobEnded(5, 0, 210.0, "CompletionsReached"), Verdict.ENDED, "Job completed in 210 s: 5 pods succeeded, 0 failed"),
    (JobEnded(3, 1, 120.0, "DeadlineExceeded"), Verdict.FAILED,
     "Job has failed after 120 s with 1 failed pod, 3 succeeded: DeadlineExceeded"),
    (PlanEventEffect("zoneOutage", ("a", "b")), Verdict.HAPPENED, "Zone outage on a, b"),
    (PlanEventEffect("setReplicas", before=3, after=5), Verdict.HAPPENED, "Set replicas: 3 to 5"),
    (PlanEventEffect("nodeFailure", ("a",), ("c",)), Verdict.HAPPENED, "Node failure on a; there is no node c"),
])  # fmt: skip
def test_events_of_nodes_pods_and_work_are_described_with_their_numbers(details, verdict, text):
    assert in_words(details, verdict, Actor.KUBELET) == text


def test_repeats_are_counted_at_the_end():
    assert in_words(EVALUATED, Verdict.SCALED, Actor.HPA, repeats=1).endswith("(repeated 1 time)")
    assert in_words(EVALUATED, Verdict.SCALED, Actor.HPA, repeats=2).endswith("(repeated 2 times)")


def test_without_details_the_verdict_is_the_sentence():
    assert in_words(None, Verdict.BOUND, target="blue-1") == "Bound blue-1"


def test_every_kind_of_details_has_an_example():
    assert {type(one.details) for one in DECISIONS} == set(typing.get_args(Details))


@pytest.mark.parametrize("decision", DECISIONS, ids=lambda one: type(one.details).__name__)
def test_every_kind_of_decision_has_a_line_a_headline_and_whole_tables(decision):
    assert why(decision) and "\n" not in why(decision)
    assert 0 < len(headline(decision)) <= 40
    reasons = reasoning(decision)
    assert reasons.title == f"{decision.subject}: {headline(decision)}"
    assert reasons.grids, "something led to it"
    assert all(len(row) == len(grid.columns) for grid in reasons.grids for row in grid.rows)
