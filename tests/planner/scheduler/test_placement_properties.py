"""Random clusters with all features mixed: every decision against rules without memory, and against itself."""

from dataclasses import replace
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from planner.engine.draws import Draws
from planner.matching.selectors import SelectorOperator
from planner.matching.taints import NodeTaint, TaintEffect, TolerationOperator
from planner.plan.model.pods.placement import (
    LabelSelector,
    NodeSelectorRequirement,
    NodeSelectorTerm,
    PodAffinityTerm,
    Toleration,
    TopologySpreadConstraint,
    UnsatisfiableAction,
    WeightedPodAffinityTerm,
)
from planner.record.recorder import Recorder
from planner.scheduler.cycle.cycle import SchedulingCycle
from planner.scheduler.profile import SchedulerProfile
from planner.scheduler.scheduler import Scheduler
from planner.state.invariants import broken_invariants
from planner.state.pods import EndReason
from planner.state.specs import HOSTNAME_LABEL, ZONE_LABEL, PortClaim
from planner.units import GIB
from tests.planner.scheduler.builders import GPU_TAINT, a_cluster, a_group, a_node, a_pod, a_template, change_something
from tests.planner.scheduler.plain_rules import broken_rule

SOFT_TAINT = NodeTaint("old", "", TaintEffect.PREFER_NO_SCHEDULE)
KEYS = (ZONE_LABEL, HOSTNAME_LABEL, "rack")
NAMES = ("one", "two", "three", "four")

SELECTORS = [LabelSelector(match_labels={"app": name}) for name in NAMES] + [LabelSelector()]
EVERYWHERE = LabelSelector()

terms = st.tuples(st.sampled_from(KEYS), st.sampled_from(SELECTORS), st.sampled_from([None, EVERYWHERE])).map(
    lambda parts: PodAffinityTerm(topology_key=parts[0], label_selector=parts[1], namespace_selector=parts[2])
)
weighted = st.tuples(st.integers(1, 100), terms).map(
    lambda parts: WeightedPodAffinityTerm(weight=parts[0], pod_affinity_term=parts[1])
)
spreads = st.tuples(
    st.integers(1, 3), st.sampled_from(KEYS), st.sampled_from(SELECTORS[:-1]), st.sampled_from(UnsatisfiableAction)
).map(
    lambda parts: TopologySpreadConstraint(
        max_skew=parts[0], topology_key=parts[1], label_selector=parts[2], when_unsatisfiable=parts[3]
    )
)


def few(values: st.SearchStrategy[Any]) -> st.SearchStrategy[tuple[Any, ...]]:
    """Mostly none, sometimes one or two."""
    return st.one_of(st.just(()), st.just(()), st.lists(values, min_size=1, max_size=2).map(tuple))


