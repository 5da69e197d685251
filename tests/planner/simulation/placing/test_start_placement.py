"""Pods that stand on a node when the run begins."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planner.nodes.binding.start_placement import StartPlacement
from planner.plan.hints.all_hints import find_hints
from planner.plan.model.events.on_workloads import CreateWorkload
from planner.plan.model.node_groups import Taint
from planner.plan.model.plan import SimulationSettings
from planner.plan.model.pods.containers import Container, HostPort, Resources
from planner.plan.model.pods.pod_template import PodTemplate
from planner.plan.model.workloads import PodManagementPolicy, WorkloadKind
from planner.record.decisions import Actor
from planner.simulation.run import run_plan
from planner.simulation.simulation import Simulation
from planner.units import US_PER_S
from tests.builders import a_node_group, a_plan, a_pod, a_workload

POOL = a_node_group(initial_size=3, min_size=3, max_size=3)


def nodes_of(seconds=1, pool=POOL, **settings):
    """Nodes of the pods by workload, in order of creation; and the result."""
    result = run_plan(a_plan(**({"node_groups": (pool,)} | settings)), until_us=seconds * US_PER_S)
    found = {}
    for row in result.pods:
        found.setdefault(row["workload"], []).append(row["node"])
    return found, result


def test_the_first_pods_stand_where_the_plan_says_and_the_rest_is_scheduled():
    web = a_workload(replicas=4, starts_on={"pool-0003": 2, "pool-0001": 1})
    found, result = nodes_of(workloads=(web,))
    assert found["web"] == ["pool-0003", "pool-0003", "pool-0001", "pool-0002"]
    assert len([one for one in result.decisions if one.actor is Actor.SCHEDULER]) == 1


def test_they_stand_there_before_any_scheduler_looks():
    big, other = a_pod("3"), a_workload("other", replicas=1, pod=a_pod("3"))
    found, _ = nodes_of(workloads=(other, a_workload(replicas=2, pod=big, starts_on={"pool-0001": 1, "pool-0002": 1})))
    assert found == {"other": ["pool-0003"], "web": ["pool-0001", "pool-0002"]}


@pytest.mark.parametrize(("pod", "starts_on", "expected"), [
    pytest.param(a_pod("3"), {"pool-0001": 2}, ["pool-0001"], id="no room for a second one"),
    pytest.param(
        PodTemplate(containers=(Container(requests=Resources(cpu="1m"), host_ports=(HostPort(port=80),)),)),
        {"pool-0001": 2}, ["pool-0001"], id="its host port is taken",
    ),
    pytest.param(a_pod(), {"pool-0009": 1, "pool-0002": 1}, ["pool-0002"], id="a node that is not there"),
])  # fmt: skip
def test_where_there_is_no_room_the_next_place_counts_or_the_scheduler_decides(pod, starts_on, expected):
    found, _ = nodes_of(workloads=(a_workload(replicas=2, pod=pod, starts_on=starts_on),))
    assert found["web"][:1] == expected
    assert found["web"][1] not in (None, *expected)


def test_taints_and_affinity_that_came_later_do_not_move_them():
    tainted = a_node_group(initial_size=1, taints=(Taint(key="gpu", effect="NoSchedule"),))
    pod = a_pod(node_selector={"disk": "ssd"})
    found, _ = nodes_of(pool=tainted, workloads=(a_workload(replicas=1, pod=pod, starts_on={"pool-0001": 1}),))
    assert found["web"] == ["pool-0001"]


def test_pods_that_come_later_are_scheduled():
    web = a_workload(replicas=3, starts_on={"pool-0003": 3})
    found, _ = nodes_of(4, workloads=(web,), events=(CreateWorkload(type="createWorkload", workload="web", at="2s"),))
    assert sorted(found["web"]) == ["pool-0001", "pool-0002", "pool-0003"]


def test_they_are_ready_from_the_start_like_other_pods():
    web = a_workload(replicas=1, starts_on={"pool-0002": 1}, pod=a_pod(startup_delay="30s"))
    _, result = nodes_of(workloads=(web,))
    assert [row["ready_s"] for row in result.pods] == [0.0]


@pytest.mark.parametrize("policy", list(PodManagementPolicy))
def test_a_stateful_set_is_whole_when_the_run_begins(policy):
    places = {"pool-0002": 1, "pool-0001": 2}
    db = a_workload("db", kind=WorkloadKind.STATEFUL_SET, replicas=4, starts_on=places,
                    stateful={"pod_management_policy": policy}, pod=a_pod(startup_delay="30s"))  # fmt: skip
    found, result = nodes_of(workloads=(db,))
    assert found["db"][:3] == ["pool-0002", "pool-0001", "pool-0001"]
    assert [(row["pod"], row["ready_s"]) for row in result.pods] == [(f"db-{number}", 0.0) for number in range(4)]


def test_a_cold_stateful_set_makes_one_pod_after_the_other():
    db = a_workload("db", kind=WorkloadKind.STATEFUL_SET, replicas=3, pod=a_pod(startup_delay="30s"))
    _, result = nodes_of(70, workloads=(db,), simulation=SimulationSettings(warm_start=False))
    assert [row["created_s"] for row in result.pods] == [0.0, 30.0, 60.0]


@pytest.mark.parametrize(("settings", "text"), [
    pytest.param({"starts_on": {"pool-0001": 3}}, "the rest are ignored", id="more than replicas"),
    pytest.param({"starts_on": {"pool-0004": 1}}, "No pool starts with the node pool-0004", id="no such node"),
    pytest.param({"starts_on": {"pool-0001": 1}, "kind": WorkloadKind.DAEMON_SET}, "are ignored", id="a DaemonSet"),
    pytest.param({"starts_on": {"pool-0003": 2}}, None, id="well meant"),
])  # fmt: skip
def test_unlikely_nodes_at_the_start_give_a_hint(settings, text):
    hints = [h.text for h in find_hints(a_plan(node_groups=(POOL,), workloads=(a_workload(**settings),)))
             if "startsOn" in h.where]  # fmt: skip
    assert (text in hints[0]) if text else not hints


@pytest.mark.parametrize(("mode", "names"), [
    pytest.param("balanced", ["pool-0001", "pool-0004"], id="one group over two zones"),
    pytest.param("perZone", ["pool-a-0001", "pool-b-0002"], id="a group per zone"),
])  # fmt: skip
def test_nodes_of_pools_with_several_zones_are_known(mode, names):
    pool = a_node_group(initial_size=4, max_size=4, zone_mode=mode, zones=({"name": "a"}, {"name": "b"}))
    web = a_workload(replicas=2, starts_on=dict.fromkeys(names, 1))
    plan = a_plan(node_groups=(pool,), workloads=(web,))
    assert [hint for hint in find_hints(plan) if "startsOn" in hint.where] == []
    assert nodes_of(pool=pool, workloads=(web,))[0]["web"] == names


@settings(max_examples=60)
@given(
    lists=st.lists(
        st.tuples(
            st.sampled_from(["100m", "900m", "3"]),
            st.dictionaries(st.sampled_from(["pool-0001", "pool-0002", "pool-0003", "gone-0001"]), st.integers(1, 6)),
        ),
        min_size=1,
        max_size=4,
    ),
)
def test_nodes_with_room_for_all_take_the_pods_that_they_would_take_one_by_one(lists):
    workloads = tuple(
        a_workload(f"web-{number}", replicas=sum(starts.values()), pod=a_pod(cpu), starts_on=starts)
        for number, (cpu, starts) in enumerate(lists)
    )
    found, _ = nodes_of(workloads=workloads)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(StartPlacement, "_spacious", lambda self, pods: np.zeros(self._cluster.nodes.count, np.bool_))
        assert nodes_of(workloads=workloads)[0] == found


@settings(max_examples=40)
@given(
    starts=st.dictionaries(st.sampled_from(["pool-0001", "pool-0002", "pool-0003", "gone-0001"]), st.integers(1, 9)),
    replicas=st.integers(0, 20),
    cpu=st.sampled_from(["100m", "900m", "3"]),
)
def test_no_node_is_ever_filled_beyond_what_it_has(starts, replicas, cpu):
    web = a_workload(replicas=replicas, pod=a_pod(cpu), starts_on=starts)
    sim = Simulation(a_plan(node_groups=(POOL,), workloads=(web,)), 1)
    sim.start()
    nodes = sim.cluster.nodes
    assert (nodes.requested <= nodes.allocatable).all()
    assert len(sim.cluster.workload_pods[0]) == replicas
    on = Counter(sim.cluster.node_name(int(node)) for node in sim.cluster.pods.node[:replicas] if node >= 0)
    room = 4000 // {"100m": 100, "900m": 900, "3": 3000}[cpu]
    wanted = {name: min(pods, room) for name, pods in starts.items() if name != "gone-0001"}
    if sum(starts.values()) <= replicas:  # every place of the list is looked at
        assert all(on[name] >= pods for name, pods in wanted.items())
