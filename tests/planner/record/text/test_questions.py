"""Why a node is still there, and why no node was added for a pod."""

import pytest

from planner.plan.model.autoscalers.cluster_autoscaler import ClusterAutoscalerSettings
from planner.record.autoscaler_status import AutoscalerStatus, GroupStatus, ScaleDownCandidate, ScaleUpActivity
from planner.record.decisions import Actor, Decision, Verdict
from planner.record.details.karpenter import NodeKept, NoRoomFromPools
from planner.record.details.node_groups import Expendable, NodeReview, NoScaleUp, RejectedGroup, ScaleUp
from planner.record.text.questions import RunFacts, why_no_scale_up, why_node_stays
from planner.units import US_PER_S

POOL = GroupStatus("pool", True, 2, 0, 0, 2, 0, 0, 2, 1, 9, ScaleUpActivity.NO_ACTIVITY)
NOW = 1_000


def decided(second, verdict, details=None, subject="pool-1", actor=Actor.SCALE_DOWN, target=""):
    return Decision(second * US_PER_S, actor, verdict, subject, target, details)


def facts(*decisions, group=POOL, healthy=True, **settings):
    statuses = [AutoscalerStatus(0, healthy, (group,))]
    return RunFacts(ClusterAutoscalerSettings.model_validate(settings), decisions, statuses)


BLOCKED = decided(50, Verdict.UNREMOVABLE, NodeReview(0.2, 0.5, None, "BlockedByPod", "web-1", "NotEnoughPdb"))
UNNEEDED = decided(500, Verdict.UNNEEDED, NodeReview(0.2, 0.5, 600.0))
WAITING = POOL._replace(candidates=(ScaleDownCandidate("pool-1", 500 * US_PER_S, 600 * US_PER_S),))
GROWN = decided(900, Verdict.TRIGGERED, ScaleUp(1, 3, 2, triggers=("web-1",)), "pool", Actor.SCALE_UP)


@pytest.mark.parametrize(("known", "part"), [
    (facts(scaleDownEnabled=False), "scale-down is disabled"),
    (facts(healthy=False), "too many nodes of the cluster are not ready"),
    (facts(group=POOL._replace(target=1)), "pool is at its minimum of 1 node"),
    (facts(BLOCKED), "pod web-1 stays: a disruption budget does not allow its eviction now"),
    (facts(UNNEEDED, group=WAITING), "not been needed since 8m20s, and it may be removed in 1m40s"),
    (facts(GROWN), "Removals pause until 25m, after a scale-up at 15m (scaleDownDelayAfterAdd)"),
    (facts(decided(700, Verdict.REMOVED)), "gone since 11m40s"),
    (facts(), "No loop has judged the node yet"),
])  # fmt: skip
def test_a_node_that_is_still_there_has_its_reasons(known, part):
    assert part in " ".join(why_node_stays(known, "pool-1", NOW * US_PER_S))


def test_a_node_of_karpenter_says_what_its_last_pass_found_whatever_the_other_autoscaler_does():
    kept = decided(600, Verdict.UNREMOVABLE, NodeKept("Can't replace with a cheaper node"), actor=Actor.KARPENTER)
    known = facts(kept, scaleDownEnabled=False)
    assert why_node_stays(known, "pool-1", NOW * US_PER_S) == [
        "Since 10m: Unconsolidatable: Can't replace with a cheaper node."
    ]


def test_a_pod_says_what_pools_of_karpenter_lack_where_no_other_autoscaler_runs():
    details = NoRoomFromPools(("all available instance types exceed limits",))
    refused = decided(600, Verdict.NOT_TRIGGERED, details, "web-1", Actor.KARPENTER)
    known = RunFacts(ClusterAutoscalerSettings(enabled=False), [refused], [])
    [answer] = why_no_scale_up(known, "web-1", 0, NOW * US_PER_S)
    assert answer == "Since 10m: Failed to schedule pod, all available instance types exceed limits."


def test_what_was_decided_later_is_not_known_yet():
    (answer,) = why_node_stays(facts(UNNEEDED), "pool-1", 400 * US_PER_S)
    assert answer.startswith("No loop has judged")


def of_pod(second, verdict, details=None, actor=Actor.SCALE_UP, target=""):
    return decided(second, verdict, details, "web-1", actor, target)


REFUSED = NoScaleUp(
    {"in backoff after failed scale-up": 1}, (RejectedGroup("pool", "in backoff after failed scale-up"),)
)
BACKED_OFF = POOL._replace(
    scale_up=ScaleUpActivity.BACKOFF, backoff_until_us=1_200 * US_PER_S, backoff_cause="the cloud refused a request"
)


@pytest.mark.parametrize(("known", "part"), [
    (facts(enabled=False), "the Cluster Autoscaler is off"),
    (facts(of_pod(950, Verdict.NOT_TRIGGERED, Expendable(-20, -10))), "it is expendable, its priority -20"),
    (facts(of_pod(950, Verdict.NOT_TRIGGERED, REFUSED)), "Pool pool: in backoff after failed scale-up"),
    (facts(group=BACKED_OFF), "left alone until 20m: the cloud refused a request"),
    (facts(group=POOL._replace(target=9)), "at its maximum of 9 nodes"),
    (facts(newPodScaleUpDelay="10m"), "too young"),
    (facts(GROWN), "grown at 15m for 2 pods, this one among them"),
    (facts(group=POOL._replace(scale_up=ScaleUpActivity.IN_PROGRESS, target=4)), "waits for 2 nodes"),
    (facts(of_pod(960, Verdict.BOUND, None, Actor.SCHEDULER, "pool-2")), "It needs none: it was bound to pool-2"),
])  # fmt: skip
def test_a_pod_without_a_new_node_has_its_reasons(known, part):
    assert part in " ".join(why_no_scale_up(known, "web-1", 800 * US_PER_S, NOW * US_PER_S))
