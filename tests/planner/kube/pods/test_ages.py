"""Nodes and pods of an import are as old as in the dump."""

import pytest

from tests.planner.kube.manifests import a_deployment, a_node, imported_objects
from tests.planner.kube.pods.test_start_nodes import a_pod, a_replica_set

HOUR_US = 3_600_000_000


def at(hour, day=2):
    return f"2026-03-{day:02d}T{hour:02d}:00:00Z"


def aged(thing, created):
    thing["metadata"]["creationTimestamp"] = created
    return thing


def ages(*objects):
    plan = imported_objects(*objects).plan
    pools = [None if one.initial_age is None else one.initial_age / HOUR_US for one in plan.node_groups]
    return pools, [None if one.initial_age is None else one.initial_age / HOUR_US for one in plan.workloads]


def test_the_age_is_that_in_the_middle_measured_from_the_newest_time_of_the_dump():
    nodes = [aged(a_node(f"n{number}"), at(hour)) for number, hour in enumerate((1, 2, 20))]
    pods = [aged(a_pod(number, "n1"), at(hour)) for number, hour in enumerate((3, 4, 10))]
    assert ages(*nodes, a_deployment(replicas=3), a_replica_set(), *pods) == ([18], [16])


def test_a_status_that_was_renewed_later_is_the_time_of_the_dump():
    node = aged(a_node("n1"), at(1))
    node["status"]["conditions"] = [{"type": "Ready", "lastHeartbeatTime": at(5)}]
    bare = aged(a_pod(1, "n1", owner=None), at(3))
    assert ages(node, bare) == ([4], [2])


@pytest.mark.parametrize("created", ["", "yesterday", "2026-13-45T00:00:00Z", 17])
def test_where_no_time_shows_the_plan_keeps_its_own_age(created):
    assert ages(aged(a_node("n1"), created), a_deployment()) == ([None], [None])


def test_pods_that_wait_have_no_age():
    pods = [aged(a_pod(1, "", phase="Pending"), at(3))]
    assert ages(aged(a_node("n1"), at(1)), a_deployment(replicas=1), a_replica_set(), *pods) == ([2], [None])
