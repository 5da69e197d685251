import pytest

from planner.plan.model.pods.placement import LabelSelector, PodAffinityTerm, Toleration
from planner.plan.model.scheduler import PluginName
from planner.record.recorder import Recorder
from planner.scheduler.profile import SchedulerProfile
from planner.scheduler.queue.scheduling_queue import QueuePlace
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
