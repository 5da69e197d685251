"""Faults of the cloud, of pods and of the metrics as events of the plan."""

import pytest

from planner.engine.draws import Draws
from planner.plan.model.events.on_nodes import NodeLoss
from planner.record.decisions import Actor, Verdict
from planner.record.details.work import PlanEventEffect
from planner.simulation.plan_events.moments import occurrences_us
from planner.state.pods import EndReason
from planner.units import US_PER_H, US_PER_S
from tests.planner.nodes.small_plan import a_group, a_plan, a_workload, decisions_of, run_of

HPA = {"name": "web", "scaleTarget": "web", "minReplicas": 1, "maxReplicas": 8}


def test_reclaimed_nodes_are_drained_lost_and_replaced() -> None:
    event = {"type": "spotReclaim", "nodeGroup": "pool", "at": "100s", "count": 2, "notice": "2m"}
    plan = a_plan(events=[event])
    warned, after = run_of(plan, 215), run_of(plan)
    assert int(warned.cluster.nodes.exists.sum()) == 4
    assert int(warned.cluster.nodes.unschedulable.sum()) == 2
    assert len(decisions_of(after, Actor.DRAIN, Verdict.DRAINED)) == 2
    assert int(after.cluster.nodes.exists.sum()) == 4
    assert after.cluster.nodes.count == 6
    assert int(after.cluster.workloads.ready[0]) == 4


@pytest.mark.parametrize(
    ("kubelet", "failed", "lost", "gone_s"),
    [
        pytest.param(None, 0, 1, 130, id="without graceful shutdown the pods go with the machine"),
        pytest.param({"shutdownGracePeriod": "30s"}, 1, 0, 136, id="with it they stop first"),
        pytest.param({"shutdownGracePeriod": "3s"}, 1, 0, 133, id="but no longer than it leaves them"),
    ],
)
def test_a_reclaimed_machine_may_shut_down_gracefully(
    kubelet: dict[str, str] | None, failed: int, lost: int, gone_s: int
) -> None:
    event = {"type": "spotReclaim", "nodeGroup": "pool", "at": "100s", "notice": "30s", "drain": False}
    sim = run_of(a_plan(nodeGroups=[a_group("pool", 4, kubelet=kubelet)], events=[event]))
    reasons = sim.cluster.pods.end_reason
    assert int((reasons == EndReason.FAILED).sum()) == failed
    assert int((reasons == EndReason.NODE_REMOVED).sum()) == lost
    assert int(sim.cluster.nodes.removed_us.max()) == gone_s * US_PER_S
    assert int(sim.cluster.workloads.ready[0]) == 4


def test_a_pool_that_is_sold_out_gets_no_new_nodes() -> None:
    reclaim = {"type": "spotReclaim", "nodeGroup": "pool", "at": "100s", "count": 2, "notice": "2m"}
    sold_out = {"type": "stockOut", "nodeGroup": "pool", "at": "0s", "duration": "30m", "available": 1}
    sim = run_of(a_plan(events=[sold_out, reclaim]))
    assert int(sim.cluster.nodes.exists.sum()) == 3
    assert int((sim.cluster.nodes.failed_us >= 0).sum()) == 1


def test_slow_provisioning_makes_new_nodes_late() -> None:
    reclaim = {"type": "spotReclaim", "nodeGroup": "pool", "at": "100s", "count": 1, "notice": "0s"}
    slow = {"type": "slowProvisioning", "nodeGroup": "pool", "at": "0s", "factor": 3}
    plan = a_plan(events=[slow, reclaim])
    assert run_of(plan, 279).cluster.nodes.exists.sum() == 3
    assert run_of(plan, 281).cluster.nodes.exists.sum() == 4


def test_nodes_that_never_register_stay_requested() -> None:
    reclaim = {"type": "spotReclaim", "nodeGroup": "pool", "at": "100s", "count": 1, "notice": "0s"}
    failing = {"type": "slowProvisioning", "nodeGroup": "pool", "at": "0s", "factor": 1, "failureRatio": 1}
    sim = run_of(a_plan(events=[failing, reclaim]))
    assert sim.cluster.nodes.exists.sum() == 3
    assert int(sim.cluster.groups.target[0]) == 4


def test_a_readiness_flap_takes_pods_out_of_service_for_its_time() -> None:
    plan = a_plan(events=[{"type": "readinessFlap", "workload": "web", "at": "100s", "count": 3, "duration": "20s"}])
    assert int(run_of(plan, 110).cluster.workloads.ready[0]) == 1
    assert int(run_of(plan, 121).cluster.workloads.ready[0]) == 4


