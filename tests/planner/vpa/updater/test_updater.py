"""Loops of the updater over pods that are resized in place."""

from dataclasses import replace

import pytest

from planner.vpa.admission.capping import ContainerResources, Recommended
from planner.vpa.recommender.policies import ContainerPolicy
from planner.vpa.updater.groups import GroupRules
from planner.vpa.updater.in_place import ResizeState
from planner.vpa.updater.live_pod import LivePod
from planner.vpa.updater.priority import PodFacts, PriorityRules
from planner.vpa.updater.rate_limit import RateLimit
from planner.vpa.updater.updater import (
    ResizeAnswer,
    UpdateMode,
    UpdaterLoop,
    UpdaterMemory,
    UpdaterRules,
    VpaSpec,
)

POLICY = ContainerPolicy("app", max_allowed={"cpu": 150})
PODS = [
    LivePod(name, "web", PodFacts((ContainerResources("app", {"cpu": 100}),)), resize=ResizeState.NONE)
    for name in ("web-1", "web-2")
]


class Hands:
    """What was asked for is noted; nothing fits unless `answer` says so."""

    def __init__(self, answer: ResizeAnswer = ResizeAnswer.INFEASIBLE) -> None:
        self.resized: list[object] = []
        self._answer = answer

    def evict(self, pod: LivePod) -> bool:
        raise AssertionError("the mode never evicts")

    def resize(self, pod: LivePod, settings: object) -> ResizeAnswer:
        self.resized.append(pod.id)
        return self._answer


@pytest.mark.parametrize(
    ("second", "tries"),
    [
        pytest.param(300, 2, id="the same recommendation, which the policy lowers, is not tried again"),
        pytest.param(400, 2, id="nor is a higher one"),
        pytest.param(200, 4, id="a lower one is"),
    ],
)
def test_a_recommendation_that_no_node_satisfies_is_tried_again_only_if_it_is_lower(second: int, tries: int) -> None:
    """Source: Vertical Pod Autoscaler 1.8.0, updater/restriction/pods_inplace_restriction.go: CanInPlaceUpdate compares
    recommendations of the VPA, before they are fitted to the pod.
    """
    hands, memory = Hands(), UpdaterMemory()
    vpa = VpaSpec(UpdateMode.IN_PLACE, (POLICY,))
    for target in (300, second):
        said = {"app": Recommended({"cpu": target}, {"cpu": target}, {"cpu": target})}
        UpdaterLoop(UpdaterRules(), memory, hands, 0).update(
            replace(vpa, recommendation=said), PODS, lambda name, live: live
        )
    assert len(hands.resized) == tries


@pytest.mark.parametrize(
    ("burst", "due_s"),
    [
        pytest.param(1, [20, 40], id="each waits for its turn"),
        pytest.param(2, [20], id="a burst goes at once"),
        pytest.param(3, [], id="nobody has to wait"),
    ],
)
def test_resizes_in_place_have_a_rate_of_their_own(burst: int, due_s: list[int]) -> None:
    """Source: Vertical Pod Autoscaler 1.8.0, updater/logic/updater.go: RunOnce waits for inPlaceRateLimiter, which
    evictions do not use, before each resize.
    """
    hands, rate = Hands(ResizeAnswer.DONE), RateLimit(0.05, burst)
    said = {"app": Recommended({"cpu": 300}, {"cpu": 300}, {"cpu": 300})}
    loop = UpdaterLoop(UpdaterRules(groups=GroupRules(tolerance=1.0)), UpdaterMemory(resize_rate=rate), hands, 0)
    pods = [PODS[0]._replace(id=f"web-{number}") for number in range(3)]
    loop.update(VpaSpec(UpdateMode.IN_PLACE_OR_RECREATE, recommendation=said), pods, lambda name, live: live)
    waits = []
    while loop.due_us is not None:
        waits.append(loop.due_us // 1_000_000)
        loop.go_on()
    assert waits == due_s
    assert hands.resized == ["web-0", "web-1", "web-2"]


class Evicting:
    """Every eviction is allowed and noted."""

    def __init__(self) -> None:
        self.evicted: list[object] = []

    def evict(self, pod: LivePod) -> bool:
        self.evicted.append(pod.id)
        return True

    def resize(self, pod: LivePod, settings: object) -> ResizeAnswer:
        raise AssertionError("it is being resized")


@pytest.mark.parametrize(
    ("name", "evicted"),
    [
        pytest.param("default/db-0", ["second"], id="a pod of the same name waits since the first one did"),
        pytest.param(None, [], id="any other pod waits anew"),
    ],
)
def test_how_long_a_resize_waits_is_remembered_by_name(name: str | None, evicted: list[object]) -> None:
    """Source: Vertical Pod Autoscaler 1.8.0, updater/restriction/pods_inplace_restriction.go, CanEvictInPlacingPod."""
    hands, memory = Evicting(), UpdaterMemory()
    said = {"app": Recommended({"cpu": 300}, {"cpu": 300}, {"cpu": 300})}
    vpa = VpaSpec(UpdateMode.IN_PLACE_OR_RECREATE, recommendation=said, min_replicas=1)
    for pod, minute in (("first", 0), ("second", 6)):
        live = LivePod(pod, "db", PODS[0].facts, resize=ResizeState.DEFERRED, name=name)
        loop = UpdaterLoop(UpdaterRules(), memory, hands, minute * 60_000_000)
        loop.update(vpa, [live], lambda _group, live: live)
    assert hands.evicted == evicted


class Obeying(Evicting):
    """Resizes are done, too."""

    def __init__(self) -> None:
        super().__init__()
        self.resized: list[object] = []

    def resize(self, pod: LivePod, settings: object) -> ResizeAnswer:
        self.resized.append(pod.id)
        return ResizeAnswer.DONE


@pytest.mark.parametrize(
    ("requests", "resized", "evicted"),
    [
        pytest.param({"cpu": 100}, [], ["web-1", "web-2"], id="nothing to ask for, so they are evicted"),
        pytest.param({}, ["web-1", "web-2"], [], id="empty resources are asked for where a container has none"),
    ],
)
def test_a_resize_that_would_set_nothing_fails_unasked(
    requests: dict[str, int], resized: list[object], evicted: list[object]
) -> None:
    """Source: Vertical Pod Autoscaler 1.8.0, updater/restriction/pods_inplace_restriction.go: InPlaceUpdate ends with
    an error if no patches were calculated, and the loop falls back to evictions.
    """
    hands = Obeying()
    facts = PodFacts((ContainerResources("app", requests),), started_us=0)
    pods = [one._replace(facts=facts) for one in PODS]
    rules = UpdaterRules(priority=PriorityRules(threshold=0.0, lifetime_us=0), groups=GroupRules(tolerance=1.0))
    vpa = VpaSpec(UpdateMode.IN_PLACE_OR_RECREATE, recommendation={"app": Recommended({}, {}, {})})
    UpdaterLoop(rules, UpdaterMemory(), hands, 0).update(vpa, pods, lambda name, live: live)
    assert (hands.resized, hands.evicted) == (resized, evicted)
