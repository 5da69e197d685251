import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planner.matching.taints import TolerationOperator
from planner.plan.model.pods.placement import LabelSelector, Toleration, TopologySpreadConstraint, UnsatisfiableAction
from planner.record.decisions import Verdict
from planner.record.recorder import ALONE_AT_ONCE, Recorder
from planner.record.text.explain import why
from planner.scheduler.cycle.cycle import SchedulingCycle
from planner.scheduler.cycle.node_order import NodeOrder, nodes_to_find
from planner.scheduler.preemption_result import NOT_HELPFUL
from planner.scheduler.profile import SchedulerProfile
from planner.scheduler.reasons import Reason
from planner.scheduler.scheduler import Scheduler
from planner.state.pods import EndReason
from planner.state.specs import HOSTNAME_LABEL, ZONE_LABEL
from planner.units import GIB, US_PER_S
from tests.planner.scheduler.builders import GPU_TAINT, a_cluster, a_group, a_node, a_pod, a_template, change_something


def run(scheduler):
    while scheduler.schedule():
        pass


def test_pods_spread_over_nodes_and_ties_go_to_the_smallest_name():
    cluster = a_cluster()
    scheduler = Scheduler(cluster, Recorder())
    group = a_group(cluster)
    nodes = [a_node(cluster, group) for _ in range(3)]
    web = a_template(cluster)
    pods = [a_pod(cluster, web) for _ in range(3)]
    run(scheduler)
    assert [int(cluster.pods.node[pod]) for pod in pods] == nodes


def test_a_refusal_counts_nodes_by_the_first_filter_that_refuses():
    cluster, recorder = a_cluster(), Recorder()
    scheduler = Scheduler(cluster, recorder)
    for group in (a_group(cluster, "gpu", taints=(GPU_TAINT,)), a_group(cluster, "tiny", cpu=500)):
        a_node(cluster, group)
    pod = a_pod(cluster, a_template(cluster))
    run(scheduler)
    decision = recorder.decisions[-1]
    assert decision.verdict == Verdict.UNSCHEDULABLE
    assert decision.details.refused == {Reason.UNTOLERATED_TAINT: 1, Reason.INSUFFICIENT_CPU: 1}
    assert (decision.details.nodes, decision.details.not_helped) == (2, {NOT_HELPFUL: 2})
    assert why(decision) == (
        "0/2 nodes are available: 1 Insufficient cpu, 1 node(s) had untolerated taint(s). "
        "preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling."
    )
    assert cluster.pods.unschedulable_us[pod] == 0


@pytest.mark.parametrize(
    ("second_cpu", "margin"),
    [
        (4_000, "2 of them tied"),
        (3_000, "next small-0001 with 645"),
    ],
)
def test_a_choice_says_by_how_much_it_won(second_cpu, margin):
    cluster, recorder = a_cluster(), Recorder()
    scheduler = Scheduler(cluster, recorder)
    a_node(cluster, a_group(cluster, "big"))
    a_node(cluster, a_group(cluster, "small", cpu=second_cpu))
    a_pod(cluster, a_template(cluster))
    run(scheduler)
    text = why(recorder.decisions[-1])
    assert text.startswith("Successfully assigned web-0001 to big-0001, score")
    assert margin in text


def test_a_new_node_that_fits_wakes_the_pod_and_one_that_is_too_small_does_not():
    cluster = a_cluster()
    scheduler = Scheduler(cluster, Recorder())
    a_node(cluster, a_group(cluster, "tiny", cpu=500))
    pod = a_pod(cluster, a_template(cluster))
    run(scheduler)
    a_node(cluster, a_group(cluster, "small", cpu=900))
    assert not scheduler.schedule()
    node = a_node(cluster, a_group(cluster, "big"))
    run(scheduler)
    assert cluster.pods.node[pod] == node


