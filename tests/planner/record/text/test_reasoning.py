"""The tables behind decisions."""

import pytest

from planner.autoscaler.scaledown.reasons import BlockingReason, NodeVerdict
from planner.language.translation import ENGLISH, LANGUAGES, use_language
from planner.record.decisions import Actor, Verdict
from planner.record.details.node_groups import ExpanderFigure, NodeReview, RejectedGroup, ScaleUp, WeighedOption
from planner.record.details.nodes import DrainEnded
from planner.record.details.replicas import Evaluation
from planner.record.details.requests import RequestsRecommended
from planner.record.details.scheduling import Nomination, PreemptionCandidate, Unschedulable
from planner.record.details.work import PlanEventEffect
from planner.record.text.reasoning import reasoning
from planner.record.text.removal_reasons import meaning_of
from tests.planner.record.text.made_decisions import (
    BOUGHT,
    CPU,
    DECISIONS,
    EVALUATED,
    FAILING,
    SCORED,
    SIZED,
    SMALLER,
    made,
)


def grids(details, verdict=Verdict.SCALED, subject="shop", target=""):
    return {grid.title: grid for grid in reasoning(made(Actor.HPA, verdict, details, subject, target)).grids}


def test_hpa_goes_from_the_samples_over_tolerance_windows_and_limits_to_the_size():
    found = grids(EVALUATED)
    grid = found["Horizontal pod autoscaler"]
    assert grid.rows == (
        ("Metric", CPU),
        ("Samples", "17 pods counted; set aside: 2 not ready or still starting"),
        ("Use", "53 % of the requests against 60 %"),
        ("Ratio", "0.85; 0.8833 once the pods set aside are counted"),
        ("Tolerance", "0.1: exceeded"),
        ("Raw proposal", "17 replicas"),
        ("Window", "18 by the scale-down stabilization window"),
        ("Limit", "18 by the scale-down rate"),
        ("Reason", "All metrics below target"),
        ("Size", "19 to 18"),
    )
    assert [grid.rows[row][0] for row in grid.chosen] == ["Size"]
    assert found["Conditions"].rows == (
        ("AbleToScale", "True", "ReadyForNewScale"),
        ("ScalingLimited", "True", "ScaleDownLimit"),
    )


@pytest.mark.parametrize(("details", "rows"), [
    (Evaluation("shop", 3, 3, reason="NoPods"), (("Reason", "no pods match"), ("Size", "3 to 3"))),
    (FAILING, (("Metrics", f"{CPU}: no pods match, x: 3; the largest proposal counts"), ("Metric", CPU),
               ("Reason", "no pods match"), ("Size", "2 to 2"))),
])  # fmt: skip
def test_hpa_without_metrics_gives_the_reason(details, rows):
    assert grids(details, Verdict.NO_METRICS)["Horizontal pod autoscaler"].rows == rows


def test_refusals_are_ranked_by_how_many_nodes_they_took():
    refused = {"Insufficient cpu": 2, "untolerated taint": 5, "Insufficient memory": 2}
    rows = grids(Unschedulable(9, refused))["Nodes that refused the pod, of 9"].rows
    assert rows == (("5", "untolerated taint"), ("2", "Insufficient cpu"), ("2", "Insufficient memory"))


def test_a_launch_shows_its_pods_the_pools_that_could_not_help_them_and_the_types_that_were_left():
    found = grids(BOUGHT)
    facts = {("Pool", "general"), ("First pods", "shop-1, shop-2"), ("CPU", "1500m")}
    assert facts <= set(found["Facts"].rows)
    assert found["Pools that were tried before"].rows == (("arm", "did not tolerate taint"),)
    assert found["Cheapest types that were left"].rows == (("m6.large", "0.05"),)


def test_a_consolidation_shows_what_moving_costs_what_budgets_allow_and_where_the_pods_go():
    found = grids(SMALLER)
    assert ("Targets", "b-0001") in found["Facts"].rows
    assert found["Nodes that go, and how many budgets allow"].rows == (
        ("a-0001", "m6.xlarge", "spot", "0.2", "4", "3.5", "2"),
        ("a-0002", "old", "", "", "0", "0", "2"),
    )
    assert found["Types that the replacement may have"].rows == (("m6.large", "0.05"),)


def test_points_are_listed_by_node_and_plugin_with_their_sum():
    found = grids(SCORED, target="blue-1")
    points = found["Points of the best nodes"]
    assert points.columns == ("Node", "Total", "Taints", "Fit")
    assert points.rows == (
        ("blue-1", "626", "300", "326"),
        ("blue-2", "620", "300", "320"),
        ("red-1", "299", "200", "99"),
    )
    assert points.chosen == (0,)
    assert dict(found["Placement"].rows) == {"Node chosen": "blue-1", "Feasible nodes": "4"}


