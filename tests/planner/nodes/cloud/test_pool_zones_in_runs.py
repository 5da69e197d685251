"""Pools with several zones: where their nodes come up, and what the autoscaler makes of it."""

from typing import Any

import pytest

from planner.plan.checks.validate import check_plan
from planner.plan.derived.zones import shares
from planner.plan.hints.all_hints import find_hints
from planner.record.decisions import Actor, Verdict
from planner.simulation.simulation import Simulation
from planner.state.specs import ZONE_LABEL
from tests.planner.nodes.small_plan import Json, a_group, a_plan, a_workload, decisions_of, run_of

ZONES = [{"name": "a"}, {"name": "b"}, {"name": "c"}]
SCALING = {"enabled": True, "scaleDownEnabled": False, "balanceSimilarNodeGroups": True, "deterministicTies": True}


def zones_of(sim: Simulation) -> list[str]:
    """Zones of the nodes that are there, in order of request."""
    cluster = sim.cluster
    return [cluster.node_labels(node)[ZONE_LABEL] for node in range(cluster.nodes.count) if cluster.nodes.exists[node]]


def growing(**pool: Any) -> Json:
    """Nine pods of which each takes most of a node, one node at the start."""
    web = a_workload("web", 9, pod={"containers": [{"name": "m", "requests": {"cpu": "3", "memory": "1Gi"}}]})
    groups = [a_group("pool", 1, maxSize=9, zones=ZONES, **pool)]
    return {"nodeGroups": groups, "workloads": [web], "clusterAutoscaler": SCALING}


def test_nodes_at_the_start_are_balanced_over_the_zones() -> None:
    sim = run_of(a_plan(nodeGroups=[a_group("pool", 7, zones=ZONES)]), 1)
    assert zones_of(sim) == list("abcabca")
    assert sim.cluster.group_names == ["pool"]


def test_a_balanced_pool_grows_into_the_zone_with_the_fewest_nodes() -> None:
    sim = run_of(a_plan(**growing()))
    assert sorted(zones_of(sim)) == sorted("abc" * 3)
    assert int(sim.cluster.workloads.ready[0]) == 9


def test_a_zone_that_is_down_gets_no_new_nodes() -> None:
    outage = {"type": "zoneOutage", "zone": "b", "at": "0s", "duration": "0s"}
    plan = a_plan(**growing(), events=[outage])
    assert sorted(zones_of(run_of(plan, 600))) == sorted("a" * 5 + "c" * 4)


def test_a_pool_per_zone_has_a_group_with_its_share_of_the_sizes() -> None:
    zones = [{"name": "a"}, {"name": "b", "minSize": 2, "maxSize": 3, "initialSize": 3}, {"name": "c"}]
    pool = a_group("pool", 5, minSize=2, maxSize=8, zones=zones, zoneMode="perZone")
    cluster = run_of(a_plan(nodeGroups=[pool]), 1).cluster
    assert cluster.group_names == ["pool-a", "pool-b", "pool-c"]
    assert cluster.groups.min_size.tolist() == [1, 2, 0]
    assert cluster.groups.max_size.tolist() == [3, 3, 2]
    assert cluster.groups.registered.tolist() == [2, 3, 1]
    assert cluster.node_name(0) == "pool-a-0001"


def test_the_autoscaler_balances_the_groups_of_the_zones() -> None:
    sim = run_of(a_plan(**growing(zoneMode="perZone")))
    assert sim.cluster.groups.ready.tolist() == [3, 3, 3]


@pytest.mark.parametrize(
    ("mode", "helped"),
    [
        pytest.param("perZone", 1, id="with a group per zone it grows where the volume is"),
        pytest.param("balanced", 0, id="a balanced pool is thought to grow in its first zone only"),
    ],
)
def test_pods_whose_volume_is_in_the_second_zone(mode: str, helped: int) -> None:
    """The template of an empty pool carries the first zone."""
    pool = a_group("pool", 0, zones=[{"name": "a"}, {"name": "b"}], zoneMode=mode)
    stateful = {"kind": "StatefulSet", "pod": {"zonalClaim": True}, "stateful": {"claimZones": ["b"]}}
    data = a_workload("data", 1, **stateful)
    sim = run_of(a_plan(nodeGroups=[pool], workloads=[data], clusterAutoscaler=SCALING), 900)
    assert int(sim.cluster.workloads.ready[0]) == helped
    assert bool(decisions_of(sim, Actor.SCALE_UP, Verdict.NOT_TRIGGERED)) == (helped == 0)


