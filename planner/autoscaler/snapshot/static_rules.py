"""What a snapshot asks about a pod and a node whatever is free: the scheduler's filters that look at nothing else."""

from collections.abc import Callable
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from planner.autoscaler.groups.templates import GroupTemplate
from planner.state.specs import PodSpec

Mask = NDArray[np.bool_]

TemplateFits = Callable[[PodSpec, GroupTemplate], tuple[bool, bool, bool]]
"""Whether a new node takes pods of a template whatever is free; its affinity alone; its taints alone."""


class StaticRules(Protocol):
    """Filters that do not depend on what is free (the scheduler's)."""

    def node_mask(self, spec: PodSpec) -> Mask:
        """Nodes that the template may go to, by node row."""

    def affinity_mask(self, spec: PodSpec) -> Mask:
        """Nodes that match node selector and required affinity, by node row."""

    def taint_mask(self, spec: PodSpec) -> Mask:
        """Nodes whose hard taints are tolerated, by node row."""