def test_the_options_of_a_scale_up_have_a_column_for_every_expander_and_mark_the_chosen_one():
    waste, price = ExpanderFigure("least-waste", 1.2), ExpanderFigure("price", 3.0)
    options = (
        WeighedOption("web", 1, 5, (waste, price), 1, 0.5),
        WeighedOption("large", 2, 5, (ExpanderFigure("least-waste", 1.8),), 2),
    )
    rejected = (RejectedGroup("spot", "in backoff after failed scale-up"),)
    details = ScaleUp(1, 7, 5, ("least-waste", "price"), (waste, price), options, rejected=rejected)
    found = grids(details, Verdict.TRIGGERED, "web")
    table = found["Options"]
    assert table.columns == ("Pool", "Rank", "Nodes", "Pods", "least-waste", "price", "Price per hour")
    assert table.rows == (("web", "1", "1", "5", "1.2", "3", "0.5"), ("large", "2", "2", "5", "1.8", "", ""))
    assert table.chosen == (0,)
    assert found["Pools that were no option"].rows == rejected


def test_a_node_that_stays_names_what_blocks_it():
    details = NodeReview(0.25, 0.5, reason="BlockedByPod", pod="web-1", pod_reason="NotEnoughPdb")
    assert dict(grids(details, Verdict.UNREMOVABLE)["Scale-down"].rows) == {
        "Utilization": "25 %",
        "Reason": "BlockedByPod",
        "That means": "a pod on it must not be evicted",
        "Pod that blocks": "web-1",
        "Why it blocks": "NotEnoughPdb",
        "Which means": "a disruption budget does not allow its eviction now",
    }


@pytest.mark.parametrize(("seconds", "shown"), [(0.4, "0s"), (1202.2, "20m2s"), (691_200.0, "8d")])
def test_a_recommendation_says_how_long_its_history_is(seconds, shown):
    sized = SIZED._replace(history_s=seconds)
    found = grids(RequestsRecommended("web", (sized,)), Verdict.RECOMMENDED)
    assert shown in [cell for grid in found.values() for row in grid.rows for cell in row]


def test_other_decisions_show_all_their_facts_with_units():
    found = grids(DrainEnded(3, 0, took_s=5.5, by="node upgrade"), Verdict.DRAINED)
    assert found["Facts"].rows == (("Evicted", "3"), ("Left", "0"), ("Took", "5.5 s"), ("By", "node upgrade"))


def test_facts_are_named_in_words():
    facts = [
        name for one in DECISIONS for grid in reasoning(one).grids if grid.title == "Facts" for name, _ in grid.rows
    ]
    assert len(facts) > 30
    assert not [name for name in facts if "_" in name or name[0].islower()]


def test_an_event_of_the_plan_is_named_in_words():
    found = grids(PlanEventEffect("zoneOutage", ("a", "b")), Verdict.HAPPENED)
    assert found["Facts"].rows == (("What", "Zone outage"), ("On", "a, b"))


_PLAIN = (NodeVerdict.NOT_CANDIDATE, NodeVerdict.SIMULATE, NodeVerdict.UNNEEDED, NodeVerdict.REMOVABLE)


@pytest.mark.parametrize("reason", [*(v for v in NodeVerdict if v not in _PLAIN), *BlockingReason])
def test_every_reason_for_a_node_to_stay_is_put_into_plain_words(reason):
    assert meaning_of(reason.text)


TITLES_IN_ENGLISH = {"Cluster proportional autoscaler"}
"""Proper names."""


@pytest.mark.parametrize("code", [code for code in LANGUAGES if code != ENGLISH])
def test_tables_have_their_titles_in_the_language_of_the_reader(code):
    english = {grid.title for one in DECISIONS for grid in reasoning(one).grids}
    use_language(code)
    try:
        spoken = {grid.title for one in DECISIONS for grid in reasoning(one).grids}
    finally:
        use_language(ENGLISH)
    assert len(english) > 10 and (spoken & english) - TITLES_IN_ENGLISH - {""} == set()


@pytest.mark.parametrize(("started_s", "shown"), [(90, "1m30s"), (-86_400, "1d before the run")])
def test_pods_that_were_there_before_the_run_have_no_negative_start(started_s, shown):
    node = PreemptionCandidate("blue-2", ("batch-1",), 0, 0, 0, started_s)
    rows = grids(Nomination(node, 1), Verdict.NOMINATED, target="blue-2")["Best candidates"].rows
    assert shown in rows[0]
