"""What nodes a pool can make.

Source: Karpenter 1.13, pkg/controllers/provisioning/scheduling/nodeclaimtemplate.go and pkg/utils/nodepool.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from planner.karpenter.catalogue.catalogue import Catalogue, TypeSet
from planner.karpenter.catalogue.type_filter import filter_types
from planner.karpenter.failures import Failure
from planner.karpenter.pools.pool_rules import PoolRules
from planner.karpenter.requirements.requirement import LabelRequirement, one_of
from planner.karpenter.requirements.requirements import NODE_POOL_LABEL, narrowed, of_labels
from planner.state.resources import Amounts


@dataclass(frozen=True, eq=False)
class NodeTemplate:
    """The nodes of a pool before anything is known of their pods."""

    pool: PoolRules
    requirements: Mapping[str, LabelRequirement]
    types: TypeSet


def in_order(pools: Iterable[PoolRules]) -> list[PoolRules]:
    """The pools by weight, the heaviest first; equal ones by name, the last first."""
    return sorted(sorted(pools, key=lambda pool: pool.name, reverse=True), key=lambda pool: -pool.weight)


def template_needs(pool: PoolRules) -> dict[str, LabelRequirement]:
    """Requirements and labels of the pool's nodes, with the name of the pool."""
    own = {NODE_POOL_LABEL: one_of(pool.name)}
    return narrowed(narrowed(pool.requirements, of_labels(pool.labels)), own)


def templates(
    pools: Sequence[PoolRules], catalogue: Catalogue, nothing: Amounts, lowers_min_values: bool
) -> tuple[list[NodeTemplate], dict[str, Failure]]:
    """The templates of pools that some machine type can serve, and why the other pools are left out.

    `nothing`: requests of zero.
    """
    found: list[NodeTemplate] = []
    left_out: dict[str, Failure] = {}
    for pool in pools:
        needs = template_needs(pool)
        left = filter_types(catalogue, catalogue.every, needs, nothing, lowers_min_values)
        if left.failure is None:
            found.append(NodeTemplate(pool, needs, left.types))
        else:
            left_out[pool.name] = left.failure
    return found, left_out
