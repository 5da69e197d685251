"""A maximum of an autoscaler is compared with what the pools can hold at their largest."""

import pytest

from planner.plan.hints.autoscalers.hpa_room import room_hints
from planner.plan.model.node_groups import Taint
from tests.builders import a_node_group, a_plan, a_pod, a_workload, an_hpa
from tests.planner.karpenter.karpenter_plans import karpenter_plan, pool

TAINT = Taint(key="gpu", value="", effect="NoSchedule")


def plan(most, *pools, pod=None, **parts):
    return a_plan(
        node_groups=pools,
        workloads=(a_workload(pod=pod or a_pod("1", "1Gi")),),
        horizontal_pod_autoscalers=(an_hpa(max_replicas=most),),
        **parts,
    )


SMALL = a_node_group("small", max_size=3, kubelet={"preset": "none"})
TAINTED = a_node_group("gpu", max_size=50, taints=(TAINT,))


@pytest.mark.parametrize(
    ("checked", "room"),
    [
        (plan(12, SMALL), None),
        (plan(13, SMALL), 12),
        (plan(13, SMALL, a_node_group("more", max_size=1)), None),
        (plan(40, SMALL, TAINTED), 12),
        (plan(40, SMALL, pod=a_pod("100m", "5Gi")), 9),
        (plan(500, SMALL, pod=a_pod("10m", "1Mi")), 330),
        (plan(9, SMALL, cluster_autoscaler={"enabled": False}), 4),
    ],
)
def test_a_maximum_that_the_pools_can_never_hold_gives_a_hint(checked, room):
    found = [hint.text for hint in room_hints(checked)]
    assert [text for text in found if room is None or f"at most {room} of" not in text] == []
    assert bool(found) is (room is not None)


@pytest.mark.parametrize(
    ("limits", "most", "room"),
    [
        ([{"cpu": "10"}], 9, None),
        ([{"cpu": "8"}], 9, 8),
        ([{"cpu": "20", "memory": "8Gi"}], 9, 8),
        ([{"cpu": "5"}, {"cpu": "3"}], 9, 8),
        ([{"cpu": "5"}, {}], 9, None),
        ([{"nodes": 1}], 9, None),
    ],
)
@pytest.mark.parametrize("size", [0, 1])
def test_what_limits_of_karpenter_let_it_launch_comes_to_the_nodes_of_groups(limits, most, room, size):
    pools = [pool(f"pool-{number}", limits=limit) for number, limit in enumerate(limits)]
    hpa = an_hpa(max_replicas=most + 4 * size).model_dump(mode="json", by_alias=True)
    group = a_node_group("small", max_size=1, initial_size=1, kubelet={"preset": "none"})
    groups = [group.model_dump(mode="json", by_alias=True)] * size
    checked = karpenter_plan(pools, nodeGroups=groups, horizontalPodAutoscalers=[hpa])
    found = [hint.text for hint in room_hints(checked)]
    assert len(found) == (room is not None)
    assert [text for text in found if f"at most {(room or 0) + 4 * size} of" not in text] == []
