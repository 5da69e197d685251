"""What a new node of a group would look like: the node, and the DaemonSet pods it starts with."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from planner.autoscaler.groups.similarity import NodeTraits
from planner.state.resources import Amounts, ResourceAxis, pod_amounts
from planner.state.specs import NodeSpec, PodSpec


@dataclass(frozen=True, slots=True, eq=False)
class GroupTemplate:
    """A node of the group right after it became Ready."""

    group: int
    node: NodeSpec
    free: Amounts
    """Allocatable minus the requests of the DaemonSet pods that run there."""
    traits: NodeTraits
    """For the comparison of groups."""
    daemons: tuple[PodSpec, ...] = ()
    """Templates of the DaemonSet pods that run there."""


TemplateFits = Callable[[PodSpec, GroupTemplate], tuple[bool, bool, bool]]
"""Whether a new node takes pods of a template whatever is free; its affinity alone; its taints alone."""


def group_template(node: NodeSpec, daemons: Sequence[PodSpec], axis: ResourceAxis) -> GroupTemplate:
    """The template of a group whose new nodes start with pods of these DaemonSets."""
    taken: Amounts = np.zeros(len(axis), dtype=np.int64)
    for daemon in daemons:
        taken += pod_amounts(daemon.request)
    traits = NodeTraits(
        capacity=_by_name(node.capacity, axis),
        allocatable=_by_name(node.allocatable, axis),
        labels=node.labels,
        requested=_by_name(taken, axis),
    )
    return GroupTemplate(node.group, node, node.allocatable - taken, traits, tuple(daemons))


def _by_name(amounts: Amounts, axis: ResourceAxis) -> dict[str, int]:
    """Without volumes, which the status of a node does not list."""
    resources = zip(axis.names[: axis.first_volume], amounts[: axis.first_volume], strict=True)
    return {name: int(amount) for name, amount in resources if amount}
