from dataclasses import replace

import pytest

from planner.matching.taints import CORDON_TAINT, NodeTaint, TaintEffect
from planner.plan.model.pods.placement import (
    LabelSelector,
    NodeSelectorRequirement,
    NodeSelectorTerm,
    PodAffinityTerm,
    Toleration,
    TopologySpreadConstraint,
)
from planner.plan.model.scheduler import PluginName
from planner.record.recorder import Recorder
from planner.scheduler.profile import SchedulerProfile
from planner.scheduler.queue.queued_pod import QueuePlace
from planner.scheduler.queue.wake_facts import NodeChange, NodeFacts, PodChange, waiting_pod
from planner.scheduler.queue.wake_hints import node_change_helps, pod_change_helps
from planner.scheduler.scheduler import Scheduler
from planner.state.specs import ZONE_LABEL, PortClaim
from tests.planner.scheduler.builders import a_cluster, a_group, a_node, a_pod, a_template

PROFILE = SchedulerProfile()
DB = LabelSelector(match_labels={"app": "db"})


def term(selector=DB, **fields):
    return PodAffinityTerm(topology_key=ZONE_LABEL, label_selector=selector, **fields)


def waiting(plugin, **fields):
    cluster = a_cluster()
    return waiting_pod(a_template(cluster, **fields), (plugin,), PROFILE)


def spec_of(name="db", **fields):
    return a_template(a_cluster(), name, **fields)


@pytest.mark.parametrize(
    ("fields", "change", "helps"),
    [
        ({"required_affinity": (term(),)}, PodChange(None, spec_of("db")), True),
        ({"required_affinity": (term(),)}, PodChange(None, spec_of("other")), False),
        ({"required_affinity": (term(),)}, PodChange(None, spec_of("db"), assigned=False), False),
        ({"required_affinity": (term(),)}, PodChange(spec_of("db"), None), False),
        ({"required_affinity": (term(),)}, PodChange(spec_of("other"), spec_of("db")), True),
        ({"required_anti_affinity": (term(),)}, PodChange(spec_of("db"), None), True),
        ({"required_anti_affinity": (term(),)}, PodChange(spec_of("db"), spec_of("other")), True),
        (
            {"required_anti_affinity": (term(namespace_selector=LabelSelector(match_labels={"team": "a"})),)},
            PodChange(spec_of("db"), None),
            False,
        ),
        ({"required_anti_affinity": (term(namespace_selector=LabelSelector()),)}, PodChange(spec_of("db"), None), True),
        ({}, PodChange(spec_of("x", required_anti_affinity=(term(LabelSelector()),)), None), True),
        ({}, PodChange(spec_of("x"), spec_of("y"), is_waiting_pod=True), True),
    ],
)
def test_what_helps_a_pod_that_affinity_refused(fields, change, helps):
    assert pod_change_helps(waiting(PluginName.INTER_POD_AFFINITY, **fields), change) is helps


@pytest.mark.parametrize(
    ("change", "helps"),
    [
        (PodChange(spec_of(cpu=500), None), True),
        (PodChange(spec_of(cpu=500), None, assigned=False), False),
        (PodChange(spec_of(cpu=500), None, assigned=False, nominated=True), True),
        (PodChange(spec_of(cpu=500), spec_of(cpu=400)), True),
        (PodChange(spec_of(cpu=400), spec_of(cpu=500)), False),
        (PodChange(None, spec_of(cpu=500)), False),
    ],
)
def test_what_helps_a_pod_that_found_no_room(change, helps):
    assert pod_change_helps(waiting(PluginName.NODE_RESOURCES_FIT), change) is helps


EVERYTHING = Toleration(operator="Exists")


