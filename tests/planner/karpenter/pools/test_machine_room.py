"""What of a machine pods can use."""

import pytest

from planner.karpenter.cluster_view import NodeView
from planner.plan.model.karpenter.machine_types import MachineType
from planner.simulation.compile.karpenter import compile_catalogue
from planner.state.resources import MEMORY, ResourceAxis
from tests.planner.karpenter.karpenter_plans import machine

MIB = 1024**2


@pytest.mark.parametrize(("extended", "reserved_mib", "left_mib"), [
    ({}, 300, 7892),
    ({"example.com/fpga": 5}, 300, 7892),
    ({"hugepages-2Mi": 1024 * MIB}, 300, 6868),
    ({"hugepages-2Mi": 1024 * MIB, "hugepages-1Gi": 2048 * MIB}, 0, 5120),
    ({"hugepages-1Gi": 8192 * MIB}, 300, 0),
])  # fmt: skip
def test_huge_pages_are_taken_from_the_memory(extended, reserved_mib, left_mib):
    given = {**machine("m", 2, 1), "extended": extended, "reservedMemory": f"{reserved_mib}Mi", "memory": "8Gi"}
    catalogue = compile_catalogue([MachineType.model_validate(given)], ResourceAxis())
    assert catalogue.types[0].allocatable[MEMORY] == left_mib * MIB


@pytest.mark.parametrize(("has", "requested", "left"), [
    ({"cpu": 900, "fpga": 2}, {"cpu": 300, "fpga": 1}, {"cpu": 600, "fpga": 1}),
    ({"cpu": 900, "fpga": 2}, {"cpu": 300, "fpga": 3}, {"cpu": 600, "fpga": -1}),
    ({"cpu": 900}, {"cpu": 300, "fpga": 3}, {"cpu": 600, "fpga": 0}),
    ({"cpu": 900}, {"ephemeral-storage": 40}, {"cpu": 900, "ephemeral-storage": 0}),
    ({"fpga": 1}, {"cpu": 300}, {"cpu": -300, "fpga": 1}),
])  # fmt: skip
def test_pods_do_not_overdraw_what_their_node_does_not_tell(has, requested, left):
    axis = ResourceAxis(["fpga"])
    node = NodeView("n", {}, (), axis.amounts(has), axis.amounts(has), requested=axis.amounts(requested))
    assert node.available.tolist() == axis.amounts(left).tolist()
