"""Loops of the updater over pods that are resized in place."""

from dataclasses import replace

import pytest

from planner.vpa.admission.capping import ContainerResources, Recommended
from planner.vpa.recommender.policies import ContainerPolicy
from planner.vpa.updater.in_place import ResizeState
from planner.vpa.updater.priority import PodFacts
from planner.vpa.updater.updater import (
    LivePod,
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
    """Nothing fits; what was asked for is noted."""

    def __init__(self) -> None:
        self.resized: list[object] = []

    def evict(self, pod: LivePod) -> bool:
        raise AssertionError("the mode never evicts")

    def resize(self, pod: LivePod, settings: object) -> ResizeAnswer:
        self.resized.append(pod.id)
        return ResizeAnswer.INFEASIBLE


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
