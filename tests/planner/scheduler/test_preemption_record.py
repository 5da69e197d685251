"""What a preemption says about itself: candidates, the rule that decided, victims and budgets."""

import pytest

from planner.plan.model.pods.placement import LabelSelector
from planner.record.decisions import Verdict
from planner.record.recorder import Recorder
from planner.record.text.explain import why
from planner.record.text.reasoning import reasoning
from planner.scheduler.preemption_result import Budget
from planner.scheduler.scheduler import Scheduler
from planner.state.pods import EndReason
from tests.planner.scheduler.builders import a_cluster, a_group, a_node, a_pod, a_template

LOWS = {"one": (500, 10), "two": (250, 10), "tall": (500, 20)}
"""CPU and priority of what runs on a node: pods of it fill the node."""


def preemption(nodes, budgets=()):
    """Decisions of a pod of 500m and priority 100 that comes to full nodes of 500m, each with pods of one kind."""
    cluster, recorder = a_cluster(), Recorder()
    scheduler = Scheduler(
        cluster,
        recorder,
        on_preempt=lambda victims, pod, node: [cluster.begin_deletion(v, EndReason.PREEMPTED) for v in victims],
        budgets=lambda: budgets,
    )
    for number, kind in enumerate(nodes):
        cpu, priority = LOWS[kind]
        a_node(cluster, a_group(cluster, f"n{number}", cpu=500))
        template = a_template(cluster, kind, cpu=cpu, priority=priority)
        for _ in range(500 // cpu):
            a_pod(cluster, template)
            scheduler.schedule()
    a_pod(cluster, a_template(cluster, "high", cpu=500, priority=100))
    scheduler.schedule()
    return [one for one in recorder.decisions if one.verdict in (Verdict.NOMINATED, Verdict.PREEMPTED)]


@pytest.mark.parametrize(
    ("nodes", "chosen", "rule"),
    [
        (["one"], "n0", "the only candidate node"),
        (["two", "one"], "n1", "best of 2 candidate nodes: fewest victims"),
        (["tall", "two"], "n1", "best of 2 candidate nodes: least important victim"),
        (["one", "one", "tall"], "n0", "best of 3 candidate nodes: one of 2 that are equal"),
    ],
)
def test_a_nomination_names_the_rule_that_decided(nodes, chosen, rule):
    nominated = preemption(nodes)[0]
    assert nominated.target == f"{chosen}-0001"
    assert why(nominated).endswith(rule)


def test_a_budget_in_the_way_moves_the_choice_and_is_named_where_it_is_violated():
    budget = Budget("default", LabelSelector(match_labels={"app": "one"}), 0, name="keep-one")
    elsewhere = preemption(["one", "tall"], [budget])[0]
    assert (elsewhere.target, elsewhere.details.budgets) == ("n1-0001", ())
    assert why(elsewhere).endswith("best of 2 candidate nodes: fewest violations of budgets")
    nominated, preempted = preemption(["one"], [budget])
    assert why(nominated).endswith("(one-0001), the only candidate node; violates disruption budget keep-one")
    assert why(preempted) == (
        "Preempted by pod high-0001 on node n0-0001: priority 10 gives way to 100, against disruption budget keep-one"
    )


def test_the_table_of_candidates_lists_the_chosen_node_first():
    nominated = preemption(["two", "tall", "one", "two", "two"])[0]
    grid = reasoning(nominated).grids[-1]
    assert [row[0] for row in grid.rows] == ["n2-0001", "n0-0001", "n3-0001", "n4-0001"]
    assert grid.rows[1][1:] == ("0", "10", "20", "2", "0s", "two-0001, two-0002")
    assert grid.chosen == (0,)


@pytest.mark.parametrize("is_going", [False, True])
def test_lower_pods_keep_their_nomination_where_all_victims_are_going_already(is_going):
    """kube-scheduler 1.36, preemption/executor.go: without a victim to delete no nomination is cleared."""
    cluster, recorder = a_cluster(), Recorder()
    scheduler = Scheduler(cluster, recorder, on_preempt=lambda victims, pod, node: None)
    node = a_node(cluster, a_group(cluster, cpu=1_000))
    victim = a_pod(cluster, a_template(cluster, "low"))
    scheduler.schedule()
    if is_going:
        cluster.begin_deletion(victim, EndReason.EVICTED)
    middle = a_pod(cluster, a_template(cluster, "middle", cpu=500, priority=50))
    scheduler.schedule()
    high = a_pod(cluster, a_template(cluster, "high", priority=100))
    scheduler.schedule()
    assert cluster.pods.nominated[high] == node
    assert cluster.pods.nominated[middle] == (node if is_going else -1)
