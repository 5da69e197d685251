"""The bound that spares simulations never rejects what a simulation would find."""

import random

import numpy as np
import pytest

from planner.karpenter.cluster_view import ClusterView, NodeView
from planner.karpenter.disruption.commands import DisruptionCandidate
from planner.karpenter.disruption.evaluation import simulate
from planner.karpenter.disruption.room_elsewhere import needs_several
from planner.karpenter.pod_view import PodView
from planner.karpenter.provider import KarpenterProvider
from planner.karpenter.provisioning.round_basis import RoundSettings
from planner.plan.model.karpenter.machine_types import MachineType
from planner.plan.model.karpenter.node_pools import NodePool
from planner.simulation.compile.karpenter import compile_catalogue, compile_pool
from planner.state.resources import ResourceAxis
from planner.state.specs import PodSpec
from tests.planner.karpenter.karpenter_plans import machine, pool

AXIS = ResourceAxis()
TYPES = compile_catalogue([MachineType.model_validate(machine(n, c, c)) for n, c in (("s", 2), ("l", 6))], AXIS)
PROVIDER = KarpenterProvider(AXIS, [compile_pool(NodePool.model_validate(pool()))], TYPES, RoundSettings())
SHAPES = [
    PodSpec(at, at, "default", {}, AXIS.amounts({"cpu": milli, "memory": 2**28}), np.zeros(2))
    for at, milli in enumerate((500, 900, 1900))
]


def some_cluster(chance):
    """Nodes of both types with as many pods as fit, or fewer."""
    nodes, row = [], 0
    for number in range(chance.randint(2, 6)):
        made, left, pods = TYPES.types[chance.randint(0, 1)], 0, []
        left = int(made.allocatable[0]) * chance.choice([0.3, 0.7, 1.0])
        for shape in chance.choices(SHAPES, k=12):
            if shape.request[0] <= left:
                left -= int(shape.request[0])
                pods.append(PodView(row, f"default/{row}", shape, 0))
                row += 1
        nodes.append(
            NodeView(f"n-{number}", made.labels, (), made.capacity, made.allocatable, "general", pods=tuple(pods))
        )
    return ClusterView(nodes, [])


@pytest.mark.parametrize("seed", range(40))
def test_pods_that_surely_need_several_nodes_get_no_room_in_a_simulation(seed):
    chance = random.Random(seed)
    view = some_cluster(chance)
    chosen = tuple(DisruptionCandidate(node, 1.0, False) for node in view.nodes[: chance.randint(1, len(view.nodes))])
    found = simulate(view, PROVIDER, chosen)
    if needs_several(view, PROVIDER, chosen):
        assert found.failures or len(found.result.claims) > 1


def test_the_bound_tells_what_fits_one_new_node_from_what_does_not():
    full = TYPES.types[1]
    pods = [tuple(PodView(10 * n + at, f"d/{n}-{at}", SHAPES[1], 0) for at in range(6)) for n in range(2)]
    nodes = [
        NodeView(f"n-{n}", full.labels, (), full.capacity, full.allocatable, "general", pods=pods[n]) for n in (0, 1)
    ]
    view = ClusterView(nodes, [])
    one, both = [tuple(DisruptionCandidate(node, 1.0, False) for node in nodes[:count]) for count in (1, 2)]
    assert not needs_several(view, PROVIDER, one) and needs_several(view, PROVIDER, both)
