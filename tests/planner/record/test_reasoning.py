"""The tables behind decisions."""

import pytest

from planner.autoscaler.scaledown.reasons import BlockingReason, NodeVerdict
from planner.record.decisions import Actor, Decision, Verdict
from planner.record.reasoning import reasoning
from planner.record.removal_reasons import meaning_of


def grids(actor, verdict, **facts):
    return {grid.title: grid for grid in reasoning(Decision(0, actor, verdict, "web", **facts)).grids}


def test_hpa_goes_from_the_samples_over_tolerance_windows_and_limits_to_the_size():
    figures = {"current": 19, "desired": 18, "proposal": 17, "first_ratio": 0.85, "ratio": 0.8833, "tolerance": 0.1,
               "ready": 17, "unready": 2, "utilization_pct": 53, "target_pct": 60, "stabilized": 18}  # fmt: skip
    details = {"hpa": "web", "metric": "cpu", "held": "ScaleDownStabilized", "limited": "ScaleDownLimit",
               "conditions": "AbleToScale=True:ReadyForNewScale ScalingLimited=True:ScaleDownLimit"}  # fmt: skip
    found = grids(Actor.HPA, Verdict.SCALED, figures=figures, details=details)
    grid = found["Horizontal pod autoscaler"]
    assert dict(grid.rows) == {
        "Metric": "cpu",
        "Samples": "17 pods counted; set aside: 2 not ready or still starting",
        "Use": "53 % of the requests against 60 %",
        "Ratio": "0.85; with the pods set aside put in carefully: 0.8833",
        "Tolerance": "0.1: exceeded",
        "Raw proposal": "17 replicas",
        "Window": "18 by the scale-down stabilization window",
        "Limit": "18 by the rate of scaling down",
        "Size": "19 to 18",
    }
    assert [grid.rows[row][0] for row in grid.chosen] == ["Size"]
    assert found["Conditions"].rows == (
        ("AbleToScale", "True", "ReadyForNewScale"),
        ("ScalingLimited", "True", "ScaleDownLimit"),
    )


def test_hpa_without_metrics_tells_the_reason_only():
    facts = {"figures": {"current": 3, "desired": 3}, "details": {"hpa": "web", "reason": "NoPods"}}
    grid = grids(Actor.HPA, Verdict.NO_METRICS, **facts)["Horizontal pod autoscaler"]
    assert grid.rows == (("Reason", "no pods match"), ("Size", "3 to 3"))


def test_refusals_are_ranked_by_how_many_nodes_they_took():
    refused = {"Insufficient cpu": 2, "untolerated taint": 5, "Insufficient memory": 2}
    found = grids(Actor.SCHEDULER, Verdict.UNSCHEDULABLE, refused=refused, figures={"nodes": 9.0})
    rows = found["Nodes that refused the pod, of 9"].rows
    assert rows == (("5", "untolerated taint"), ("2", "Insufficient cpu"), ("2", "Insufficient memory"))


def test_points_are_listed_by_node_and_plugin_with_their_sum():
    figures = {"feasible": 4.0, "score": 626.0, "TaintToleration": 300.0, "NodeResourcesFit": 326.0}
    others = {"others": "blue-0002:300:320 red-0001:200:99"}
    found = grids(Actor.SCHEDULER, Verdict.BOUND, target="blue-0001", figures=figures, details=others)
    points = found["Points of the best nodes"]
    assert points.columns == ("Node", "TaintToleration", "NodeResourcesFit", "Total")
    assert points.rows == (
        ("blue-0001", "300", "326", "626"), ("blue-0002", "300", "320", "620"), ("red-0001", "200", "99", "299"),
    )  # fmt: skip
    assert points.chosen == (0,)
    assert dict(found["Placement"].rows) == {"Node chosen": "blue-0001", "Feasible nodes": "4"}


def test_the_options_of_a_scale_up_have_a_column_for_every_expander_and_mark_the_chosen_one():
    details = {
        "options": "web:1:5:least-waste=1.2,price=3 large:2:5:least-waste=1.8",
        "expander": "least-waste, price",
    }
    found = grids(Actor.SCALE_UP, Verdict.TRIGGERED, figures={"delta": 1.0, "new_target": 7.0}, details=details)
    options = found["Options"]
    assert options.columns == ("Pool", "Nodes", "Pods", "least-waste", "price")
    assert options.rows == (("web", "1", "5", "1.2", "3"), ("large", "2", "5", "1.8", ""))
    assert options.chosen == (0,)


def test_a_node_that_stays_tells_what_blocks_it():
    details = {"reason": "BlockedByPod: NotEnoughPdb"}
    found = grids(Actor.SCALE_DOWN, Verdict.UNREMOVABLE, figures={"utilization": 0.25}, details=details)
    assert dict(found["Scale-down"].rows) == {
        "Requested share of the node": "25.0 %",
        "Blocked by": "BlockedByPod",
        "That means": "a pod on it must not be moved",
        "Pod that blocks": "NotEnoughPdb",
        "That pod": "a disruption budget does not allow it now",
    }


def test_other_decisions_show_all_their_facts():
    found = grids(Actor.CLOUD, Verdict.FAILED, figures={"delta_nodes": 2.0}, details={"reason": "stock-out"})
    assert found["Facts"].rows == (("Delta nodes", "2"), ("Reason", "stock-out"))


@pytest.mark.parametrize("actor", Actor)
@pytest.mark.parametrize("verdict", Verdict)
def test_every_decision_has_a_title_and_whole_tables(actor, verdict):
    reasons = reasoning(Decision(0, actor, verdict, "web", refused={"x": 1}, figures={"y": 1.0}, details={"z": "1"}))
    assert reasons.title.startswith("web: ")
    assert all(len(row) == len(grid.columns) for grid in reasons.grids for row in grid.rows)


_PLAIN = (NodeVerdict.NOT_CANDIDATE, NodeVerdict.SIMULATE, NodeVerdict.UNNEEDED, NodeVerdict.REMOVABLE)


@pytest.mark.parametrize("reason", [*(v for v in NodeVerdict if v not in _PLAIN), *BlockingReason])
def test_every_reason_for_a_node_to_stay_is_put_into_plain_words(reason):
    assert meaning_of(reason.text)
