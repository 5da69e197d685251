"""Pods that scale-up need not distinguish: one pod represents its group.

Source: Cluster Autoscaler 1.36.1, core/scaleup/equivalence/groups.go.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

MAX_GROUPS_PER_CONTROLLER = 10
NO_CONTROLLER = -1
Rows = NDArray[np.integer]


@dataclass(frozen=True, slots=True)
class EquivalenceGroup:
    """Pods of one controller and one shape; the first one represents the group."""

    shape: int
    """Row of the pod template."""
    pods: tuple[int, ...]


def equivalence_groups(pods: Rows, shapes: Rows, controllers: Rows) -> list[EquivalenceGroup]:
    """Groups in order of first appearance; `controllers`: their rows, or NO_CONTROLLER.

    Pods without controller, and shapes beyond the tenth of a controller, are groups of one
    (Cluster Autoscaler 1.36.1, core/scaleup/equivalence).
    """
    if not len(pods):
        return []
    kinds = controllers.astype(np.int64) * (int(shapes.max()) + 1) + shapes
    _, firsts, kind_of = np.unique(kinds, return_index=True, return_inverse=True)
    is_alone = np.zeros(len(firsts), dtype=np.bool_)
    per_controller: dict[int, int] = {}
    for kind in np.argsort(firsts).tolist():
        controller = int(controllers[firsts[kind]])
        known = per_controller[controller] = per_controller.get(controller, 0) + 1
        is_alone[kind] = controller == NO_CONTROLLER or known > MAX_GROUPS_PER_CONTROLLER
    begins = np.where(is_alone[kind_of], np.arange(len(pods)), firsts[kind_of])  # where the first of its group is
    order = np.argsort(begins, kind="stable")
    borders = [*np.flatnonzero(np.diff(begins[order], prepend=-1)).tolist(), len(pods)]
    ordered, of_shape = pods[order].tolist(), shapes[order].tolist()
    return [EquivalenceGroup(of_shape[at], tuple(ordered[at:end])) for at, end in pairwise(borders)]
