"""Nodes that die: what the control plane notices, when, and what becomes of their pods."""

import pytest

from planner.nodes.lifecycle.node_health import EXCLUDED
from planner.record.decisions import Actor, Verdict
from planner.simulation.run import run_plan
from planner.units import US_PER_S
from tests.planner.nodes.small_plan import a_group, a_plan, a_workload, decisions_of, run_of, seconds

LOSS = {"type": "nodeLoss", "nodeGroup": "pool", "at": "101s", "nodeRemovedAfter": "0s"}


def test_four_of_ten_nodes_that_die_together_lose_their_pods_ten_seconds_apart() -> None:
    plan = a_plan(
        nodeGroups=[a_group("pool", 10, zone="a")],
        workloads=[a_workload("web", 30)],
        events=[{**LOSS, "count": 4}],
    )
    sim = run_of(plan)
    noticed = seconds(decisions_of(sim, Actor.NODE_LIFECYCLE, Verdict.UNREACHABLE))
    tainted = seconds(decisions_of(sim, Actor.NODE_LIFECYCLE, Verdict.TAINTED))
    deleted = sorted(set(seconds(decisions_of(sim, Actor.TAINT_EVICTION, Verdict.EVICTED))))
    assert all(101 - 10 + 50 < at <= 101 + 60 and at % 5 == 0 for at in noticed)
    assert len(noticed) == len(tainted) == 4
    assert [later - earlier for earlier, later in zip(tainted, tainted[1:], strict=False)] == [10, 10, 10]
    assert deleted == [at + 300 for at in tainted]


def test_pods_of_a_dead_node_serve_no_more_and_are_replaced_after_the_toleration() -> None:
    plan = a_plan(events=[{**LOSS, "count": 1}])
    early, late = run_of(plan, 200), run_of(plan, 600)
    assert int(early.cluster.workloads.ready[0]) == 3
    assert int(early.cluster.workloads.active[0]) == 4
    assert int(late.cluster.workloads.ready[0]) == 4
    assert int(late.cluster.workloads.terminating[0]) == 1, "no kubelet is left to end the old pod"


def test_a_pod_without_grace_period_is_gone_at_once_even_from_a_dead_node() -> None:
    sim = run_of(
        a_plan(
            workloads=[a_workload("web", 4, pod={"terminationGracePeriod": "0s"})],
            events=[{**LOSS, "count": 1}],
        ),
        600,
    )
    assert int(sim.cluster.workloads.ready[0]) == 4
    assert int(sim.cluster.workloads.terminating[0]) == 0


def test_a_node_that_comes_back_in_time_keeps_its_pods() -> None:
    sim = run_of(a_plan(events=[{**LOSS, "count": 1, "duration": "120s"}]))
    assert decisions_of(sim, Actor.TAINT_EVICTION, Verdict.EVICTED) == []
    assert int(sim.cluster.workloads.ready[0]) == 4
    assert int(sim.cluster.workloads.created[0]) == 4
    assert not sim.cluster.node_taints(0)


def test_a_node_that_comes_back_has_started_when_it_was_ready_first() -> None:
    loss = {"type": "nodeLoss", "nodeGroup": "pool", "at": "100s", "duration": "5m"}
    result = run_plan(a_plan(events=[loss]))
    assert any(one.verdict is Verdict.NODE_READY for one in result.decisions)
    assert [node["ready_s"] for node in result.nodes] == [0.0] * 4


def test_pods_leave_with_the_node_object_when_the_cloud_deletes_it() -> None:
    sim = run_of(a_plan(events=[{**LOSS, "count": 1, "nodeRemovedAfter": "2m"}]))
    assert int(sim.cluster.workloads.terminating[0]) == 0
    assert int(sim.cluster.workloads.ready[0]) == 4
    assert int(sim.cluster.groups.registered[0]) == 3


