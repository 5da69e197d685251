"""Short cuts decide like the plain rules they stand for."""

from functools import partial

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from planner.engine.draws import Draws
from planner.matching.selectors import named_nodes
from planner.plan.model.pods.placement import LabelSelector
from planner.record.recorder import Recorder
from planner.scheduler.cycle.cycle import SchedulingCycle
from planner.scheduler.cycle.feasibility import Prepared
from planner.scheduler.cycle.node_answers import AnswerMemory
from planner.scheduler.interface import SparseRequests
from planner.scheduler.plugins import pod_topology_spread
from planner.scheduler.preemption import preempt
from planner.scheduler.preemption_result import Budget
from planner.scheduler.profile import SchedulerProfile
from planner.scheduler.scheduler import Scheduler
from planner.scheduler.trial_memory import TrialMemory
from planner.state.changes import ClusterEventKind
from planner.state.nodes import NONE
from planner.state.pods import EndReason
from tests.planner.scheduler.builders import a_cluster, a_group, a_node, a_pod, a_template, change_something
from tests.planner.scheduler.test_placement_properties import NAMES, SOFT_TAINT, random_world, steps, templates

pods_by_node = st.lists(st.integers(0, 5), min_size=6, max_size=6)


@given(pods_by_node, st.lists(st.integers(0, 11), min_size=1, max_size=12, unique=True))
def test_spread_points_by_code_are_those_by_node(placed, feasible):
    cluster = a_cluster()
    cycle = SchedulingCycle(cluster, SchedulerProfile())
    for i in range(12):
        a_node(cluster, a_group(cluster, f"g{i}", zone="abc"[i % 3]))
    web = a_template(cluster, cpu=1)
    for node, count in enumerate(placed):
        for _ in range(count):
            cluster.bind(a_pod(cluster, web), node)
    spread = next(plugin for plugin in cycle.plugins.scores if plugin.name == "PodTopologySpread")
    rows = np.array(feasible)
    fast = spread.score(web, rows)
    limit, pod_topology_spread.MOST_CODES = pod_topology_spread.MOST_CODES, 0
    try:
        plain = spread.score(web, rows)
    finally:
        pod_topology_spread.MOST_CODES = limit
    assert fast.tolist() == plain.tolist()


def candidates(found):
    """All of them, and the best."""
    return [found.candidate(node) for node in found.helped], list(found.equals)


@settings(max_examples=40, deadline=None)
@given(st.lists(templates, min_size=4, max_size=4), steps, st.integers(0, 2))
def test_preemption_that_remembers_trials_finds_what_fresh_trials_find(made, script, allowed):
    cluster, groups, specs = random_world([fields | {"priority": 0} for fields in made])
    high = [
        a_template(cluster, f"high-{name}", **(fields | {"priority": 9}))
        for name, fields in zip(NAMES, made, strict=True)
    ]
    cycle, memory, plain = SchedulingCycle(cluster, SchedulerProfile()), TrialMemory(cluster), TrialMemory(cluster)
    plain.is_compiled = False
    for action, pick in script:
        change_something(cluster, groups, action, pick)
        pod = a_pod(cluster, specs[pick % len(specs)])
        outcome = cycle.decide(pod)
        if outcome.node >= 0:
            cluster.bind(pod, outcome.node)
        important = a_pod(cluster, high[pick % len(high)])
        prepared = cycle.prepare(important, high[pick % len(high)])
        verdicts, order = prepared.verdicts(), cycle.search.order.rows
        budgets = [Budget("default", LabelSelector(match_labels={"app": "one"}), allowed)] if allowed else []
        inputs = (cluster, SchedulerProfile(), prepared, verdicts, order, budgets)
        fresh = preempt(*inputs)
        for one in (memory, plain):
            kept = preempt(*inputs, memory=one)
            assert candidates(kept) == candidates(fresh) and kept.rejected == fresh.rejected
            assert (list(kept.leading), kept.tried, kept.failed) == (list(fresh.leading), fresh.tried, fresh.failed)
        cluster.remove_pod(important)


