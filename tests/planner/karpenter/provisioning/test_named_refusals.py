"""Which of several rules is named when all of them leave a pod no domain."""

import numpy as np

from planner.engine.draws import Draws
from planner.karpenter.cluster_view import ClusterView
from planner.karpenter.control.lots import DomainLots
from planner.karpenter.failures import Failure
from planner.karpenter.pod_view import PodView
from planner.karpenter.provider import KarpenterProvider
from planner.karpenter.provisioning.round_basis import RoundSettings
from planner.karpenter.provisioning.scheduling_round import first
from planner.plan.model.karpenter.machine_types import MachineType
from planner.plan.model.karpenter.node_pools import NodePool
from planner.plan.model.pods.placement import LabelSelector, PodAffinityTerm, TopologySpreadConstraint
from planner.simulation.compile.karpenter import compile_catalogue, compile_pool
from planner.state.resources import ResourceAxis
from planner.state.specs import PodPlacement, PodSpec
from tests.planner.karpenter.karpenter_plans import machine, pool

AXIS = ResourceAxis()
TYPES = compile_catalogue([MachineType.model_validate(machine("s", 2, 2))], AXIS)
PROVIDER = KarpenterProvider(AXIS, [compile_pool(NodePool.model_validate(pool()))], TYPES, RoundSettings())
NOBODY = LabelSelector.model_validate({"matchLabels": {"app": "nobody"}})
NOWHERE = "example.com/rack"
SPREAD = TopologySpreadConstraint.model_validate({"maxSkew": 1, "topologyKey": NOWHERE, "labelSelector": NOBODY})
TERM = PodAffinityTerm.model_validate({"topologyKey": NOWHERE, "labelSelector": NOBODY})


def failures_of(choice, *, spread: bool = True, affinity: bool = True):
    placement = PodPlacement(
        spread_constraints=(SPREAD,) if spread else (), required_affinity=(TERM,) if affinity else ()
    )
    spec = PodSpec(0, 0, "default", {}, AXIS.amounts({"cpu": 100}), np.zeros(2), placement=placement)
    pods = [PodView(row, f"default/{row:02}", spec, 0) for row in range(24)]
    found = PROVIDER.place(ClusterView([], pods), [], choice)
    return {reasons for _, reasons in found.failures}


def test_of_several_rules_any_may_be_named() -> None:
    """Source: Karpenter 1.13.0, pkg/controllers/provisioning/scheduling/topology.go: getMatchingTopologies walks a
    map of the rules and AddRequirements returns the error of the first that leaves nothing.
    """
    drawn = DomainLots(Draws(1)).choose
    assert failures_of(drawn) == {(Failure.SPREAD,), (Failure.AFFINITY,)}
    assert failures_of(first) == {(Failure.SPREAD,)}
    assert failures_of(drawn, spread=False) == {(Failure.AFFINITY,)}
    assert failures_of(drawn, affinity=False) == {(Failure.SPREAD,)}
