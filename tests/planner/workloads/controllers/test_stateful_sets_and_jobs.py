"""StatefulSets and Jobs in runs."""

from typing import Any

import pytest

from planner.plan.model.plan import Plan
from planner.record.decisions import Actor, Verdict
from planner.simulation.simulation import Simulation
from tests.planner.nodes.small_plan import a_group, a_plan, a_workload, decisions_of, run_of

COLD = {"duration": "30m", "seed": 1, "warmStart": False}


def a_set(replicas: int = 3, **parts: Any) -> Plan:
    more = {"simulation": parts.pop("simulation", COLD), "events": parts.pop("events", [])}
    return a_plan(workloads=[a_workload("db", replicas, kind="StatefulSet", **parts)], **more)


def names(sim: Simulation) -> list[str]:
    return [sim.cluster.pod_name(pod) for pod in sim.cluster.workload_pods[0]]


def test_pods_are_made_in_order_each_when_the_one_before_is_ready() -> None:
    assert [names(run_of(a_set(), at_s)) for at_s in (0, 9, 10, 20)] == [
        ["db-0"], ["db-0"], ["db-0", "db-1"], ["db-0", "db-1", "db-2"],
    ]  # fmt: skip


def test_parallel_sets_make_all_pods_at_once() -> None:
    sim = run_of(a_set(stateful={"podManagementPolicy": "Parallel", "startOrdinal": 5}), 0)
    assert names(sim) == ["db-5", "db-6", "db-7"]


def test_a_rollout_goes_from_the_highest_ordinal_to_the_partition() -> None:
    warm = {**COLD, "warmStart": True}
    rollout = {"type": "rollout", "workload": "db", "at": "100s"}
    plan = a_set(simulation=warm, events=[rollout], stateful={"partition": 1})
    # Five seconds to stop and ten to start, one after the other.
    first, second, done = run_of(plan, 110), run_of(plan, 120), run_of(plan, 300)
    assert int(first.cluster.workloads.ready[0]) == int(second.cluster.workloads.ready[0]) == 2
    revision_of = {
        done.cluster.pod_name(pod): int(done.cluster.pods.revision[pod]) for pod in done.cluster.workload_pods[0]
    }
    assert revision_of == {"db-0": 0, "db-1": 1, "db-2": 1}


def test_a_pod_on_a_dead_node_has_no_successor_until_it_is_gone() -> None:
    warm = {**COLD, "warmStart": True}
    loss = {"type": "nodeLoss", "nodeGroup": "pool", "at": "100s", "count": 4, "nodeRemovedAfter": "0s", "perHour": 0}
    other = {"nodeGroups": [a_group("pool", 1, zone="a"), a_group("rest", 3, zone="b")]}
    plan = a_set(simulation=warm, events=[loss]).model_copy(update={"node_groups": a_plan(**other).node_groups})
    sim = run_of(plan)
    dead = len(sim.cluster.node_pods[0])
    assert dead > 0
    assert int(sim.cluster.workloads.terminating[0]) == dead
    assert int(sim.cluster.workloads.ready[0]) == 3 - dead


def a_job(parallelism: int, **job: Any) -> Plan:
    return a_plan(workloads=[a_workload("batch", parallelism, kind="Job", job={"start": "60s", **job})])


def test_a_job_runs_until_enough_pods_succeeded() -> None:
    sim = run_of(a_job(2, completions=5, runTime="60s"))
    (end,) = decisions_of(sim, Actor.CONTROLLER, Verdict.ENDED)
    assert end.details.reason == "CompletionsReached"
    assert (end.details.succeeded, end.details.failed) == (5, 0)
    # Three rounds of ten seconds of start-up and a minute of work; events are gathered for a second.
    assert end.details.took_s == pytest.approx(3 * 70, abs=4)
    assert int(sim.cluster.workloads.created[0]) == 5


def test_a_job_that_always_fails_backs_off_and_gives_up() -> None:
    sim = run_of(a_job(1, completions=1, runTime="10s", failureRatio=1, backoffLimit=3))
    (end,) = decisions_of(sim, Actor.CONTROLLER, Verdict.FAILED)
    created_s = [int(us) // 1_000_000 for us in sim.cluster.pods.created_us]
    gaps = [later - earlier for earlier, later in zip(created_s, created_s[1:], strict=False)]
    assert end.details.reason == "BackoffLimitExceeded"
    # Twenty seconds of life, then 10, 20 and 40 s of back-off.
    assert gaps == pytest.approx([30, 40, 60], abs=2)


def test_a_job_fails_at_its_deadline() -> None:
    sim = run_of(a_job(1, completions=10, runTime="60s", activeDeadline="2m"))
    (end,) = decisions_of(sim, Actor.CONTROLLER, Verdict.FAILED)
    assert (end.details.reason, end.details.took_s) == ("DeadlineExceeded", 120)
    assert int(sim.cluster.workloads.active[0]) == 0


def test_a_pod_that_is_evicted_counts_as_a_failure_and_is_replaced() -> None:
    plan = a_job(1, completions=1, runTime="5m")
    drain = {"type": "drain", "nodeGroup": "pool", "at": "150s", "count": 4, "uncordonAfter": "30s"}
    sim = run_of(plan.model_copy(update={"events": a_plan(events=[drain]).events}))
    (end,) = decisions_of(sim, Actor.CONTROLLER, Verdict.ENDED)
    assert (end.details.succeeded, end.details.failed) == (1, 1)
