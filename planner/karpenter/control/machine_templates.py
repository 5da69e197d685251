"""Templates of nodes that Karpenter launches, one for those that are alike."""

from collections.abc import Hashable, Mapping

from planner.karpenter.lifecycle.launch import Launch
from planner.karpenter.pools.pool_rules import PoolRules
from planner.plan.model.node_groups import known_labels
from planner.state.cluster import Cluster
from planner.state.specs import NodeSpec


class MachineTemplates:
    """Templates by group, price, labels and taints."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._specs: dict[Hashable, int] = {}

    def of(self, group: int, launch: Launch, labels: Mapping[str, str], pool: PoolRules) -> int:
        """The template of nodes of a machine with such labels, in the group that stands for a pool."""
        key = group, launch.price, tuple(sorted(labels.items())), pool.taints
        if key not in self._specs:
            machine = launch.instance_type
            index = self._specs[key] = len(self._cluster.node_specs)
            self._cluster.node_specs.append(
                NodeSpec(
                    index,
                    group,
                    machine.capacity,
                    machine.allocatable,
                    known_labels(labels),
                    pool.taints,
                    launch.price,
                    scale_down_disabled=True,
                )
            )
        return self._specs[key]