def test_an_event_reaches_all_groups_of_a_pool() -> None:
    pool = a_group("pool", 3, zones=ZONES, zoneMode="perZone")
    resize = {"type": "resizePool", "nodeGroup": "pool", "at": "5s", "minSize": 4, "maxSize": 8}
    cordon = {"type": "cordon", "nodeGroup": "pool", "at": "5s", "count": 2}
    cluster = run_of(a_plan(nodeGroups=[pool], events=[resize, cordon]), 10).cluster
    assert cluster.groups.min_size.tolist() == [2, 1, 1]
    assert cluster.groups.max_size.tolist() == [3, 3, 2]
    assert cluster.nodes.unschedulable.tolist() == [True, True, False]


@pytest.mark.parametrize(
    ("pool", "where"),
    [
        pytest.param({"zoneMode": "perZone"}, "zoneMode", id="a mode without zones"),
        pytest.param({"zones": ZONES, "zone": "a"}, "zone", id="one zone and a list"),
        pytest.param({"zones": [*ZONES, {"name": "a"}]}, "zones[3].name", id="a zone twice"),
        pytest.param({"zones": [{"name": "-"}]}, "zones[0].name", id="a name that is none"),
        pytest.param({"zones": [{"name": "a", "maxSize": 2}]}, "zones[0].maxSize", id="own sizes of a balanced pool"),
        pytest.param(
            {"zones": [{"name": "a", "minSize": 9, "maxSize": 2, "initialSize": 1}], "zoneMode": "perZone"},
            "zones[0].minSize",
            id="a minimum above the maximum",
        ),
        pytest.param(
            {"zones": [{"name": "a", "maxSize": 2}, {"name": "b"}], "zoneMode": "perZone", "initialSize": 8},
            "zones[0].initialSize",
            id="a start above the maximum",
        ),
        pytest.param(
            {"zones": ZONES, "labels": {ZONE_LABEL: "a"}}, f'labels["{ZONE_LABEL}"]', id="a label against the zones"
        ),
        pytest.param({"driverDelay": "1m"}, "driverDelay", id="a driver without resources"),
    ],
)
def test_pools_that_make_no_sense_are_refused(pool: Json, where: str) -> None:
    plan = a_plan(nodeGroups=[a_group("pool", 1) | pool])
    assert [problem.where for problem in check_plan(plan)] == [f"nodeGroups[0].{where}"]


def test_groups_of_zones_must_not_be_called_as_another_pool() -> None:
    groups = [a_group("pool-a", 1), a_group("pool", 1, zones=ZONES, zoneMode="perZone")]
    assert [problem.where for problem in check_plan(a_plan(nodeGroups=groups))] == ["nodeGroups[1].zones"]


@pytest.mark.parametrize(
    ("pool", "where"),
    [
        pytest.param({"zones": ZONES}, "zoneMode", id="balanced misleads the autoscaler"),
        pytest.param({"zones": ZONES, "zoneMode": "perZone"}, "zoneMode", id="groups that grow in turn"),
        pytest.param({"quota": 5}, "quota", id="a quota below the maximum"),
        pytest.param({"driverDelay": "1m", "extended": {"x.io/y": 1}}, "driverDelay", id="a node without its devices"),
    ],
)
def test_pools_that_are_rarely_meant_so_get_a_hint(pool: Json, where: str) -> None:
    plan = a_plan(nodeGroups=[a_group("pool", 1, **pool)], clusterAutoscaler={"enabled": True})
    assert f"nodeGroups[0].{where}" in [hint.where for hint in find_hints(plan)]


@pytest.mark.parametrize(("total", "parts", "each"), [(7, 3, (3, 2, 2)), (2, 3, (1, 1, 0)), (0, 1, (0,))])
def test_shares_are_even_and_add_up(total: int, parts: int, each: tuple[int, ...]) -> None:
    assert shares(total, parts) == each