@pytest.mark.parametrize(
    ("zones", "evicted"),
    [
        pytest.param(["a"], False, id="the only zone is down: no pod is evicted"),
        pytest.param(["a", "b"], True, id="another zone is up: the pods are evicted"),
    ],
)
def test_a_zone_outage_evicts_only_while_another_zone_is_up(zones: list[str], evicted: bool) -> None:
    groups = [a_group(f"pool-{zone}", 2, zone=zone) for zone in zones]
    plan = a_plan(
        nodeGroups=groups,
        workloads=[a_workload("web", 2 * len(zones))],
        events=[{"type": "zoneOutage", "zone": "a", "at": "100s", "duration": "0s"}],
    )
    sim = run_of(plan)
    assert bool(decisions_of(sim, Actor.TAINT_EVICTION, Verdict.EVICTED)) is evicted


@pytest.mark.parametrize(
    ("labels", "stops"),
    [
        pytest.param({}, True, id="six of ten nodes are down: tainting stops once the zone is partly down"),
        pytest.param({EXCLUDED: ""}, False, id="the dead ones do not count: the zone is normal"),
    ],
)
def test_nodes_excluded_from_disruption_checks_do_not_count_for_their_zone(labels: dict[str, str], stops: bool) -> None:
    groups = [a_group("pool", 6, zone="a", labels=labels), a_group("rest", 4, zone="a")]
    plan = a_plan(
        nodeGroups=groups, workloads=[a_workload("web", 10)], events=[{**LOSS, "count": 6, "nodeRemovedAfter": "0s"}]
    )
    sim = run_of(plan)
    assert len(decisions_of(sim, Actor.NODE_LIFECYCLE, Verdict.UNREACHABLE)) == 6
    assert (len(decisions_of(sim, Actor.NODE_LIFECYCLE, Verdict.TAINTED)) < 6) is stops


def test_a_dead_node_takes_requests_with_it_until_it_is_noticed() -> None:
    load = {
        "traffic": {"profile": {"type": "constant", "rate": 100}},
        "demand": {"cpuSecondsPerRequest": 0.01, "timeout": "1s"},
    }
    plan = a_plan(workloads=[a_workload("web", 4, **load)], events=[{**LOSS, "count": 1}])
    totals = run_of(plan, 400).load_record.totals.of[0]
    calm = run_of(a_plan(workloads=[a_workload("web", 4, **load)]), 400).load_record.totals.of[0]
    assert calm.lost == 0
    # A quarter of 100 requests/s for 50 to 60 s.
    assert 25 * 45 <= totals.lost <= 25 * 65


def test_the_timeline_of_a_dead_node_agrees_with_the_rule_to_the_second() -> None:
    sim = run_of(a_plan(events=[{**LOSS, "count": 1}]))
    noticed = decisions_of(sim, Actor.NODE_LIFECYCLE, Verdict.UNREACHABLE)[0].time_us
    tainted = decisions_of(sim, Actor.NODE_LIFECYCLE, Verdict.TAINTED)[0].time_us
    deleted = decisions_of(sim, Actor.TAINT_EVICTION, Verdict.EVICTED)[0].time_us
    assert tainted == noticed
    assert deleted == tainted + 300 * US_PER_S


def test_grace_period_and_rate_are_settings() -> None:
    quick = {"nodeMonitorGracePeriod": "20s", "nodeEvictionRate": 1000}
    plan = a_plan(nodeGroups=[a_group("pool", 10)], workloads=[a_workload("web", 10)], nodeLifecycle=quick,
                  events=[{**LOSS, "count": 4}])  # fmt: skip
    sim = run_of(plan, 200)
    noticed = seconds(decisions_of(sim, Actor.NODE_LIFECYCLE, Verdict.UNREACHABLE))
    assert 101 + 10 < min(noticed) and max(noticed) <= 101 + 30
    tainted = seconds(decisions_of(sim, Actor.NODE_LIFECYCLE, Verdict.TAINTED))
    assert max(tainted) - max(noticed) < 1