@pytest.mark.parametrize(
    ("after", "changed", "is_waiting_pod", "helps"),
    [
        ((Toleration(key="team"), EVERYTHING), True, True, True),
        ((Toleration(key="team"), Toleration(key="other")), True, True, False),
        ((Toleration(key="team"), EVERYTHING), True, False, False),
        # The API allows more tolerations, not other ones: the scheduler looks at their number.
        ((EVERYTHING,), False, True, False),
    ],
)
def test_a_new_toleration_of_cordoned_nodes_helps_a_pod_that_cordons_refused(after, changed, is_waiting_pod, helps):
    before = (Toleration(key="team"),)
    change = PodChange(
        spec_of(tolerations=before),
        spec_of(tolerations=after),
        is_waiting_pod=is_waiting_pod,
        tolerations_changed=changed,
    )
    assert pod_change_helps(waiting(PluginName.NODE_UNSCHEDULABLE, tolerations=before), change) is helps


@pytest.mark.parametrize(("port", "helps"), [(80, True), (81, False)])
def test_a_freed_host_port_helps_who_wants_it(port, helps):
    change = PodChange(spec_of(host_ports=(PortClaim(port, ip="10.0.0.1"),)), None)
    assert pod_change_helps(waiting(PluginName.NODE_PORTS, host_ports=(PortClaim(80),)), change) is helps


def facts(**labels):
    cluster = a_cluster()
    amounts = cluster.axis.amounts({"cpu": 4_000, "pods": 10})
    return NodeFacts("n", labels, (), False, amounts)


@pytest.mark.parametrize(
    ("fields", "old", "new", "helps"),
    [
        ({"required_affinity": (term(),)}, None, {ZONE_LABEL: "a"}, True),
        ({"required_affinity": (term(),)}, None, {}, False),
        ({"required_affinity": (term(),)}, {ZONE_LABEL: "a"}, {ZONE_LABEL: "b"}, True),
        ({"required_anti_affinity": (term(),)}, None, {}, True),
        ({"required_anti_affinity": (term(),)}, {ZONE_LABEL: "a"}, {}, True),
        ({"required_anti_affinity": (term(),)}, {}, {ZONE_LABEL: "a"}, False),
        ({}, None, {ZONE_LABEL: "a"}, False),
    ],
)
def test_which_nodes_help_a_pod_that_affinity_refused(fields, old, new, helps):
    before = None if old is None else facts(**old)
    change = NodeChange(before, facts(**new))
    pod = waiting(PluginName.INTER_POD_AFFINITY, **fields)
    assert node_change_helps(pod, change, a_cluster().axis, PROFILE) is helps


SPREAD = TopologySpreadConstraint(
    max_skew=1, topology_key=ZONE_LABEL, when_unsatisfiable="DoNotSchedule", label_selector=DB
)
TAINTED = (NodeTaint("team", "", TaintEffect.NO_SCHEDULE),)


@pytest.mark.parametrize(
    ("change", "helps"),
    [
        (PodChange(spec_of("db"), None, assigned=False, nominated=True), True),
        (PodChange(spec_of("db"), None, assigned=False), False),
        (PodChange(spec_of("db"), spec_of("other"), is_waiting_pod=True), True),
        (PodChange(spec_of("db"), spec_of("db", labels_extra={"rev": "2"}), is_waiting_pod=True), False),
        (PodChange(spec_of("db"), spec_of("db"), is_waiting_pod=True, tolerations_changed=True), False),
    ],
)
def test_what_helps_a_pod_that_spreading_refused(change, helps):
    """kube-scheduler 1.36, podtopologyspread/plugin.go, isSchedulableAfterPodChange."""
    pod = waiting(PluginName.POD_TOPOLOGY_SPREAD, spread_constraints=(SPREAD,))
    assert pod_change_helps(pod, change) is helps


