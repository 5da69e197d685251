"""Worked examples of scheduler scores and filters, one test each."""

import numpy as np
import pytest

from planner.matching.selectors import SelectorOperator
from planner.matching.taints import NodeTaint, TaintEffect, no_execute_delay_us, tolerates_hard_taints
from planner.plan.derived.pod_requests import pod_request
from planner.plan.model.pods.containers import Container, Resources
from planner.plan.model.pods.placement import (
    LabelSelector,
    NodeSelectorRequirement,
    NodeSelectorTerm,
    PodAffinityTerm,
    PreferredNodeTerm,
    Toleration,
    TopologySpreadConstraint,
    UnsatisfiableAction,
)
from planner.plan.model.pods.pod_template import PodTemplate
from planner.plan.model.scheduler import PluginName, StrategyType
from planner.record.recorder import Recorder
from planner.scheduler.cycle.cycle import SchedulingCycle
from planner.scheduler.feasibility.resource_rules import allocation_scores
from planner.scheduler.profile import SchedulerProfile
from planner.scheduler.scheduler import Scheduler
from planner.state.specs import HOSTNAME_LABEL, ZONE_LABEL
from planner.units import GIB, MIB
from tests.planner.scheduler.builders import a_cluster, a_group, a_node, a_pod, a_template

RISING, FALLING = ((0, 0), (100, 10)), ((0, 10), (100, 0))
WEB = LabelSelector(match_labels={"app": "web"})


def run(scheduler):
    while scheduler.schedule():
        pass


@pytest.mark.parametrize(
    ("strategy", "shape", "expected"),
    [
        (StrategyType.REQUESTED_TO_CAPACITY_RATIO, RISING, [60, 69]),
        (StrategyType.MOST_ALLOCATED, (), [59, 69]),
        (StrategyType.REQUESTED_TO_CAPACITY_RATIO, FALLING, [40, 46]),
    ],
)
def test_bin_packing_by_requested_to_capacity_ratio(strategy, shape, expected):
    """Resources foo, memory in MiB, cpu; what is used plus the request of 2, 256, 2."""
    used = np.array([[1 + 2, 256 + 256, 1 + 2], [2 + 2, 512 + 256, 6 + 2]])
    capacity = np.array([[4, 1024, 8], [8, 1024, 8]])
    scores = allocation_scores(strategy, used, capacity, np.array([5, 1, 3]), shape)
    assert scores.tolist() == expected


def test_overhead_is_added_to_the_sum_of_the_containers():
    containers = (
        Container(name="a", requests=Resources(cpu="500m", memory="100Mi")),
        Container(name="b", requests=Resources(cpu="1500m", memory="100Mi")),
    )
    request = pod_request(PodTemplate(containers=containers), Resources(cpu="250m", memory="120Mi"))
    assert request == {"cpu": 2250, "memory": 335_544_320}
    assert request["cpu"] * 100 // 4_000 == 56


@pytest.mark.parametrize(("max_skew", "zones"), [(1, {"c"}), (2, {"a", "b", "c"})])
def test_only_the_zone_with_fewest_pods_keeps_within_the_skew(max_skew, zones):
    cluster = a_cluster()
    cycle = SchedulingCycle(cluster, SchedulerProfile())
    nodes = {zone: a_node(cluster, a_group(cluster, zone, zone=zone)) for zone in "abc"}
    web = a_template(cluster, spread_constraints=(spread(ZONE_LABEL, max_skew),))
    for zone, count in (("a", 2), ("b", 2), ("c", 1)):
        for _ in range(count):
            cluster.bind(a_pod(cluster, web), nodes[zone])
    feasible = cycle.feasible(a_pod(cluster, web), web)
    assert {zone for zone, node in nodes.items() if feasible[node]} == zones


def spread(key, max_skew=1, hard=True, **fields):
    action = UnsatisfiableAction.DO_NOT_SCHEDULE if hard else UnsatisfiableAction.SCHEDULE_ANYWAY
    return TopologySpreadConstraint(
        max_skew=max_skew, topology_key=key, when_unsatisfiable=action, label_selector=WEB, **fields
    )