templates = st.fixed_dictionaries(
    {
        "cpu": st.sampled_from([0, 300, 700, 1_500]),
        "memory": st.sampled_from([0, GIB // 2, 2 * GIB]),
        "priority": st.sampled_from([0, 0, 5]),
        "required_affinity": few(terms),
        "required_anti_affinity": few(terms),
        "preferred_affinity": few(weighted),
        "preferred_anti_affinity": few(weighted),
        "spread_constraints": few(spreads),
        "host_ports": st.sampled_from([(), (), (PortClaim(80),), (PortClaim(80), PortClaim(443))]),
        "tolerations": st.sampled_from([(), (Toleration(operator=TolerationOperator.EXISTS),)]),
        "images": st.sampled_from([(), ("app:1",)]),
        "required_terms": st.sampled_from(
            [
                (),
                (),
                (
                    NodeSelectorTerm(
                        match_expressions=(
                            NodeSelectorRequirement(key="rack", operator=SelectorOperator.IN, values=("r1",)),
                        )
                    ),
                ),
            ]
        ),
    }
)
steps = st.lists(st.tuples(st.integers(0, 7), st.integers(0, 1_000)), min_size=5, max_size=60)


def random_world(made: list[dict[str, Any]]):
    cluster = a_cluster()
    groups = [
        a_group(cluster, "a", zone="a", labels={"rack": "r1"}),
        a_group(cluster, "b", cpu=2_000, pods=4, zone="b", labels={"rack": "r2"}),
        a_group(cluster, "t", zone="a", taints=(GPU_TAINT,)),
        a_group(cluster, "none", taints=(SOFT_TAINT,)),
    ]
    cluster.node_specs[0] = replace(cluster.node_specs[0], images={"app:1": 300 << 20})
    for group in groups[:2] * 2:
        a_node(cluster, group)
    specs = [a_template(cluster, name, **fields) for name, fields in zip(NAMES, made, strict=True)]
    return cluster, groups, specs


@settings(max_examples=60, deadline=None)
@given(st.lists(templates, min_size=4, max_size=4), steps)
def test_the_feasible_nodes_are_those_that_break_no_rule(made, script):
    cluster, groups, specs = random_world(made)
    cycle = SchedulingCycle(cluster, SchedulerProfile())
    for action, pick in script:
        change_something(cluster, groups, action, pick)
        spec = specs[pick % len(specs)]
        pod = a_pod(cluster, spec)
        allowed = [node for node in range(cluster.nodes.count) if not broken_rule(cluster, spec, node)]
        assert np.flatnonzero(cycle.feasible(pod, spec)).tolist() == allowed
        strength = cycle.prepare(pod, spec).verdicts().strength
        assert np.flatnonzero((strength == 0) & cluster.nodes.exists).tolist() == allowed
        outcome = cycle.decide(pod)
        if outcome.node >= 0:
            cluster.bind(pod, outcome.node)
    assert broken_invariants(cluster) == []


def weighted_scores(cycle, spec, rows):
    """Weight times normalised score per plugin, each computed from scratch; plugins that give none are missing."""
    found = {plugin.name: plugin.score(spec, rows) for plugin in cycle.plugins.scores}
    weights = cycle.context.profile.weights
    return {name: scores * weights[name] for name, scores in found.items() if scores is not None}


@settings(max_examples=60, deadline=None)
@given(st.lists(templates, min_size=4, max_size=4), steps)
def test_decisions_with_memory_equal_decisions_without(made, script):
    cluster, groups, specs = random_world(made)
    kept = SchedulingCycle(cluster, SchedulerProfile())
    for action, pick in script:
        change_something(cluster, groups, action, pick)
        spec = specs[pick % len(specs)]
        pod = a_pod(cluster, spec)
        start = kept.search.start
        mine = kept.decide(pod)
        fresh = SchedulingCycle(cluster, SchedulerProfile())
        fresh.search.order, fresh.search.start = kept.search.order, start
        other = fresh.decide(pod)
        assert (mine.node, mine.scores, mine.rows.tolist()) == (other.node, other.scores, other.rows.tolist())
        assert np.array_equal(mine.totals, other.totals)
        if mine.totals is not None:
            plain = weighted_scores(fresh, spec, mine.rows)
            assert np.sum(list(plain.values()), axis=0).tolist() == mine.totals.tolist()
            place = mine.rows.tolist().index(mine.node)
            assert {name: int(points[place]) for name, points in plain.items()} == mine.scores
            best_others = sorted((sum(points) for points in zip(*plain.values(), strict=True)), reverse=True)[1:3]
            assert [sum(points) for _, points in mine.others] == best_others
            for node, points in mine.others:
                place = mine.rows.tolist().index(node)
                assert node != mine.node and points == tuple(int(column[place]) for column in plain.values())
        if mine.node >= 0:
            cluster.bind(pod, mine.node)
        elif pick % 3 == 0 and cluster.nodes.exists.any():
            cluster.nominate(pod, int(cluster.nodes.exists.argmax()))


@settings(max_examples=40, deadline=None)
@given(st.lists(templates, min_size=4, max_size=4), steps, st.booleans())
def test_no_node_is_overallocated_and_ties_by_draw_break_no_rule(made, script, drawn):
    cluster, groups, specs = random_world(made)

    def on_preempt(victims, preemptor, node):
        for victim in victims:
            cluster.remove_pod(victim, EndReason.PREEMPTED)

    draws = Draws(1) if drawn else None
    scheduler = Scheduler(cluster, Recorder(), on_preempt=on_preempt, draws=draws)
    bind = cluster.bind

    def checked_bind(pod, node):
        assert broken_rule(cluster, cluster.pod_specs[cluster.pods.spec[pod]], node) == ""
        bind(pod, node)

    cluster.bind = checked_bind
    for action, pick in script:
        change_something(cluster, groups, action, pick)
        a_pod(cluster, specs[pick % len(specs)])
        for _ in range(20):
            if not scheduler.schedule():
                break
        exists = cluster.nodes.exists
        assert (cluster.nodes.requested[exists] <= cluster.nodes.allocatable[exists]).all()
    assert broken_invariants(cluster) == []
