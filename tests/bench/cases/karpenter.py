"""How long a scheduling round of Karpenter takes, and a pass of multi-node consolidation."""

import time
from collections.abc import Callable

import numpy as np

from planner.karpenter.cluster_view import ClusterView, NodeView
from planner.karpenter.disruption.candidates import candidates
from planner.karpenter.disruption.commands import DisruptionMethod
from planner.karpenter.disruption.methods import DisruptionScene, find_command
from planner.karpenter.pod_view import PodView
from planner.karpenter.provider import KarpenterProvider, place_pending
from planner.karpenter.provisioning.round_basis import RoundSettings
from planner.karpenter.requirements.requirements import CAPACITY_TYPE_LABEL, NODE_POOL_LABEL
from planner.plan.model.karpenter.machine_types import MachineType
from planner.plan.model.karpenter.node_pools import NodePool
from planner.plan.model.node_groups import ZONE_LABEL
from planner.simulation.compile.karpenter import compile_catalogue, compile_pool
from planner.state.resources import CPU, MEMORY, PODS, ResourceAxis
from planner.state.specs import HOSTNAME_LABEL, PodSpec
from planner.units import MIB

NODES, PENDING, SHAPES, ZONES = 1000, 1000, 10, ("a", "b", "c")
BOTH = {"key": CAPACITY_TYPE_LABEL, "operator": "In", "values": ["spot", "on-demand"]}


def _provider() -> KarpenterProvider:
    """150 types of 2 to 20 cores in three zones, on demand and spot."""
    axis = ResourceAxis()
    types = [_machine(family, 2 * size) for family in range(15) for size in range(1, 11)]
    pool = compile_pool(NodePool.model_validate({"name": "general", "requirements": [BOTH]}))
    return KarpenterProvider(axis, [pool], compile_catalogue(types, axis), RoundSettings())


def _machine(family: int, cores: int) -> MachineType:
    price = cores * 0.05 * (1 + 0.03 * family)
    offerings = [
        {"zone": zone, "capacityType": market, "price": price * share}
        for zone in ZONES
        for market, share in (("on-demand", 1.0), ("spot", 0.4))
    ]
    return MachineType.model_validate(
        {
            "name": f"f{family:02d}.{cores:02d}",
            "cpu": str(cores),
            "memory": f"{cores * (2 + family % 7)}Gi",
            "labels": {"example.com/family": f"f{family}"},
            "offerings": offerings,
        }
    )


def _view(provider: KarpenterProvider, pending: int, used: float) -> ClusterView:
    """Nodes of all types on which pods use a share of the CPU."""
    axis, types = provider.axis, provider.catalogue.types
    specs = [
        PodSpec(
            at,
            at,
            "default",
            {"app": f"a{at}"},
            axis.amounts({"cpu": 100 + 150 * at, "memory": 256 * MIB}),
            np.zeros(2),
        )
        for at in range(SHAPES)
    ]
    nodes = []
    for row in range(NODES):
        machine, name = types[row * 7 % len(types)], f"n-{row:04d}"
        place = {ZONE_LABEL: ZONES[row % 3], CAPACITY_TYPE_LABEL: "on-demand", NODE_POOL_LABEL: "general"}
        requested = axis.amounts({})
        requested[CPU], requested[MEMORY] = machine.allocatable[CPU] * used, machine.allocatable[MEMORY] * used
        requested[PODS] = 5
        pods = tuple(PodView(row * 5 + at, f"default/b{row}-{at}", specs[at], 0) for at in range(5))
        nodes.append(
            NodeView(
                name,
                {**machine.labels, **place, HOSTNAME_LABEL: name},
                (),
                machine.capacity,
                machine.allocatable,
                "general",
                is_consolidatable=True,
                pods=pods,
                requested=requested,
            )  # fmt: skip
        )
    waiting = [PodView(10**6 + at, f"default/p{at:04d}", specs[at % SHAPES], 0) for at in range(pending)]
    return ClusterView(nodes, waiting)


def _milliseconds(action: Callable[[], object]) -> float:
    started = time.perf_counter()
    action()
    return (time.perf_counter() - started) * 1000


def one_round() -> dict[str, float]:
    """1,000 full nodes, 1,000 pending pods of 10 shapes, 150 types."""
    provider = _provider()
    view = _view(provider, PENDING, used=1.0)
    return {"karpenter_round_1000": _milliseconds(lambda: place_pending(view, provider))}


def consolidate() -> dict[str, float]:
    """One pass of multi-node consolidation over 1,000 half-empty nodes, 100 candidates."""
    provider = _provider()
    view = _view(provider, 0, used=0.5)
    method = DisruptionMethod.MULTI_NODE

    def act() -> None:
        chosen = candidates(view, view.nodes, provider, method, 0)
        assert find_command(method, DisruptionScene(view, provider, False, {"general": 10**6}), chosen).command

    return {"karpenter_consolidate_1000": _milliseconds(act)}


CASES = {"karpenter_round_1000": one_round, "karpenter_consolidate_1000": consolidate}
UNITS = {"karpenter_round_1000": "ms", "karpenter_consolidate_1000": "ms"}