@pytest.mark.parametrize(
    ("old", "new", "helps"),
    [
        (((), True), ((), False), False),
        (((CORDON_TAINT,), True), ((), False), True),
        ((TAINTED, False), ((), False), True),
        (((), False), ((), False), False),
    ],
)
def test_uncordoning_helps_a_pod_that_spreading_refused_once_the_taint_is_gone(old, new, helps):
    """kube-scheduler 1.36, podtopologyspread/plugin.go, isSchedulableAfterNodeChange: the flag does not count."""
    (before, was), (after, is_now) = old, new
    node = facts(**{ZONE_LABEL: "a"})
    change = NodeChange(replace(node, taints=before, cordoned=was), replace(node, taints=after, cordoned=is_now))
    pod = waiting(PluginName.POD_TOPOLOGY_SPREAD, spread_constraints=(SPREAD,))
    assert node_change_helps(pod, change, a_cluster().axis, PROFILE) is helps


@pytest.mark.parametrize(("plugin", "helps"), [(PluginName.NODE_PORTS, True), (PluginName.INTER_POD_AFFINITY, True)])
def test_a_nomination_that_ends_helps_as_if_the_pod_were_gone(plugin, helps):
    """kube-scheduler 1.36, nodeports/node_ports.go and interpodaffinity/plugin.go."""
    fields = {"host_ports": (PortClaim(80),), "required_anti_affinity": (term(),)}
    change = PodChange(spec_of("db", host_ports=(PortClaim(80),)), None, assigned=False, nominated=True)
    assert pod_change_helps(waiting(plugin, **fields), change) is helps


def enforcing(team):
    expression = NodeSelectorRequirement(key="team", operator="In", values=(team,))
    return replace(PROFILE, added_required_terms=(NodeSelectorTerm(match_expressions=(expression,)),))


@pytest.mark.parametrize(
    ("selector", "old", "new", "helps"),
    [
        ({"disk": "ssd"}, {"team": "red"}, {"team": "red", "disk": "ssd"}, True),
        ({"disk": "ssd"}, {"disk": "ssd"}, {"team": "red", "disk": "ssd"}, False),
        ({"disk": "ssd"}, {"team": "red"}, {"disk": "ssd"}, False),
        ({"disk": "ssd"}, None, {"team": "red", "disk": "ssd"}, True),
    ],
)
def test_of_a_known_node_only_what_the_pod_asks_for_may_have_been_lacking(selector, old, new, helps):
    """kube-scheduler 1.36, nodeaffinity/node_affinity.go: what the profile adds is looked at on the new node alone."""
    change = NodeChange(None if old is None else facts(**old), facts(**new))
    pod = waiting(PluginName.NODE_AFFINITY, node_selector=selector)
    assert node_change_helps(pod, change, a_cluster().axis, enforcing("red")) is helps


def a_term(operator, *values):
    return NodeSelectorTerm(match_expressions=({"key": "disk", "operator": operator, "values": values},))


@pytest.mark.parametrize(
    ("terms", "selector", "new", "helps"),
    [
        ([a_term("Lt", "many")], {}, {"team": "red"}, True),
        ([a_term("In", "hdd"), a_term("Lt", "many")], {}, {"team": "red", "disk": "ssd"}, True),
        ([a_term("In", "ssd"), a_term("Lt", "many")], {}, {"team": "red", "disk": "ssd"}, False),
        ([a_term("Lt", "many")], {"disk": "hdd"}, {"team": "red", "disk": "ssd"}, False),
        ([a_term("Lt", "many")], {}, {"team": "blue"}, False),
        ([a_term("Lt", "7")], {}, {"team": "red", "disk": "ssd"}, False),
    ],
    ids=["malformed", "no other matches", "another matches", "selector differs", "profile refuses", "well formed"],
)
def test_a_pod_whose_terms_cannot_be_judged_is_tried_again(terms, selector, new, helps):
    """kube-scheduler 1.36, nodeaffinity/node_affinity.go: a hint that fails lets the pod go."""
    change = NodeChange(facts(**new), facts(**new))
    pod = waiting(PluginName.NODE_AFFINITY, node_selector=selector, required_terms=tuple(terms))
    assert node_change_helps(pod, change, a_cluster().axis, enforcing("red")) is helps


