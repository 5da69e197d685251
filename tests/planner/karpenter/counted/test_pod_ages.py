"""States of pods of one kind come in the order in which a round looks for room for them."""

import random

import numpy as np
import pytest

from planner.karpenter.cluster_view import NodeView
from planner.karpenter.counted.pod_ages import AgeOrder, PodsLeftBehind, states_of
from planner.karpenter.pods.round_pod import RoundPod
from planner.karpenter.provisioning.scheduling_round import queue_order
from planner.state.specs import PodSpec

AMOUNTS = np.zeros(3, dtype=np.int64)
SPEC = PodSpec(0, 0, "default", {}, np.array([500, 1 << 28, 0]), np.zeros(2))


def some_pods(chance, rows, number, ages, **states):
    """Pods with names in no order, some of them of one age."""
    return [
        RoundPod(row, f"default/{chance.random()}", SPEC, chance.randrange(ages), **states) for row in rows[:number]
    ]


@pytest.mark.parametrize("ages", [1, 3, 1000])
@pytest.mark.parametrize("seed", range(20))
def test_states_are_in_the_order_of_the_queue(seed, ages):
    chance = random.Random(seed)
    rows = chance.sample(range(1000), k=200)
    base = some_pods(chance, rows[:20], chance.randrange(20), ages)
    base += some_pods(chance, rows[20:40], chance.randrange(20), ages, is_pending=False, from_deleting=True)
    left = [
        some_pods(chance, rows[at : at + 10], chance.randrange(10), ages, is_pending=False) for at in range(40, 80, 10)
    ]
    nodes = [NodeView(f"n-{at}", {}, (), AMOUNTS, AMOUNTS) for at in range(4)]
    left_by = dict(zip(nodes, map(PodsLeftBehind.of, left), strict=True))
    order = AgeOrder(base, left_by.__getitem__)
    for _ in range(8):
        gone = chance.sample(range(4), k=chance.randint(0, 4))
        everything = sorted([*base, *(pod for at in gone for pod in left[at])], key=queue_order)
        assert order.of([nodes[at] for at in gone]).tolist() == states_of(everything).tolist()
