"""What is done to several pods at once is what is done to one after the other."""

from pathlib import Path

import pytest

from planner.api import load_plan, run_plan
from planner.state.changes import ChangeLog, ClusterEventKind, Listeners
from planner.units import US_PER_MIN
from tests.builders import a_node_group, a_plan, a_workload
from tests.planner.state.small_cluster import small_cluster

SCENARIOS = Path(__file__).parents[3] / "scenarios"


def columns(table):
    return {name: getattr(table, name).tolist() for name in type(table)._columns}


def traces(act):
    """What is in the tables and what listeners of either kind heard after `act` on a cluster with pods 0 to 4."""
    cluster, heard, heard_at_once = small_cluster(nodes=3), [], []
    cluster.subscribe(heard.append)
    cluster.subscribe(heard_at_once.append, many=lambda changes: heard_at_once.extend(changes.one_by_one()))
    cluster.create_pods(0, 5)
    cluster.nominate(3, 0)
    cluster.clock.advance(7)  # type: ignore[attr-defined]
    act(cluster)
    assert heard == heard_at_once
    tables = [columns(table) for table in (cluster.pods, cluster.nodes, cluster.workloads)]
    return tables, heard, cluster.node_pods, cluster.nominated_pods, cluster.node_changes.since(0)


def in_turn(cluster):
    for pod, node in ((4, 1), (3, 2), (0, 1)):
        cluster.bind(pod, node)
    for pod in (3, 4):
        cluster.mark_running(pod)


def at_once(cluster):
    cluster.bind_all([4, 3, 0], [1, 2, 1])
    cluster.mark_all_running([3, 4])


def test_several_pods_are_bound_and_started_as_one_by_one():
    assert traces(at_once) == traces(in_turn)


def test_created_pods_are_in_the_tables_before_anyone_hears_of_them():
    cluster, alive = small_cluster(), []
    cluster.subscribe(lambda event: alive.append(len(cluster.workload_pods[0])), (ClusterEventKind.POD_ADDED,))
    cluster.create_pods(0, 3)
    assert alive == [3, 3, 3]


def test_a_listener_that_left_hears_of_nothing_in_either_way():
    cluster, heard, others = small_cluster(), [], []
    cluster.subscribe(heard.append, many=heard.append)
    cluster.subscribe(others.append, many=others.append)
    cluster.unsubscribe(heard.append)
    cluster.create_pods(0, 1)
    cluster.create_pods(0, 2)
    assert not heard and len(others) == 2


def one_by_one(self, changes):
    for event in changes.one_by_one():
        self.publish(event)


def starting_full():
    """Pods that stand on nodes, on one of which they do not all find room, beside others that are scheduled."""
    starts = {"pool-0001": 5, "pool-0002": 40, "pool-0003": 5}
    pool = a_node_group(initial_size=3, min_size=3, max_size=3)
    workloads = (a_workload(replicas=60, starts_on=starts), a_workload("other", replicas=9, starts_on={"pool-0001": 3}))
    return a_plan(node_groups=(pool,), workloads=workloads)


@pytest.mark.parametrize(
    "name", ["batch-gives-way", "both-autoscalers", "karpenter-churn", "memory-burst", "rollout-at-peak", ""]
)
def test_a_run_is_the_same_when_every_change_is_published_on_its_own(name, monkeypatch):
    plan = load_plan(str(SCENARIOS / name / "plan.headroom")) if name else starting_full()
    found = run_plan(plan, until_us=5 * US_PER_MIN).digest()
    monkeypatch.setattr(Listeners, "publish_many", one_by_one)
    assert run_plan(plan, until_us=5 * US_PER_MIN).digest() == found


@pytest.mark.parametrize("count", [0, 1, 8, 9, 13, 30])
def test_rows_noted_together_are_kept_as_those_noted_one_by_one(count):
    together, singly = ChangeLog(keep=4), ChangeLog(keep=4)
    for log in (together, singly):
        log.add(99)
    together.extend(range(count))
    for row in range(count):
        singly.add(row)
    assert together.cursor == singly.cursor
    assert [together.since(at) for at in range(count + 2)] == [singly.since(at) for at in range(count + 2)]
