"""Sentences of decisions, in the words of Kubernetes."""

import itertools

import pytest

from planner.record.decisions import Actor, Decision, Verdict
from planner.record.explain import why


def decision(actor, verdict, subject="shop-0001", **more):
    return Decision(0, actor, verdict, subject, **more)


@pytest.mark.parametrize(
    ("made", "text"),
    [
        pytest.param(
            decision(
                Actor.SCHEDULER,
                Verdict.UNSCHEDULABLE,
                refused={"node(s) had untolerated taint(s)": 3, "Insufficient cpu": 4},
            ),
            "0/7 nodes are available: 3 node(s) had untolerated taint(s), 4 Insufficient cpu.",
            id="the sum of the reasons counts the nodes when nobody said how many there are",
        ),
        pytest.param(
            decision(
                Actor.SCHEDULER,
                Verdict.UNSCHEDULABLE,
                refused={"Insufficient memory": 4, "Insufficient cpu": 4},
                figures={"nodes": 4},
            ),
            "0/4 nodes are available: 4 Insufficient cpu, 4 Insufficient memory.",
            id="a node may be refused for two reasons",
        ),
        pytest.param(decision(Actor.SCHEDULER, Verdict.UNSCHEDULABLE), "0/0 nodes are available.", id="no nodes"),
        pytest.param(
            decision(Actor.SCHEDULER, Verdict.BOUND, target="blue-0002", figures={"score": 351, "feasible": 5}),
            "Successfully assigned shop-0001 to blue-0002, score 351, best of 5 feasible nodes",
            id="bound",
        ),
        pytest.param(
            decision(Actor.SCHEDULER, Verdict.NOMINATED, target="blue-0002", figures={"victims": 1, "candidates": 3}),
            "Nominated to blue-0002 after preempting 1 pod of lower priority, best of 3 nodes where that helps",
            id="nominated",
        ),
        pytest.param(
            decision(Actor.SCHEDULER, Verdict.PREEMPTED, target="blue-0001", details={"preemptor": "shop-0004"}),
            "Preempted by pod shop-0004 on node blue-0001",
            id="preempted",
        ),
        pytest.param(
            decision(
                Actor.HPA,
                Verdict.SCALED,
                "shop",
                figures={
                    "current": 6,
                    "desired": 8,
                    "utilization_pct": 94,
                    "target_pct": 70,
                    "ratio": 94 / 70,
                    "proposal": 9,
                },
                details={"limited": "ScaleUpLimit"},
            ),
            "New size: 8 (was 6); reason: cpu resource utilization (percentage of request) above target: "
            "94 % against 70 %, ratio 1.3429, raw proposal 9; limited by the rate of scaling up",
            id="rescaled",
        ),
        pytest.param(
            decision(
                Actor.HPA,
                Verdict.KEPT,
                "shop",
                figures={"current": 8, "desired": 8, "ratio": 0.5, "proposal": 4},
                details={"held": "ScaleDownStabilized"},
            ),
            "Size kept at 8; ratio 0.5, raw proposal 4; held by the scale-down stabilization window",
            id="held by the stabilization window",
        ),
        pytest.param(
            decision(Actor.HPA, Verdict.NO_METRICS, "shop", figures={"current": 2}),
            "failed to get cpu utilization: no metrics returned from resource metrics API; size stays 2",
            id="no metrics",
        ),
        pytest.param(
            decision(
                Actor.SCALE_UP,
                Verdict.TRIGGERED,
                "blue",
                figures={"delta": 2, "new_target": 5, "pods": 4, "least-waste": 0.5},
                details={"expander": "least-waste", "options": "blue:2:4"},
            ),
            "pod triggered scale-up: blue 3->5; for 4 pods; expander least-waste (0.5); "
            "options: blue: 2 nodes for 4 pods",
            id="scale-up",
        ),
        pytest.param(
            decision(Actor.SCALE_UP, Verdict.FAILED, "blue", figures={"delta": 1}, details={"reason": "OutOfStock"}),
            "Failed to scale up blue by 1 node: OutOfStock",
            id="the cloud refuses",
        ),
        pytest.param(
            decision(Actor.SCALE_UP, Verdict.NOT_TRIGGERED, refused={"max node group size reached": 1}),
            "pod didn't trigger scale-up: 1 max node group size reached",
            id="no scale-up",
        ),
        pytest.param(
            decision(
                Actor.SCALE_DOWN,
                Verdict.UNREMOVABLE,
                "blue-0001",
                figures={"utilization": 0.727},
                details={"reason": "NotUnderutilized"},
            ),
            "node cannot be removed: NotUnderutilized, utilization 0.727",
            id="unremovable",
        ),
        pytest.param(
            decision(
                Actor.SCALE_DOWN, Verdict.REMOVING, "blue-0001", figures={"unneeded_s": 605}, details={"how": "drain"}
            ),
            "ScaleDown: removing node blue-0001, its pods are evicted first, unneeded for 605 s",
            id="drain",
        ),
        pytest.param(
            decision(
                Actor.SCALE_DOWN,
                Verdict.UNREMOVABLE,
                "blue-0001",
                figures={"utilization": 0.2, "threshold": 0.5},
                details={"reason": "BlockedByPod", "blocking": "NotEnoughPdb", "pod": "web-0001"},
            ),
            "node cannot be removed: BlockedByPod: NotEnoughPdb (pod web-0001), utilization 0.2 (threshold 0.5)",
            id="a pod keeps its node",
        ),
        pytest.param(
            decision(
                Actor.SCALE_UP, Verdict.FAILED, "blue", figures={"delta": 2}, details={"reason": "ScaleUpTimedOut"}
            ),
            "ScaleUpTimedOut: Nodes of blue did not come in time (2 nodes)",
            id="a request that timed out",
        ),
        pytest.param(
            decision(Actor.SCALE_DOWN, Verdict.FAILED, "blue-0001", details={"reason": "EvictionRefused"}),
            "ScaleDownFailed: a pod could not be evicted in time",
            id="a removal that was given up",
        ),
        pytest.param(
            decision(Actor.SCALE_DOWN, Verdict.REMOVED, "blue-0001", details={"how": "empty"}),
            "ScaleDownEmpty: empty node removed",
            id="an empty node is gone",
        ),
        pytest.param(
            decision(
                Actor.HPA,
                Verdict.KEPT,
                "shop",
                figures={
                    "current": 42,
                    "proposal": 42,
                    "utilization_pct": 100,
                    "target_pct": 60,
                    "ratio": 1.1,
                    "average_milli": 500,
                },
                details={"hpa": "shop", "metric": "cpu resource utilization (percentage of request)"},
            ),
            "Size kept at 42; cpu resource utilization (percentage of request): 100 % (500m a pod) against 60 %, "
            "ratio 1.1 with the pods that are not ready or not measured, raw proposal 42",
            id="a ratio that use alone does not explain",
        ),
        pytest.param(
            decision(Actor.SCALE_DOWN, Verdict.NEEDED_AGAIN, "blue-0001", repeats=2),
            "node is needed again (repeated 2 times)",
            id="repeats are told",
        ),
    ],
)
def test_sentence(made, text):
    assert why(made) == text


@pytest.mark.parametrize(("actor", "verdict"), list(itertools.product(Actor, Verdict)))
def test_no_decision_is_beyond_words_and_unknown_keys_are_told(actor, verdict):
    bare = why(decision(actor, verdict))
    full = why(decision(actor, verdict, figures={"odd_number": 1.5}, details={"odd_word": "odd"}, refused={"x": 1}))
    assert bare and "\n" not in bare
    assert "odd number 1.5" in full and "odd word odd" in full


def test_a_very_small_figure_has_no_lonely_point():
    assert "ratio 0;" in why(decision(Actor.HPA, Verdict.KEPT, figures={"ratio": 1e-6}, details={"held": "x"}))


def test_figures_that_are_no_numbers_do_not_stop_the_sentence():
    assert "ratio nan" in why(decision(Actor.HPA, Verdict.KEPT, figures={"ratio": float("nan")}))