@pytest.mark.parametrize(("gpus", "helps"), [(0, False), (1, True)])
def test_room_is_wanted_for_ignored_resources_too(gpus, helps):
    """kube-scheduler 1.36, noderesources/fit.go: isFit does not know the arguments of the plugin."""
    cluster = a_cluster()
    spec = a_template(cluster, cpu=100)
    spec.request[cluster.axis.index("example.com/gpu")] = 1
    profile = replace(PROFILE, ignored_resource_groups=("example.com",))
    node = facts()
    node.allocatable[cluster.axis.index("memory")] = 8 << 30
    node.allocatable[cluster.axis.index("example.com/gpu")] = gpus
    pod = waiting_pod(spec, (PluginName.NODE_RESOURCES_FIT,), profile)
    assert node_change_helps(pod, NodeChange(None, node), cluster.axis, profile) is helps


@pytest.mark.parametrize(
    ("ends", "priority", "place"),
    [
        ("cleared", 5, QueuePlace.BACKOFF),
        ("cleared", 10, QueuePlace.BACKOFF),
        ("cleared", 11, QueuePlace.UNSCHEDULABLE),
        ("deleted", 10, QueuePlace.BACKOFF),
        ("deleted", 11, QueuePlace.UNSCHEDULABLE),
    ],
)
def test_the_end_of_a_nomination_wakes_pods_of_no_higher_priority(ends, priority, place):
    """kube-scheduler 1.36, eventhandlers.go, getLEPriorityPreCheck."""
    cluster = a_cluster()
    scheduler = Scheduler(cluster, Recorder())
    node = a_node(cluster, a_group(cluster, cpu=100))
    preemptor = a_pod(cluster, a_template(cluster, "preemptor", cpu=500, priority=10, may_preempt=False))
    other = a_pod(cluster, a_template(cluster, "other", cpu=500, priority=priority, may_preempt=False))
    while scheduler.schedule() and scheduler.queue.count(QueuePlace.ACTIVE):
        pass
    cluster.nominate(preemptor, node)
    assert scheduler.queue.place(other) is QueuePlace.UNSCHEDULABLE
    if ends == "cleared":
        scheduler._end_nomination(preemptor)
    else:
        cluster.remove_pod(preemptor)
    assert scheduler.queue.place(other) is place


def test_a_pod_waiting_for_a_partner_is_woken_when_the_partner_is_placed():
    cluster = a_cluster()
    scheduler = Scheduler(cluster, Recorder())
    a_node(cluster, a_group(cluster, zone="a"))
    web = a_pod(cluster, a_template(cluster, "web", cpu=100, required_affinity=(term(),)))
    while scheduler.schedule():
        pass
    assert scheduler.queue.place(web) is QueuePlace.UNSCHEDULABLE
    a_pod(cluster, a_template(cluster, "db", cpu=100))
    while scheduler.schedule():
        pass
    assert cluster.pods.node[web] == 0


def test_a_gated_pod_is_not_queued_until_its_gates_are_gone():
    cluster = a_cluster()
    scheduler = Scheduler(cluster, Recorder())
    a_node(cluster, a_group(cluster))
    spec = a_template(cluster, cpu=100, is_gated=True)
    pod = a_pod(cluster, spec)
    assert not scheduler.schedule() and cluster.pods.gated[pod]
    cluster.remove_gates(spec.workload)
    late = a_pod(cluster, spec)
    while scheduler.schedule():
        pass
    assert cluster.pods.node[[pod, late]].tolist() == [0, 0]


def test_a_pod_of_an_unknown_scheduler_stays_pending():
    cluster = a_cluster()
    scheduler = Scheduler(cluster, Recorder())
    a_node(cluster, a_group(cluster))
    pod = a_pod(cluster, a_template(cluster, cpu=100, scheduler=-1))
    assert not scheduler.schedule()
    assert cluster.pods.node[pod] == -1 and cluster.pods.unschedulable_us[pod] == -1