def test_a_pod_of_higher_priority_takes_the_place_of_the_least_important_pods():
    cluster = a_cluster()
    gone = []

    def on_preempt(victims, preemptor, node):
        gone.extend(victims)
        for victim in victims:
            cluster.remove_pod(victim, EndReason.PREEMPTED)

    scheduler = Scheduler(cluster, Recorder(), on_preempt=on_preempt)
    node = a_node(cluster, a_group(cluster, cpu=2_000))
    low = a_template(cluster, "low")
    first = a_pod(cluster, low)
    run(scheduler)
    cluster.clock.now_us = US_PER_S  # type: ignore[misc]
    second = a_pod(cluster, low)
    run(scheduler)
    high = a_pod(cluster, a_template(cluster, "high", priority=100))
    run(scheduler)
    assert gone == [second]
    assert cluster.pods.node[[first, high]].tolist() == [node, node]
    assert cluster.pods.nominated[high] == -1


def test_a_pod_waits_on_its_nominated_node_and_lower_pods_do_not_take_the_room():
    cluster = a_cluster()
    scheduler = Scheduler(
        cluster,
        Recorder(),
        on_preempt=lambda victims, pod, node: [cluster.begin_deletion(v, EndReason.PREEMPTED) for v in victims],
    )
    node = a_node(cluster, a_group(cluster, cpu=1_000))
    low = a_template(cluster, "low")
    victim = a_pod(cluster, low)
    run(scheduler)
    high = a_pod(cluster, a_template(cluster, "high", priority=100))
    run(scheduler)
    assert cluster.pods.nominated[high] == node
    late = a_pod(cluster, low)
    cluster.remove_pod(victim)
    run(scheduler)
    assert cluster.pods.node[[high, late]].tolist() == [node, -1]


@pytest.mark.parametrize(("retries", "chosen"), [(0, "roomy"), (1, "nominated")])
def test_a_nomination_is_tried_first_only_after_one_more_refusal(retries, chosen):
    """The queue's copy of a pod is made when an attempt fails, before the nomination that it leads to."""
    cluster = a_cluster()
    scheduler = Scheduler(
        cluster,
        Recorder(),
        on_preempt=lambda victims, pod, node: [cluster.begin_deletion(v, EndReason.PREEMPTED) for v in victims],
    )
    nodes = {}
    for name, cpu in (("nominated", 1_000), ("roomy", 2_000)):
        nodes[name] = a_node(cluster, a_group(cluster, name, cpu=cpu))
        a_pod(cluster, a_template(cluster, f"low-{name}", cpu=cpu))
        run(scheduler)
    high = a_pod(cluster, a_template(cluster, "high", cpu=500, priority=100))
    run(scheduler)
    assert cluster.pods.nominated[high] == nodes["nominated"]
    for _ in range(retries):
        scheduler.queue.wake(cluster.clock.now_us, lambda _: True)
        run(scheduler)
    cluster.clock.now_us = 30 * US_PER_S  # type: ignore[misc]
    cluster.remove_pod(1)
    cluster.remove_pod(0)
    run(scheduler)
    assert cluster.pods.node[high] == nodes[chosen]


def test_without_nodes_the_scheduler_rests_until_the_backoff_ends():
    cluster = a_cluster()
    scheduler = Scheduler(cluster, Recorder())
    a_pod(cluster, a_template(cluster))
    run(scheduler)
    assert scheduler.next_timer_us() == 2 * US_PER_S


@pytest.mark.parametrize(("skew", "expected"), [(1, {"b"}), (2, {"a", "b"})])
def test_hard_zone_spread_admits_only_zones_within_the_skew(skew, expected):
    cluster = a_cluster()
    cycle = SchedulingCycle(cluster, SchedulerProfile())
    zones = {a_node(cluster, a_group(cluster, zone, zone=zone)): zone for zone in ("a", "b")}
    spread = TopologySpreadConstraint(
        max_skew=skew, topology_key=ZONE_LABEL, label_selector=LabelSelector(match_labels={"app": "web"})
    )
    web = a_template(cluster, spread_constraints=(spread,))
    cluster.bind(a_pod(cluster, web), 0)
    rows = cycle.decide(a_pod(cluster, web)).rows.tolist()
    assert {zones[row] for row in rows} == expected


def test_node_order_takes_one_node_of_each_zone_in_turn():
    order = NodeOrder()
    for node in (1, 2, 3, 4):
        order.add(node, ("", "a"))
    for node in (5, 6):
        order.add(node, ("", "b"))
    assert order.rows.tolist() == [1, 5, 2, 6, 3, 4]


