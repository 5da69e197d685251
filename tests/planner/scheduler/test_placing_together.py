"""Pods of a template that are placed together get the nodes that cycles one by one give them, and the same record."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planner.engine.draws import Draws
from planner.kernels import switch
from planner.record.recorder import Recorder
from planner.scheduler.scheduler import Scheduler
from planner.state.changes import ClusterEventKind
from planner.state.nodes import NONE
from planner.units import MIB
from tests.planner.scheduler.builders import a_cluster, a_group, a_node, a_template, change_something
from tests.planner.scheduler.test_placement_properties import random_world, templates

BOUND = (ClusterEventKind.POD_BOUND,)
bursts = st.lists(
    st.tuples(st.integers(0, 7), st.integers(0, 1_000), st.integers(0, 3), st.integers(1, 12)), min_size=2, max_size=12
)


def counted_bindings(cluster):
    """How many bindings were heard of together, by the number that were."""
    heard = Counter[int]()
    cluster.subscribe(lambda _: None, BOUND, lambda changes: heard.update([len(changes.pods)]))
    return heard


@settings(max_examples=80, deadline=None)
@given(st.lists(templates, min_size=4, max_size=4), bursts, st.booleans())
def test_pods_placed_together_are_placed_as_one_by_one(made, script, drawn):
    found = []
    for together in (True, False):
        cluster, groups, specs = random_world(made)
        recorder, draws = Recorder(), Draws(3) if drawn else None
        scheduler = Scheduler(cluster, recorder, draws=draws)
        if not together:
            cluster.subscribe(lambda _: None, BOUND)
        for action, pick, template, count in script:
            change_something(cluster, groups, action, pick)
            cluster.create_pods(specs[template].index, count)
            while scheduler.schedule(7, lambda: False):
                pass
        found.append((cluster.pods.node.tolist(), recorder.decisions, scheduler.search.start))
    assert found[0] == found[1]


@pytest.mark.skipif(not switch.in_use(), reason="pods are placed together by the kernels")
def test_many_pods_are_bound_together_until_the_nodes_are_full():
    cluster = a_cluster()
    for zone in "abc":
        a_node(cluster, a_group(cluster, zone, zone=zone, cpu=4_000))
    scheduler, heard = Scheduler(cluster, Recorder()), counted_bindings(cluster)
    cluster.create_pods(a_template(cluster, cpu=250, memory=MIB).index, 60)
    while scheduler.schedule(20, lambda: False):
        pass
    assert np.count_nonzero(cluster.pods.node != NONE) == 48 and scheduler.queue.unschedulable == 12
    assert heard == {19: 1, 20: 1, 8: 1}  # besides the first one, of whose template nothing is known


def test_nobody_waits_to_act_on_a_binding_until_others_are_bound():
    cluster = a_cluster()
    a_node(cluster, a_group(cluster, "small", cpu=1000))
    scheduler = Scheduler(cluster, Recorder())
    bound: list[int] = []
    cluster.subscribe(lambda event: bound.append(event.pod), BOUND)
    cluster.create_pods(a_template(cluster, cpu=100).index, 8)
    assert scheduler.schedule(10, lambda: len(bound) == 2) == 2
    assert scheduler.schedule(10, lambda: True) == 1
    assert bound == [0, 1, 2]