@settings(max_examples=60, deadline=None)
@given(st.lists(templates, min_size=4, max_size=4), steps)
def test_answers_that_are_kept_are_those_of_nodes_asked_afresh(made, script):
    cluster, groups, specs = random_world([fields | {"priority": i % 2} for i, fields in enumerate(made)])
    cycle, sparse, waiting = SchedulingCycle(cluster, SchedulerProfile()), SparseRequests(), []
    memory = AnswerMemory(cycle.context)
    for action, pick in script:
        change_something(cluster, groups, action, pick)
        waiting.append(a_pod(cluster, specs[pick % len(specs)]))
        if cluster.nodes.exists.any():
            nodes = np.flatnonzero(cluster.nodes.exists)
            cluster.nominate(waiting[pick % len(waiting)], int(nodes[pick % len(nodes)]))
        for pod in (*waiting[-4:], a_pod(cluster, specs[(pick + 1) % len(specs)])):
            spec = cluster.pod_specs[cluster.pods.spec[pod]]
            prepared = cycle.prepare(pod, spec)
            if not prepared.is_node_local or named_nodes(spec.placement.required_terms) is not None:
                continue
            kept = memory.of(pod, spec, partial(cycle.prepare, pod, spec))
            fresh = Prepared(cycle.context, sparse, pod, spec, cycle.plugins.filters).verdicts()
            assert kept.strength.tolist() == fresh.strength.tolist()
            assert (kept.counts(), set(kept.refusing())) == (fresh.counts(), set(fresh.refusing()))
            assert by_name(kept.reasons) == by_name(fresh.reasons) and by_name(kept.plugin) == by_name(fresh.plugin)
            assert kept.passes.tolist() == (cluster.nodes.exists & (fresh.strength == 0)).tolist()
            assert kept.feasible == np.count_nonzero(kept.passes)


def by_name(masks):
    return {name: mask.tolist() for name, mask in masks.items() if mask.any()}


@settings(max_examples=25, deadline=None)
@given(st.lists(templates, min_size=4, max_size=4), steps)
def test_two_schedulers_with_the_same_past_decide_alike(made, script):
    """Whole schedulers, with queue, preemption and wake-ups: no order of sets or objects slips into a decision."""
    runs = []
    for _ in range(2):
        cluster, groups, specs = random_world(made)
        recorder = Recorder()

        def on_preempt(victims, preemptor, node, cluster=cluster):
            for victim in victims:
                cluster.remove_pod(victim, EndReason.PREEMPTED)

        scheduler = Scheduler(cluster, recorder, on_preempt=on_preempt)
        for action, pick in script:
            change_something(cluster, groups, action, pick)
            a_pod(cluster, specs[pick % len(specs)])
            for _ in range(20):
                if not scheduler.schedule():
                    break
        runs.append([(d.verdict, d.subject, d.target, d.details) for d in recorder.decisions])
    assert runs[0] == runs[1]


@settings(max_examples=60, deadline=None)
@given(st.lists(templates, min_size=4, max_size=4), steps, st.booleans(), st.integers(1, 4))
def test_a_scheduler_that_repeats_refusals_decides_like_one_that_tries_again(made, script, draws, different):
    runs, made = [], [made[number % different] for number in range(4)]
    for skips in (True, False):
        cluster, groups, specs = random_world(made)
        recorder = Recorder()

        def on_preempt(victims, preemptor, node, cluster=cluster):
            for victim in victims:
                cluster.remove_pod(victim, EndReason.PREEMPTED)

        chance = Draws(1) if draws else None
        scheduler = Scheduler(cluster, recorder, on_preempt=on_preempt, draws=chance, skip_unchanged=skips)
        for action, pick in script:
            change_something(cluster, groups, action, pick)
            cluster.create_pods(specs[pick % len(specs)].index, 3)
            for _ in range(20):
                if not scheduler.schedule():
                    break
            scheduler.queue.wake(cluster.clock.now_us, lambda waiting: True)
        runs.append((recorder.decisions, scheduler.search.start))
    assert runs[0] == runs[1]


