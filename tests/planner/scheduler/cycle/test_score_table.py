"""A placement records the scores of the best nodes, but not again and again for equal pods."""

from planner.record.decisions import Decision
from planner.record.details.scheduling import ScoredNode
from planner.record.recorder import Recorder
from planner.record.text.explain import why
from planner.record.text.scheduling import scored_nodes
from planner.scheduler.scheduler import Scheduler
from planner.scheduler.table_ration import TABLES_AT_ONCE
from tests.planner.scheduler.builders import a_cluster, a_group, a_node, a_pod, a_template


def table_of(decision):
    return scored_nodes(decision, decision.details)


def decisions_of(cluster, pods) -> list[Decision]:
    recorder = Recorder()
    scheduler = Scheduler(cluster, recorder)
    spec = a_template(cluster, cpu=100, memory=0)
    for _ in range(pods):
        a_pod(cluster, spec)
    while scheduler.schedule():
        pass
    return recorder.decisions


def test_the_node_taken_comes_first_then_the_next_best():
    cluster = a_cluster()
    for cpu in (1_000, 4_000, 2_000, 3_000):
        a_node(cluster, a_group(cluster, f"cpu-{cpu}", cpu=cpu))
    decision = decisions_of(cluster, 1)[0]
    table = table_of(decision)
    assert [node.node for node in table] == ["cpu-4000-0001", "cpu-3000-0001", "cpu-2000-0001"]
    assert [node.total for node in table] == sorted((node.total for node in table), reverse=True)
    assert table[0].total == decision.details.score
    assert decision.details.plugins == (
        "TaintToleration", "NodeResourcesFit", "PodTopologySpread", "NodeResourcesBalancedAllocation",
    )  # fmt: skip
    assert f"best of 4 feasible nodes, next cpu-3000-0001 with {table[1].total} (" in why(decision)


def test_a_single_feasible_node_is_not_scored():
    cluster = a_cluster()
    a_node(cluster, a_group(cluster))
    decision = decisions_of(cluster, 1)[0]
    assert table_of(decision) == ()
    assert decision.details.plugins == ()


def test_of_many_equal_pods_at_one_instant_only_the_first_have_a_table():
    cluster = a_cluster()
    pool = a_group(cluster)
    for _ in range(3):
        a_node(cluster, pool)
    decisions = decisions_of(cluster, TABLES_AT_ONCE + 2)
    assert [len(table_of(decision)) for decision in decisions] == [3] * TABLES_AT_ONCE + [1, 1]
    assert all(isinstance(table_of(decision)[0], ScoredNode) for decision in decisions)


def test_the_next_instant_has_tables_again():
    cluster, recorder = a_cluster(), Recorder()
    scheduler, pool = Scheduler(cluster, recorder), a_group(cluster)
    for _ in range(3):
        a_node(cluster, pool)
    spec = a_template(cluster, cpu=10)
    for now_us in (0, 1):
        cluster.clock.now_us = now_us  # type: ignore[misc]
        for _ in range(TABLES_AT_ONCE + 1):
            a_pod(cluster, spec)
        while scheduler.schedule():
            pass
        assert len(table_of(recorder.decisions[-1])) == 1
    assert len(table_of(recorder.decisions[TABLES_AT_ONCE + 1])) == 3
