"""Whether a kubelet can resize a pod, and which resizes it tries first."""

import numpy as np
import pytest

from planner.nodes.kubelet.qos import QosClass
from planner.nodes.resizing.changed_resources import changes_between, restarting
from planner.nodes.resizing.rules import PendingResize, grows, in_retry_order, resize_verdict
from planner.plan.model.pods.containers import Container, ResizePolicy, Resources
from planner.plan.model.pods.pod_template import PodTemplate
from planner.state.pods import ResizeStage

NODE = np.array([4000, 8_000, 0, 110])


def amounts(cpu, memory):
    return np.array([cpu, memory, 0, 0])


@pytest.mark.parametrize(
    ("others", "own", "wanted", "stage", "resource", "room"),
    [
        ((1000, 1000), (500, 500), (3000, 7000), ResizeStage.IN_PROGRESS, -1, 0),
        ((1000, 1000), (500, 500), (3001, 500), ResizeStage.DEFERRED, 0, 3000),
        ((1000, 1000), (500, 500), (500, 7001), ResizeStage.DEFERRED, 1, 7000),
        ((1000, 1000), (500, 500), (4001, 500), ResizeStage.INFEASIBLE, 0, 4000),
        ((3000, 8000), (1000, 500), (4000, 8001), ResizeStage.INFEASIBLE, 1, 8000),
        ((4000, 1000), (500, 500), (400, 600), ResizeStage.IN_PROGRESS, -1, 0),
    ],
    ids=["fits", "no CPU now", "no memory now", "never CPU", "never comes first", "what shrinks never lacks"],
)
def test_a_resize_fits_now_later_or_never(others, own, wanted, stage, resource, room):
    found = resize_verdict(NODE, amounts(*others), amounts(*own), amounts(*wanted))
    assert found == (stage, resource, room)


def test_resizes_are_tried_by_need_of_room_priority_class_of_service_and_wait():
    def pending(pod, grows=True, priority=0, qos=QosClass.BURSTABLE, since_us=0):
        return PendingResize(pod, grows, priority, qos, since_us)

    late, early = pending(1, since_us=5), pending(2, since_us=1)
    guaranteed, urgent = pending(3, qos=QosClass.GUARANTEED, since_us=9), pending(4, priority=10, since_us=9)
    smaller = pending(5, grows=False, priority=-1, since_us=9)
    found = in_retry_order([late, early, guaranteed, urgent, smaller])
    assert [one.pod for one in found] == [5, 4, 3, 2, 1]
    assert grows(amounts(1, 2), amounts(2, 1)) and not grows(amounts(2, 2), amounts(1, 2))


@pytest.mark.parametrize(
    ("policy", "after", "places"),
    [
        ({}, {"cpu": "2", "memory": "2Gi"}, ()),
        ({"cpu": "RestartContainer"}, {"cpu": "2", "memory": "1Gi"}, (0,)),
        ({"cpu": "RestartContainer"}, {"cpu": "1", "memory": "2Gi"}, ()),
        ({"memory": "RestartContainer"}, {"cpu": "2", "memory": "2Gi"}, (0,)),
    ],
)
def test_a_container_restarts_where_the_policy_of_a_changed_resource_says_so(policy, after, places):
    def pod(requests):
        first = Container(name="app", requests=Resources(**requests), resize_policy=ResizePolicy(**policy))
        return PodTemplate(containers=(first, Container(name="other", requests=Resources(cpu="1"))))

    before = pod({"cpu": "1", "memory": "1Gi"})
    assert restarting(before, pod(after)) == places
    assert {one.container for one in changes_between(before, pod(after))} == {"app"}