def nodes_for(constraints, placed, zones=("a", "a", "b", "b"), **fields):
    """Names n1, n2, ... of the nodes that may take one more pod; `placed`: pods per node."""
    cluster = a_cluster()
    cycle = SchedulingCycle(cluster, SchedulerProfile())
    nodes = [a_node(cluster, a_group(cluster, f"n{i}", zone=zone)) for i, zone in enumerate(zones, 1)]
    web = a_template(cluster, spread_constraints=constraints, **fields)
    for node, count in zip(nodes, placed, strict=True):
        for _ in range(count):
            cluster.bind(a_pod(cluster, web), node)
    outcome = cycle.decide(a_pod(cluster, web))
    totals = outcome.totals
    rows = outcome.rows if totals is None else outcome.rows[totals == totals.max()]
    feasible = np.flatnonzero(cycle.feasible(a_pod(cluster, web), web)).tolist()
    return {f"n{row + 1}" for row in feasible}, {f"n{row + 1}" for row in rows.tolist()}


@pytest.mark.parametrize(
    ("constraints", "expected"),
    [
        ((spread(ZONE_LABEL),), {"n3", "n4"}),
        ((spread(HOSTNAME_LABEL),), {"n4"}),
        ((spread(ZONE_LABEL), spread(HOSTNAME_LABEL)), {"n4"}),
        ((spread(ZONE_LABEL, 2),), {"n1", "n2", "n3", "n4"}),
    ],
)
def test_spread_by_zone_and_by_node(constraints, expected):
    assert nodes_for(constraints, (1, 1, 1, 0))[0] == expected


@pytest.mark.parametrize(
    ("constraints", "expected"),
    [
        ((spread(ZONE_LABEL), spread(HOSTNAME_LABEL)), set()),
        ((spread(ZONE_LABEL, 2), spread(HOSTNAME_LABEL)), {"n2"}),
        ((spread(ZONE_LABEL, hard=False), spread(HOSTNAME_LABEL)), {"n2"}),
        ((spread(ZONE_LABEL), spread(HOSTNAME_LABEL, 2)), {"n3"}),
        ((spread(ZONE_LABEL), spread(HOSTNAME_LABEL, hard=False)), {"n3"}),
    ],
)
def test_two_constraints_may_be_in_conflict(constraints, expected):
    assert nodes_for(constraints, (2, 1, 2), ("a", "a", "b"))[0] == expected


NOT_C = (
    NodeSelectorTerm(
        match_expressions=(NodeSelectorRequirement(key=ZONE_LABEL, operator=SelectorOperator.NOT_IN, values=("c",)),)
    ),
)


@pytest.mark.parametrize(
    ("fields", "policy", "expected"),
    [
        ({"required_terms": NOT_C}, "Honor", {"n3", "n4"}),
        ({"required_terms": NOT_C}, "Ignore", set()),
        ({}, "Honor", {"n5"}),
    ],
)
def test_a_zone_excluded_by_node_affinity_counts_only_if_the_policy_says_so(fields, policy, expected):
    constraints = (spread(ZONE_LABEL, node_affinity_policy=policy),)
    zones = ("a", "a", "b", "b", "c")
    assert nodes_for(constraints, (1, 1, 1, 0, 0), zones, **fields)[0] == expected


def test_a_node_without_the_key_is_never_used_and_its_pods_do_not_count():
    assert nodes_for((spread(ZONE_LABEL),), (1, 0, 5), ("a", "b", ""))[0] == {"n2"}


def test_redis_and_web_server_stand_side_by_side_and_the_fourth_of_each_waits():
    cluster = a_cluster()
    scheduler = Scheduler(cluster, Recorder())
    pool = a_group(cluster)
    nodes = [a_node(cluster, pool) for _ in range(3)]
    store, web = (
        PodAffinityTerm(topology_key=HOSTNAME_LABEL, label_selector=LabelSelector(match_labels={"app": name}))
        for name in ("redis", "web")
    )
    redis = a_template(cluster, "redis", cpu=100, required_anti_affinity=(store,))
    servers = a_template(cluster, "web", cpu=100, required_anti_affinity=(web,), required_affinity=(store,))
    for template in (redis, servers):
        pods = [a_pod(cluster, template) for _ in range(4)]
        run(scheduler)
        assert sorted(cluster.pods.node[pods].tolist()) == [-1, *nodes]


def test_preferred_terms_of_weight_1_and_50():
    cluster = a_cluster()
    cycle = SchedulingCycle(cluster, SchedulerProfile())
    for label in ("one", "two"):
        a_node(cluster, a_group(cluster, label, labels={"label": label}))
    wanted = tuple(
        PreferredNodeTerm(
            weight=weight,
            preference=NodeSelectorTerm(
                match_expressions=(NodeSelectorRequirement(key="label", operator=SelectorOperator.IN, values=(label,)),)
            ),
        )
        for weight, label in ((1, "one"), (50, "two"))
    )
    spec = a_template(cluster, preferred_terms=wanted)
    found = cycle.best(a_pod(cluster, spec), np.array([0, 1]), 1)
    [(other, points)] = found.others
    assert (found.node, other) == (1, 0)
    assert found.scores[PluginName.NODE_AFFINITY] == 200
    assert dict(zip(found.scores, points, strict=True))[PluginName.NODE_AFFINITY] == 4