def test_slow_images_delay_the_pods_bound_meanwhile() -> None:
    slow = {"type": "imagePullDelay", "workload": "web", "at": "0s", "delay": "2m"}
    drain = {"type": "drain", "nodeGroup": "pool", "at": "100s"}
    plan = a_plan(events=[slow, drain])
    assert int(run_of(plan, 225).cluster.workloads.ready[0]) == 3
    assert int(run_of(plan, 235).cluster.workloads.ready[0]) == 4


def test_without_metrics_the_autoscaler_keeps_the_size() -> None:
    load = {"traffic": {"profile": {"type": "step", "from": 10, "to": 390, "at": "200s"}}}
    outage = {"type": "metricsOutage", "at": "100s", "duration": "15m"}
    plan = a_plan(workloads=[a_workload("web", 4, **load)], horizontalPodAutoscalers=[{**HPA, "minReplicas": 4}])
    blind = plan.model_copy(update={"events": a_plan(events=[outage]).events})
    assert int(run_of(plan, 600).cluster.workloads.desired[0]) > 4
    sim = run_of(blind, 600)
    assert int(sim.cluster.workloads.desired[0]) == 4
    assert decisions_of(sim, Actor.HPA, Verdict.NO_METRICS)
    assert int(run_of(blind, 1500).cluster.workloads.desired[0]) > 4


def test_a_restarted_autoscaler_forgets_its_window() -> None:
    load = {"traffic": {"profile": {"type": "step", "from": 350, "to": 1, "at": "200s"}}}
    restart = {"type": "controllerRestart", "controller": "horizontalPodAutoscaler", "at": "400s"}
    base = a_plan(workloads=[a_workload("web", 8, **load)], horizontalPodAutoscalers=[HPA])
    restarted = base.model_copy(update={"events": a_plan(events=[restart]).events})
    assert int(run_of(base, 600).cluster.workloads.desired[0]) == 1
    assert int(run_of(restarted, 600).cluster.workloads.desired[0]) == 5
    assert int(run_of(restarted, 800).cluster.workloads.desired[0]) == 1


SHRINKING = {
    "nodeGroups": [a_group("pool", 4)],
    "workloads": [a_workload("web", 1)],
    "clusterAutoscaler": {"enabled": True, "scaleDownUnneededTime": "5m", "scaleDownDelayAfterAdd": "0s"},
}


def test_a_restarted_cluster_autoscaler_starts_the_unneeded_timers_again() -> None:
    restart = {"type": "controllerRestart", "controller": "clusterAutoscaler", "at": "4m"}
    plain, restarted = a_plan(**SHRINKING), a_plan(**SHRINKING, events=[restart])
    assert int(run_of(plain, 420).cluster.nodes.exists.sum()) < 4
    assert int(run_of(restarted, 420).cluster.nodes.exists.sum()) == 4
    assert int(run_of(restarted, 700).cluster.nodes.exists.sum()) < 4


def test_a_scheduled_minimum_keeps_nodes() -> None:
    keep = {"type": "resizePool", "nodeGroup": "pool", "minSize": 3, "maxSize": 10, "at": "1m"}
    assert int(run_of(a_plan(**SHRINKING, events=[keep])).cluster.nodes.exists.sum()) == 3


def test_a_manifest_that_is_applied_again_sets_the_replicas() -> None:
    plan = a_plan(events=[{"type": "setReplicas", "workload": "web", "replicas": 7, "at": "100s"}])
    assert int(run_of(plan, 120).cluster.workloads.ready[0]) == 7


def test_random_events_come_at_their_mean_rate_within_the_run() -> None:
    event = NodeLoss(type="nodeLoss", node_group="pool", at=US_PER_H, per_hour=10)
    times = list(occurrences_us(event, 1_001 * US_PER_H, Draws(1).of("gaps"), 1))
    assert times == sorted(times)
    assert US_PER_H < times[0] and times[-1] <= 1_001 * US_PER_H
    assert len(times) == pytest.approx(10_000, rel=0.05)


def test_every_event_is_recorded_with_what_it_hit() -> None:
    groups = [a_group("pool", 2, zone="a"), a_group("other", 2, zone="b")]
    outage = {"type": "zoneOutage", "zone": "b", "at": "10s"}
    (event,) = decisions_of(run_of(a_plan(nodeGroups=groups, events=[outage])), Actor.PLAN_EVENT, Verdict.HAPPENED)
    assert (event.time_us, event.subject) == (10 * US_PER_S, "b")
    assert event.details == PlanEventEffect("zoneOutage", on=("other-0001", "other-0002"))
