"""What DaemonSets take of the nodes of each pool."""

import numpy as np
import pytest

from planner.karpenter.provisioning.round_basis import RoundBasis, RoundSettings
from planner.plan.model.karpenter.machine_types import MachineType
from planner.plan.model.karpenter.node_pools import NodePool
from planner.plan.model.pods.placement import NodeSelectorTerm
from planner.simulation.compile.karpenter import compile_catalogue, compile_pool
from planner.state.resources import ResourceAxis
from planner.state.specs import PodPlacement, PodSpec, PortClaim
from tests.planner.karpenter.karpenter_plans import machine, pool

AXIS = ResourceAxis()
TYPES = compile_catalogue([MachineType.model_validate(machine("m", 4, 1))], AXIS)
PORT = PortClaim(7946, "UDP")


def on_tier(name):
    return NodeSelectorTerm.model_validate({"matchExpressions": [{"key": "tier", "operator": "In", "values": [name]}]})


@pytest.mark.parametrize(("terms", "requests", "ports"), [
    ((), [30, 30], [1, 1]),
    (("upper",), [30, 0], [1, 0]),
    (("lower",), [0, 30], [0, 1]),
    (("upper", "lower"), [30, 30], [0, 1]),
    (("lower", "upper"), [30, 0], [1, 0]),
])  # fmt: skip
def test_a_term_that_a_later_pool_makes_a_daemon_give_up_is_missed_by_its_ports(terms, requests, ports):
    """Requests are added up pool by pool, the heavier first, then ports; a term once given up is gone for good."""
    placement = PodPlacement(required_terms=tuple(map(on_tier, terms)), host_ports=(PORT,))
    daemon = PodSpec(0, 0, "default", {}, AXIS.amounts({"cpu": 30}), np.zeros(2), is_daemon=True, placement=placement)
    pools = [
        compile_pool(NodePool.model_validate(pool(name, weight=weight, labels={"tier": name})))
        for name, weight in (("upper", 20), ("lower", 10))
    ]
    basis = RoundBasis(AXIS, pools, TYPES, RoundSettings(), [daemon])
    assert [int(asked[0]) for asked, _ in basis.overheads] == requests
    assert [len(taken) for _, taken in basis.overheads] == ports


@pytest.mark.parametrize(("bare", "taken"), [
    ((), [53, 80, 443]),
    ((0,), [53, 80, 443]),
    ((0, 1), [80, 443]),
    ((0, 1, 2), [443]),
    ((0, 1, 2, 3), []),
    ((0, 3), [80, 443]),
    ((2, 3), [53, 80]),
])  # fmt: skip
def test_of_sets_without_a_pod_only_the_ports_of_the_last_are_kept_free(bare, taken):
    """The last has no port at all."""
    nothing = AXIS.amounts({})
    daemons = [
        PodSpec(at, at, "default", {}, nothing, np.zeros(2), placement=PodPlacement(host_ports=ports))
        for at, ports in enumerate([(PortClaim(53),), (PortClaim(80),), (PortClaim(443),), ()])
    ]
    pools = [compile_pool(NodePool.model_validate(pool()))]
    basis = RoundBasis(AXIS, pools, TYPES, RoundSettings(), daemons, frozenset(bare))
    [(_, ports)] = basis.overheads
    assert sorted(port.port for port in ports) == taken
