"""Domains that pools could open."""

import pytest

from planner.karpenter.requirements.requirements import narrowed, of_expressions
from planner.karpenter.topology.domains import PossibleDomains
from planner.plan.model.karpenter.machine_types import MachineType
from planner.plan.model.pods.placement import NodeSelectorRequirement
from planner.simulation.compile.karpenter import compile_catalogue
from planner.state.resources import ResourceAxis
from tests.planner.karpenter.karpenter_plans import machine

CORES = "vendor.example/cores"
TYPES = [MachineType.model_validate({**machine(f"m{n}", n, 1), "labels": {CORES: str(n)}}) for n in (2, 4, 8)]
CATALOGUE = compile_catalogue(TYPES, ResourceAxis(), ("vendor.example/board",))


def needs(key, *expressions):
    found = {}
    for operator, *values in expressions:
        given = NodeSelectorRequirement.model_validate({"key": key, "operator": operator, "values": values})
        found = narrowed(found, of_expressions([given]))
    return found


@pytest.mark.parametrize(("key", "expressions", "domains"), [
    ("rack", [("In", "7", "9")], {"7", "9"}),
    ("rack", [("Exists",)], set()),
    ("rack", [("NotIn", "7")], {"7"}),
    ("rack", [("NotIn", "7"), ("Gt", "3")], {"7"}),
    ("rack", [("NotIn", "7"), ("Lt", "3")], set()),
    (CORES, [("NotIn", "4")], {"2", "8"}),
    (CORES, [("NotIn", "4"), ("Gt", "3")], {"8"}),
    ("vendor.example/board", [("NotIn", "b1")], set()),
    ("vendor.example/board", [("In", "b1")], {"b1"}),
])  # fmt: skip
def test_excluded_values_are_domains_of_labels_that_say_nothing_of_types(key, expressions, domains):
    possible = PossibleDomains()
    possible.add_pool(needs(key, *expressions), (), CATALOGUE)
    assert set(possible.of(key, None)) == domains
