"""Volumes that are in a zone already, full zones, and services that spread pods without ReplicaSet."""

from collections import Counter

import pytest

from planner.plan.checks.validate import check_plan
from planner.plan.hints.all_hints import find_hints
from planner.plan.model.scheduler import PluginSetting, SchedulerProfileSettings, SchedulerSettings, ScoringStrategy
from planner.plan.model.workloads import JobSettings, Namespace, Service, StatefulSettings, WorkloadKind
from planner.record.decisions import Actor, Verdict
from planner.record.text.explain import why
from planner.simulation.run import run_plan
from planner.units import US_PER_S
from tests.builders import a_node_group, a_plan, a_pod, a_workload


def zone_pools(**last):
    pools = [a_node_group(f"pool-{zone}", zone=zone, initial_size=1, min_size=1, max_size=3) for zone in "abc"]
    return (*pools[:-1], pools[-1].model_copy(update=last))


def data(zones, cpu="250m", **settings):
    stateful = StatefulSettings(claim_zones=zones, pod_management_policy="Parallel")
    pod = a_pod(cpu, zonal_claim=True)
    return a_workload("data", kind="StatefulSet", replicas=3, pod=pod, stateful=stateful, **settings)


def run(seconds, **settings):
    return run_plan(a_plan(**settings), until_us=seconds * US_PER_S)


def test_pods_go_where_their_volumes_are():
    result = run(30, node_groups=zone_pools(), workloads=(data(("c", "c", "a")),))
    assert {pod["pod"]: pod["node"] for pod in result.pods} == {
        "data-0": "pool-c-0001", "data-1": "pool-c-0001", "data-2": "pool-a-0001",
    }  # fmt: skip


def test_the_first_zone_is_that_of_the_first_ordinal_and_an_empty_one_is_bound_later():
    stateful = StatefulSettings(start_ordinal=5, claim_zones=("", "c", "c"))
    result = run(60, node_groups=zone_pools(), workloads=(data(()).model_copy(update={"stateful": stateful}),))
    nodes = {pod["pod"]: pod["node"] for pod in result.pods}
    assert nodes["data-5"] is not None
    assert (nodes["data-6"], nodes["data-7"]) == ("pool-c-0001", "pool-c-0001")


def test_a_pod_whose_zone_is_at_its_maximum_stays_pending_without_scale_up_and_says_so():
    result = run(120, node_groups=zone_pools(max_size=1), workloads=(data(("c", "c", "c"), "3"),))
    waiting = [pod["pod"] for pod in result.pods if not pod["node"]]
    assert len(waiting) == 2
    assert [row["nodes_created_count"] for row in result.node_groups] == [1, 1, 1]
    refused = [d for d in result.decisions if d.actor is Actor.SCALE_UP]
    assert {d.verdict for d in refused} == {Verdict.NOT_TRIGGERED}
    assert {d.subject for d in refused} == set(waiting)
    assert all("max node group size reached" in why(d) for d in refused)


def test_the_same_pods_bring_a_node_where_the_zone_may_grow():
    result = run(400, node_groups=zone_pools(), workloads=(data(("c", "c", "c"), "3"),))
    assert sorted(pod["node"] for pod in result.pods) == ["pool-c-0001", "pool-c-0002", "pool-c-0003"]


@pytest.mark.parametrize(
    ("workload", "place"),
    [
        (data(("not a zone",)), "workloads[0].stateful.claimZones[0]"),
        (
            a_workload(kind="StatefulSet", stateful=StatefulSettings(claim_zones=("a",))),
            "workloads[0].stateful.claimZones",
        ),
    ],
)
def test_impossible_volumes_are_refused(workload, place):
    assert [problem.where for problem in check_plan(a_plan(workloads=(workload,)))] == [place]


def test_a_volume_in_a_zone_without_pool_is_worth_a_hint():
    plan = a_plan(node_groups=zone_pools(), workloads=(data(("a", "z")),))
    places = [hint.where for hint in find_hints(plan) if "claimZones" in hint.where]
    assert places == ["workloads[0].stateful.claimZones[1]"]


PACKED = SchedulerSettings(deterministic_ties=True, profiles=(SchedulerProfileSettings(
    scoring_strategy=ScoringStrategy(type="MostAllocated"),
    plugins=(PluginSetting(name="NodeResourcesBalancedAllocation", enabled=False),),
),))  # fmt: skip
THREE = a_node_group(initial_size=3, min_size=3, max_size=3)


@pytest.mark.parametrize(
    ("kind", "services", "expected"),
    [
        ("Deployment", (), [1, 1, 1]),
        ("Job", (), [3]),
        ("Job", (Service(name="batch", selector={"app": "web"}),), [1, 1, 1]),
        ("Job", (Service(name="batch", selector={"app": "other"}),), [3]),
        ("Job", (Service(name="batch"),), [3]),
        ("Job", (Service(name="batch", namespace="elsewhere", selector={"app": "web"}),), [3]),
    ],
)
def test_pods_without_replica_set_are_spread_by_the_services_that_choose_them(kind, services, expected):
    job = JobSettings(completions=3, run_time="1h")
    workload = a_workload(kind=WorkloadKind(kind), replicas=3, pod=a_pod(), job=job)
    result = run(10, node_groups=(THREE,), workloads=(workload,), services=services, scheduler=PACKED)
    assert sorted(Counter(pod["node"] for pod in result.pods).values(), reverse=True) == expected


def test_services_of_one_name_and_bad_selectors_are_refused():
    services = (Service(name="a"), Service(name="a"), Service(name="b", selector={"-": "x"}))
    places = [problem.where for problem in check_plan(a_plan(services=services, namespaces=(Namespace(name="n"),)))]
    assert places == ["services[1].name", 'services[2].selector["-"]']
