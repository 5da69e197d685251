"""Decisions by hand, and one of every kind."""

from planner.record.decisions import Actor, Decision, Details, Verdict
from planner.record.details.karpenter import (
    ClaimOutdated,
    DisruptedNode,
    DisruptionDropped,
    LaunchRefused,
    MachineLaunch,
    NodeDisruption,
    NodeKept,
    NoRoomFromPools,
    OfferedType,
    PassedOverPool,
)
from planner.record.details.node_groups import (
    ExpanderFigure,
    Expendable,
    GroupProblem,
    NodeRemoval,
    NodeReview,
    NoScaleUp,
    RemovalFailed,
    ScaleUp,
    ScaleUpEvent,
    WeighedOption,
)
from planner.record.details.nodes import (
    DrainBegun,
    DrainEnded,
    DrainStopped,
    EvictionRefused,
    LimitEviction,
    NotAdmitted,
    OomKill,
    OrphanRemoved,
    PodsOnNode,
    PressureChange,
    PressureEviction,
    Reclaimed,
    TaintEviction,
    ZoneDisruption,
)
from planner.record.details.replicas import (
    Evaluation,
    EventScaling,
    HpaCondition,
    JobsMade,
    MetricAnswer,
    ProportionalSize,
    ReplicaCalculation,
    TriggerReading,
)
from planner.record.details.requests import (
    ContainerRecommendation,
    PodUpdate,
    RequestChange,
    RequestsRecommended,
    ResizeApplied,
    ResizePending,
)
from planner.record.details.scheduling import (
    Nomination,
    Placement,
    Preempted,
    PreemptionCandidate,
    SchedulingError,
    ScoredNode,
    Unschedulable,
)
from planner.record.details.work import (
    BarePodLost,
    CronJobLook,
    JobEnded,
    PlanEventEffect,
    QuotaRefusal,
    RolloutEnded,
    UpgradeEnded,
)
from planner.units import GIB, MIB

CPU = "cpu resource utilization (percentage of request)"


def made(actor: Actor, verdict: Verdict, details: Details | None = None, subject="shop", target="", repeats=0):
    return Decision(0, actor, verdict, subject, target, details, repeats)


def calculation(percent=94, target=70, ratio=94 / 70, replicas=9, **more):
    """Of a metric with a target in percent."""
    return ReplicaCalculation(replicas, ratio, 0.1, value_milli=470, target=target, utilization_pct=percent, **more)


WASTE = (ExpanderFigure("least-waste", 0.5),)
WEIGHED = ScaleUp(2, 5, 4, ("least-waste",), WASTE, (WeighedOption("blue", 2, 4, WASTE), WeighedOption("red", 1, 2)))
EVALUATED = Evaluation(
    "shop", 19, 18, CPU, calculation(percent=53, target=60, ratio=0.8833, replicas=17, first_ratio=0.85, ready=17,
    unready=2), reason="All metrics below target", stabilized=18, held="ScaleDownStabilized", limited="ScaleDownLimit",
    conditions=(HpaCondition("AbleToScale", True, "ReadyForNewScale"),
                HpaCondition("ScalingLimited", True, "ScaleDownLimit")),
)  # fmt: skip
FAILING = Evaluation(
    "shop", 2, 2, CPU, answers=(MetricAnswer(CPU, None, "NoPods"), MetricAnswer("x", 3)), reason="NoPods"
)
SCORED = Placement(
    4, ("Taints", "Fit"), (300, 326), others=(ScoredNode("blue-2", (300, 320)), ScoredNode("red-1", (200, 99)))
)
CANDIDATE = PreemptionCandidate("blue-2", ("batch-1",), 1, 0, 0, 60)
WORSE_CANDIDATE = PreemptionCandidate("blue-3", ("batch-2", "batch-3"), 1, 0, 0, 90)
READ = TriggerReading("queue", 35.0, 5.0)
SIZED = ContainerRecommendation("app", "cpu", 126, 60, 900, 126, 20, 300, 0.9, 95, 110, 0.0035)
RESIZED = RequestChange("app", "memory", None, 2**30)
S, H, U, D = Actor.SCHEDULER, Actor.HPA, Actor.SCALE_UP, Actor.SCALE_DOWN
KARPENTER = Actor.KARPENTER
LEFT = (OfferedType("m6.large", 0.05),)
REFUSED = (PassedOverPool("arm", "did not tolerate taint"),)
BOUGHT = MachineLaunch("m6.large", "a", "spot", 0.05, 3, 1500, GIB, LEFT, 2, "general", ("shop-1", "shop-2"), REFUSED)
GOING = (
    DisruptedNode("a-0001", "m6.xlarge", "spot", 0.2, 4, 3.5, 2),
    DisruptedNode("a-0002", "old", "", None, 0, 0.0, 2),
)
SMALLER = NodeDisruption(
    "Underutilized", "multi", ("a-0001", "a-0002"), ("a-0003",), 0.15, 3.5, GOING, ("b-0001",), LEFT
)
K, N = Actor.KUBELET, Actor.NODE_LIFECYCLE