@pytest.mark.parametrize(
    ("nodes", "percentage", "wanted"),
    [
        (100, 0, 100),
        (1000, 0, 420),
        (5000, 0, 500),
        (6000, 0, 300),
        (200, 50, 100),
    ],
)
def test_large_clusters_are_sampled(nodes, percentage, wanted):
    assert nodes_to_find(nodes, percentage) == wanted


def test_a_pinned_pod_goes_to_its_node_only():
    cluster = a_cluster()
    scheduler = Scheduler(cluster, Recorder())
    group = a_group(cluster)
    nodes = [a_node(cluster, group) for _ in range(3)]
    agent = a_template(cluster, "agent", is_daemon=True)
    pod = cluster.create_pods(agent.index, 1, pinned=[nodes[2]])
    run(scheduler)
    assert cluster.pods.node[pod] == nodes[2]


TOLERATES_ALL = (Toleration(operator=TolerationOperator.EXISTS),)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 10_000)), min_size=1, max_size=60))
def test_a_cycle_with_memory_decides_like_one_without(steps):
    """Whatever happens to the cluster, kept figures equal fresh ones."""
    cluster = a_cluster()
    kept = SchedulingCycle(cluster, SchedulerProfile())
    groups = [
        a_group(cluster, "a", zone="a"),
        a_group(cluster, "b", cpu=2_000, zone="b"),
        a_group(cluster, "t", zone="a", taints=(GPU_TAINT,)),
        a_group(cluster, "none"),
    ]
    soft = TopologySpreadConstraint(
        max_skew=1,
        topology_key=HOSTNAME_LABEL,
        label_selector=LabelSelector(match_labels={"app": "one"}),
        when_unsatisfiable=UnsatisfiableAction.SCHEDULE_ANYWAY,
    )
    hard = TopologySpreadConstraint(
        max_skew=2, topology_key=ZONE_LABEL, label_selector=LabelSelector(match_labels={"app": "two"})
    )
    specs = [
        a_template(cluster, "zero", cpu=300),
        a_template(cluster, "one", cpu=500, spread_constraints=(soft,)),
        a_template(cluster, "two", cpu=300, spread_constraints=(hard,), priority=5),
        a_template(cluster, "three", cpu=0, memory=GIB // 2, tolerations=TOLERATES_ALL),
    ]
    a_node(cluster, groups[0])
    for action, pick in steps:
        change_something(cluster, groups, action, pick)
        pod = a_pod(cluster, specs[pick % len(specs)])
        fresh = SchedulingCycle(cluster, SchedulerProfile())
        fresh.search.order, fresh.search.start = kept.search.order, kept.search.start
        mine, other = kept.decide(pod), fresh.decide(pod)
        assert (mine.node, mine.scores) == (other.node, other.scores)
        assert mine.rows.tolist() == other.rows.tolist()
        assert np.array_equal(mine.totals, other.totals)
        if mine.node >= 0:
            cluster.bind(pod, mine.node)
        elif pick % 3 == 0 and cluster.nodes.exists.any():
            cluster.nominate(pod, int(cluster.nodes.exists.argmax()))


def test_of_very_many_pods_that_one_instant_refuses_those_of_a_template_share_a_decision():
    cluster, recorder = a_cluster(), Recorder()
    scheduler = Scheduler(cluster, recorder)
    group = a_group(cluster)
    a_node(cluster, group)
    large = a_template(cluster, cpu=10**6)
    pods = [a_pod(cluster, large) for _ in range(ALONE_AT_ONCE + 50)]
    run(scheduler)
    *alone, shared = recorder.decisions
    assert len(alone) == ALONE_AT_ONCE and not any(one.others for one in alone)
    names = [cluster.pod_name(pod) for pod in pods]
    assert [one.subject for one in alone] + [shared.subject, *shared.others] == names
    assert why(shared).startswith("0/1 nodes are available: 1 Insufficient cpu.")
    assert why(shared).endswith(f"Refused with it: 49 more pods, {', '.join(shared.others[:5])} and 44 more.")