@settings(max_examples=40, deadline=None)
@given(st.lists(templates, min_size=4, max_size=4), steps, st.integers(0, 2))
def test_trials_in_plain_numbers_find_what_filters_find(made, script, allowed):
    cluster, groups, specs = random_world([fields | {"priority": i % 3} for i, fields in enumerate(made)])
    cycle = SchedulingCycle(cluster, SchedulerProfile())
    high = [a_template(cluster, f"high-{cpu}", cpu=cpu, priority=9) for cpu in (900, 1_900)]
    for action, pick in script:
        change_something(cluster, groups, action, pick)
        pod = a_pod(cluster, specs[pick % len(specs)])
        outcome = cycle.decide(pod)
        if outcome.node >= 0:
            cluster.bind(pod, outcome.node)
        elif cluster.nodes.exists.any():
            cluster.nominate(pod, int(cluster.nodes.exists.argmax()))
        important = a_pod(cluster, high[pick % 2])
        budgets = [Budget("default", LabelSelector(match_labels={"app": "one"}), allowed)] if allowed else []
        found = []
        for room in (True, False):
            prepared = cycle.prepare(important, high[pick % 2])
            if not room:
                prepared._with_pods = [*prepared._with_pods, *prepared._with_pods]
            assert not room or prepared.asked_room is None or prepared.is_node_local
            found.append(
                preempt(cluster, SchedulerProfile(), prepared, prepared.verdicts(), cycle.search.order.rows, budgets)
            )
        assert candidates(found[0]) == candidates(found[1]) and found[0].rejected == found[1].rejected
        cluster.remove_pod(important)


def test_refusals_that_repeat_a_known_one_are_made_in_a_row_up_to_the_next_pod_that_differs():
    cluster = a_cluster()
    a_node(cluster, a_group(cluster, "small", cpu=1000))
    scheduler = Scheduler(cluster, Recorder())
    large, small = a_template(cluster, cpu=2000), a_template(cluster, cpu=100)
    for template in (large, large, large, small, large):
        a_pod(cluster, template)
    assert scheduler.schedule(10) == 1
    assert scheduler.queue.unschedulable == 1
    assert scheduler.schedule(10) == 3
    assert scheduler.queue.unschedulable == 3
    assert cluster.pods.node[3] != NONE
    assert scheduler.schedule(10) == 1
    assert scheduler.queue.unschedulable == 4
    assert not scheduler.schedule(10)


def test_cycles_follow_each_other_until_something_else_has_to_act():
    cluster = a_cluster()
    a_node(cluster, a_group(cluster, "small", cpu=1000))
    scheduler, template = Scheduler(cluster, Recorder()), a_template(cluster, cpu=100)
    cluster.subscribe(lambda _: None, (ClusterEventKind.POD_BOUND,))  # one of those who act
    for _ in range(5):
        a_pod(cluster, template)
    assert scheduler.schedule(10, lambda: cluster.pods.node[1] != NONE) == 2
    assert scheduler.schedule(2, lambda: False) == 2
    assert scheduler.schedule(10, lambda: False) == 1
    assert (cluster.pods.node != NONE).all()


@given(st.lists(st.tuples(st.integers(0, 3), st.booleans()), max_size=12))
def test_soft_taints_matter_as_long_as_a_node_has_them(script):
    cluster = a_cluster()
    cycle = SchedulingCycle(cluster, SchedulerProfile())
    nodes = [a_node(cluster, a_group(cluster, f"g{number}")) for number in range(4)]
    web = a_template(cluster, cpu=1)
    taints = next(plugin for plugin in cycle.plugins.scores if plugin.name == "TaintToleration")
    for node, is_tainted in script:
        cluster.set_taints(node, (SOFT_TAINT,) if is_tainted else ())
        points = taints.score(web, np.array(nodes)).tolist()
        assert taints.uniform(web) == (points[0] if not any(map(cluster.node_taints, nodes)) else None)
        outcome = cycle.decide(a_pod(cluster, web))
        assert all(map(cluster.node_taints, nodes)) or not cluster.node_taints(outcome.node)
