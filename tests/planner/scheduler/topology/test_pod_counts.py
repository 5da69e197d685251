"""Running counts equal a count of all pods, whenever a counter is made and whatever its matcher chooses from."""

from collections import Counter

from hypothesis import given, settings, strategies

from planner.scheduler.topology.matchers import PodMatcher
from planner.scheduler.topology.pod_counts import PodCounts
from planner.scheduler.topology.topology import Topologies
from planner.state.nodes import NONE
from planner.state.pods import EndReason
from tests.planner.scheduler.builders import a_cluster, a_group, a_node, a_template

MATCHERS = (
    PodMatcher(workload=0),
    PodMatcher(workload=1),
    PodMatcher(workload=1, labels=(("tier", "front"),)),
    PodMatcher(namespace="default", labels=(("tier", "front"),)),
    PodMatcher(namespace="elsewhere", labels=(("tier", "front"),)),
)
STEP = strategies.sampled_from(["bind", "delete", "remove", "count", "template"])
STEPS = strategies.lists(strategies.tuples(STEP, strategies.integers(0, 20)), max_size=40)


def counted(cluster, matcher):
    """Pods by node, counted afresh."""
    pods = cluster.pods
    return Counter(
        int(pods.node[pod])
        for pod in range(pods.count)
        if pods.node[pod] != NONE and pods.deletion_us[pod] == NONE
        and matcher.matches(cluster.pod_specs[pods.spec[pod]])
    )  # fmt: skip


def act(cluster, counts, step, number):
    here = [pod for pod in range(cluster.pods.count) if cluster.pods.node[pod] != NONE]
    if step == "bind":
        cluster.bind(cluster.create_pods(number % len(cluster.pod_specs), 1), number % 3)
    elif step == "template":
        a_template(cluster, f"late-{number}", labels_extra={"tier": "front"} if number % 2 else None)
    elif step == "count":
        counts.total(MATCHERS[number % len(MATCHERS)])
    elif here:
        pod = here[number % len(here)]
        if step == "remove":
            cluster.remove_pod(pod)
        elif cluster.pods.deletion_us[pod] == NONE:
            cluster.begin_deletion(pod, EndReason.SCALE_DOWN)


@given(STEPS)
@settings(max_examples=60, deadline=None)
def test_a_counter_knows_its_pods_whenever_it_is_made(steps):
    cluster = a_cluster()
    group = a_group(cluster)
    for _ in range(3):
        a_node(cluster, group)
    a_template(cluster, "web", labels_extra={"tier": "front"})
    a_template(cluster, "api", labels_extra={"tier": "front"})
    counts = PodCounts(cluster, Topologies(cluster))
    for step, number in steps:
        act(cluster, counts, step, number)
    for matcher in MATCHERS:
        known = counts.by_node(matcher).tolist()
        assert {node: pods for node, pods in enumerate(known) if pods} == counted(cluster, matcher)
        assert counts.total(matcher) == sum(known)