def test_anti_affinity_across_the_nodes_of_a_zone_is_not_solved_by_preemption():
    cluster, removed = a_cluster(), []
    scheduler = Scheduler(cluster, Recorder(), on_preempt=lambda victims, *_: removed.extend(victims))
    zone = a_group(cluster, zone="a")
    first, second = a_node(cluster, zone), a_node(cluster, zone)
    apart = PodAffinityTerm(topology_key=ZONE_LABEL, label_selector=WEB)
    for node in (first, second):
        cluster.bind(a_pod(cluster, a_template(cluster, f"low-{node}", labels_extra={"app": "web"})), node)
    high = a_pod(cluster, a_template(cluster, "high", priority=100, required_anti_affinity=(apart,)))
    run(scheduler)
    assert removed == [] and cluster.pods.node[high] == -1


def test_a_pod_that_never_preempts_waits_ahead_of_lower_ones_and_evicts_none(monkeypatch):
    cluster, removed = a_cluster(), []
    scheduler = Scheduler(cluster, Recorder(), on_preempt=lambda victims, *_: removed.extend(victims))
    node = a_node(cluster, a_group(cluster, cpu=1_000))
    cluster.bind(a_pod(cluster, a_template(cluster, "running", priority=1)), node)
    lower = a_pod(cluster, a_template(cluster, "lower", priority=1))
    polite = a_pod(cluster, a_template(cluster, "polite", priority=100, may_preempt=False))
    order = []
    decide = scheduler.cycles[0].decide
    monkeypatch.setattr(scheduler.cycles[0], "decide", lambda pod, **named: order.append(pod) or decide(pod, **named))
    for _ in range(2):
        scheduler.schedule()
    assert order == [polite, lower] and removed == []


def test_three_taints_and_two_tolerations():
    taints = (
        NodeTaint("key1", "value1", TaintEffect.NO_SCHEDULE),
        NodeTaint("key1", "value1", TaintEffect.NO_EXECUTE),
        NodeTaint("key2", "value2", TaintEffect.NO_SCHEDULE),
    )
    tolerations = tuple(
        Toleration(key="key1", value="value1", effect=effect)
        for effect in (TaintEffect.NO_SCHEDULE, TaintEffect.NO_EXECUTE)
    )
    assert not tolerates_hard_taints(tolerations, taints)
    assert no_execute_delay_us([_Timed(t, None) for t in tolerations], taints) is None


@pytest.mark.parametrize("seconds", [300, 3600, 6000])
def test_a_running_pod_stays_as_long_as_it_tolerates(seconds):
    taint = NodeTaint("node.kubernetes.io/unreachable", "", TaintEffect.NO_EXECUTE)
    toleration = Toleration(key=taint.key, operator="Exists", effect=TaintEffect.NO_EXECUTE)
    assert no_execute_delay_us([_Timed(toleration, seconds * 1_000_000)], [taint]) == seconds * 1_000_000


class _Timed:
    def __init__(self, toleration, toleration_us):
        self.key, self.operator = toleration.key, toleration.operator
        self.value, self.effect = toleration.value, toleration.effect
        self.toleration_us = toleration_us


def test_the_built_in_defaults_are_soft_with_skew_3_and_5():
    defaults = SchedulerProfile().default_constraints
    assert [(d.topology_key, d.max_skew) for d in defaults] == [(HOSTNAME_LABEL, 3), (ZONE_LABEL, 5)]
    assert {d.when_unsatisfiable for d in defaults} == {UnsatisfiableAction.SCHEDULE_ANYWAY}


def test_a_pause_pod_gives_way_to_a_pod_of_its_size_but_not_to_a_larger_one():
    for cpu, expected in ((1_600, 1), (1_700, 0)):
        cluster, removed = a_cluster(), []
        scheduler = Scheduler(cluster, Recorder(), on_preempt=lambda victims, *_, out=removed: out.extend(victims))
        node = a_node(cluster, a_group(cluster, cpu=3_200, memory=4 * GIB))
        cluster.bind(a_pod(cluster, a_template(cluster, "base", cpu=1_600)), node)
        cluster.bind(a_pod(cluster, a_template(cluster, "pause", cpu=1_600, memory=550 * MIB, priority=-1)), node)
        a_pod(cluster, a_template(cluster, "new", cpu=cpu, memory=512 * MIB))
        run(scheduler)
        assert len(removed) == expected
