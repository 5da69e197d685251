"""Rollouts of Deployments in runs."""

import numpy as np
import pytest

from planner.record.decisions import Actor, Verdict
from planner.simulation.simulation import Simulation
from planner.state.pods import EndReason
from tests.planner.nodes.small_plan import a_group, a_plan, a_workload, decisions_of, run_of

ROLLOUT = {"type": "rollout", "workload": "web", "at": "100s"}


def a_rollout(strategy: dict[str, object], replicas: int = 4, **parts: object) -> object:
    web = a_workload("web", replicas, updateStrategy=strategy)
    return a_plan(**{"nodeGroups": [a_group("pool", 8)], "workloads": [web], "events": [ROLLOUT], **parts})


def revisions(sim: Simulation) -> list[int]:
    """Revisions of the pods that serve."""
    return sorted(set(sim.cluster.pods.revision[np.flatnonzero(sim.cluster.pods.ready)].tolist()))


def test_a_rolling_update_replaces_all_pods_and_reports_its_duration() -> None:
    sim = run_of(a_rollout({}))
    (end,) = decisions_of(sim, Actor.CONTROLLER, Verdict.ENDED)
    assert revisions(sim) == [1]
    assert int(sim.cluster.workloads.created[0]) == 8
    assert int((sim.cluster.pods.end_reason == EndReason.REPLACED).sum()) == 4
    # Two at a time (surge 1, one may be missing), ten seconds of start-up each.
    assert end.details.took_s == 20


def test_pods_must_be_ready_for_a_while_before_the_next_ones_go() -> None:
    sim = run_of(a_rollout({"minReady": "30s", "maxSurge": 1, "maxUnavailable": 0}))
    (end,) = decisions_of(sim, Actor.CONTROLLER, Verdict.ENDED)
    assert end.details.took_s == 4 * (10 + 30)


@pytest.mark.parametrize(
    ("strategy", "least", "most"),
    [
        pytest.param({"maxSurge": 1, "maxUnavailable": 0}, 4, 5, id="surge only: never fewer"),
        pytest.param({"maxSurge": 0, "maxUnavailable": 2}, 2, 4, id="unavailable only: never more"),
        pytest.param({"type": "Recreate"}, 0, 4, id="recreate: none for a while"),
    ],
)
def test_the_limits_hold_at_every_instant(strategy: dict[str, object], least: int, most: int) -> None:
    ready, active = [], []
    for at_s in range(100, 200):
        table = run_of(a_rollout(strategy), at_s).cluster.workloads
        ready.append(int(table.ready[0]))
        active.append(int(table.active[0]))
    assert min(ready) == least
    assert max(active) == most


def test_recreate_waits_until_the_last_old_pod_is_gone() -> None:
    sim = run_of(a_rollout({"type": "Recreate"}), 104)
    assert int(sim.cluster.workloads.terminating[0]) == 4
    assert int(sim.cluster.workloads.active[0]) == 0
    assert revisions(run_of(a_rollout({"type": "Recreate"}))) == [1]


def test_a_second_rollout_overtakes_the_first() -> None:
    events = [ROLLOUT, {**ROLLOUT, "at": "105s"}]
    sim = run_of(a_rollout({}, events=events))
    assert revisions(sim) == [2]
    assert len(decisions_of(sim, Actor.CONTROLLER, Verdict.ENDED)) == 1


def test_an_autoscaler_may_scale_while_a_rollout_is_under_way() -> None:
    hpa = {"name": "web", "scaleTarget": "web", "minReplicas": 2, "maxReplicas": 20}
    load = {"traffic": {"profile": {"type": "step", "from": 100, "to": 900, "at": "60s"}}}
    web = a_workload("web", 4, updateStrategy={"minReady": "30s"}, **load)
    sim = run_of(a_rollout({}, workloads=[web], horizontalPodAutoscalers=[hpa]))
    assert revisions(sim) == [1]
    assert int(sim.cluster.workloads.ready[0]) == int(sim.cluster.workloads.desired[0]) > 8