DECISIONS = (
    made(S, Verdict.BOUND, SCORED, "shop-1", "blue-1"),
    made(S, Verdict.UNSCHEDULABLE, Unschedulable(7, {"Insufficient cpu": 4}), "shop-1"),
    made(S, Verdict.NOMINATED, Nomination(CANDIDATE, 3, 1, (WORSE_CANDIDATE,), ("batch",)), "shop-1", "blue-2"),
    made(S, Verdict.PREEMPTED, Preempted("shop-4", 100, 0, "batch"), "batch-1", "blue-1"),
    made(S, Verdict.FAILED, SchedulingError("malformed"), "shop-1"),
    made(H, Verdict.SCALED, EVALUATED),
    made(H, Verdict.NO_METRICS, FAILING),
    made(Actor.PROPORTIONAL, Verdict.SCALED, ProportionalSize("dns", "linear", 0, 2, 2, 8), "reserve"),
    made(Actor.KEDA, Verdict.SCALED, EventScaling("web", 0, 1, True, (READ,), "ScalerActive"), "web"),
    made(Actor.KEDA, Verdict.ACTIVATED, EventScaling("web", 1, 1, True, (READ,), "ScalerActive"), "web"),
    made(Actor.KEDA, Verdict.SCALED, JobsMade("work", 3, 2, (READ, TriggerReading("mails", None, 0.0))), "work"),
    made(Actor.VPA, Verdict.RECOMMENDED, RequestsRecommended("web", (SIZED,)), "web"),
    made(Actor.VPA, Verdict.EVICTED, PodUpdate("web", (RESIZED,), True, 1.5), "web-1"),
    made(Actor.VPA, Verdict.RESIZED, PodUpdate("web", (RESIZED,), True, 1.5, in_place=True), "web-1"),
    made(Actor.KUBELET, Verdict.DEFERRED, ResizePending("deferred", "cpu", 2000, 500), "web-1", "blue-1"),
    made(Actor.KUBELET, Verdict.INFEASIBLE, ResizePending("infeasible", "memory", 2**33, 2**32), "web-1", "blue-1"),
    made(Actor.KUBELET, Verdict.RESIZED, ResizeApplied((RESIZED,), ("main",), 61.0), "web-1", "blue-1"),
    made(U, Verdict.TRIGGERED, WEIGHED, "blue"),
    made(U, Verdict.NOT_TRIGGERED, NoScaleUp({"max node group size reached": 1}), "shop-1"),
    made(U, Verdict.NOT_TRIGGERED, Expendable(-20, -10), "reserve-1"),
    made(U, Verdict.FAILED, GroupProblem(ScaleUpEvent.TIMED_OUT, 2), "blue"),
    made(D, Verdict.UNREMOVABLE, NodeReview(0.2, 0.5, None, "BlockedByPod", "web-1", "NotEnoughPdb"), "blue-1"),
    made(D, Verdict.REMOVING, NodeRemoval(is_drain=True, unneeded_s=605.0), "blue-1"),
    made(D, Verdict.FAILED, RemovalFailed("EvictionRefused"), "blue-1"),
    made(KARPENTER, Verdict.LAUNCHED, BOUGHT, "general-0001"),
    made(KARPENTER, Verdict.NOT_TRIGGERED, NoRoomFromPools(("incompatible requirements",)), "shop-1"),
    made(KARPENTER, Verdict.FAILED, LaunchRefused("resource usage of cpu exceeds limit"), "general"),
    made(KARPENTER, Verdict.REMOVING, NodeDisruption("Empty", "empty", ("a-0001",), (), 0.2, 0.0), "a-0001"),
    made(KARPENTER, Verdict.REMOVING, SMALLER, "a-0001"),
    made(KARPENTER, Verdict.KEPT, DisruptionDropped(("general-0001",), "a budget no longer allows it"), "general-0001"),
    made(KARPENTER, Verdict.UNREMOVABLE, NodeKept("Can't replace with a cheaper node"), "general-0001"),
    made(KARPENTER, Verdict.HAPPENED, ClaimOutdated("expired"), "general-0001"),
    made(N, Verdict.UNREACHABLE, PodsOnNode(3), "blue-1"),
    made(N, Verdict.ZONE_STATE, ZoneDisruption("FullDisruption"), "a"),
    made(Actor.TAINT_EVICTION, Verdict.EVICTED, TaintEviction(("gone",), 300.0), "shop-1", "blue-1"),
    made(K, Verdict.PRESSURE, PressureChange(("MemoryPressure",)), "blue-1"),
    made(K, Verdict.EVICTED, PressureEviction("memory.available", True, 900 * MIB, 500 * MIB, 90 * MIB, 100 * MIB),
         "shop-1", "blue-1"),
    made(K, Verdict.EVICTED, LimitEviction(2 * GIB, GIB), "shop-1", "blue-1"),
    made(K, Verdict.REMOVED, Reclaimed(30 * GIB), "blue-1"),
    made(K, Verdict.OOM_KILLED, OomKill(MIB, "memory limit", restart_wait_s=10.0), "shop-1", "blue-1"),
    made(K, Verdict.REFUSED, NotAdmitted("MemoryPressure"), "shop-1", "blue-1"),
    made(Actor.CONTROLLER, Verdict.REMOVED, OrphanRemoved("there is no such node"), "shop-1", "blue-9"),
    made(Actor.EVICTION, Verdict.REFUSED, EvictionRefused(429, "kubectl drain", "web", 2, 2), "shop-1", "blue-1"),
    made(Actor.DRAIN, Verdict.DRAINING, DrainBegun(4, "node upgrade"), "blue-1"),
    made(Actor.DRAIN, Verdict.REFUSED, DrainStopped("tool-0001", "has no controller", 2, "kubectl drain"), "blue-1"),
    made(Actor.DRAIN, Verdict.DRAINED, DrainEnded(1, 0, 5.0, "node upgrade"), "blue-1"),
    made(Actor.CONTROLLER, Verdict.ENDED, RolloutEnded(12, 130.0)),
    made(Actor.CONTROLLER, Verdict.REMOVED, BarePodLost("Preempted"), "tool-0001"),
    made(Actor.CONTROLLER, Verdict.REFUSED, QuotaRefusal("compute", (), (("requests.cpu", 500, 1900, 2000),)), "web"),
    made(Actor.CONTROLLER, Verdict.REFUSED, QuotaRefusal("compute", ("limits.cpu",), ()), "web"),
    made(Actor.CONTROLLER, Verdict.FAILED, JobEnded(3, 2, 120.0, "DeadlineExceeded")),
    made(Actor.CONTROLLER, Verdict.LAUNCHED, CronJobLook(0.1, 1, 2)),
    made(Actor.CONTROLLER, Verdict.REFUSED, CronJobLook(0.1, 1, 0)),
    made(Actor.CONTROLLER, Verdict.FAILED, CronJobLook(0.0, 0, 3)),
    made(Actor.DRAIN, Verdict.ENDED, UpgradeEnded(6, 1404.0), "blue"),
    made(Actor.PLAN_EVENT, Verdict.HAPPENED, PlanEventEffect("zoneOutage", ("a-1", "a-2")), "a"),
)  # fmt: skip
"""One of every kind of details."""
