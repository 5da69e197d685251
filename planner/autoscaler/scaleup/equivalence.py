"""Pods that scale-up need not distinguish: one pod represents its group.

Source: Cluster Autoscaler 1.36.1, core/scaleup/equivalence/groups.go.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

MAX_GROUPS_PER_CONTROLLER = 10


@dataclass(frozen=True, slots=True)
class EquivalenceGroup:
    """Pods of one controller and one shape; the first one represents the group."""

    shape: int
    """Row of the pod template."""
    pods: tuple[int, ...]


def equivalence_groups(
    pods: Sequence[int], shapes: Sequence[int], controllers: Sequence[Hashable | None]
) -> list[EquivalenceGroup]:
    """Groups in order of first appearance.

    Pods without controller, and shapes beyond the tenth of a controller, are groups of one
    (Cluster Autoscaler 1.36.1, core/scaleup/equivalence).
    """
    members: list[list[int]] = []
    shape_of: list[int] = []
    known: dict[tuple[Hashable, int], int] = {}
    per_controller: dict[Hashable, int] = {}
    for pod, shape, controller in zip(pods, shapes, controllers, strict=True):
        place = None if controller is None else known.get((controller, shape))
        if place is not None:
            members[place].append(pod)
            continue
        if controller is not None and per_controller.get(controller, 0) < MAX_GROUPS_PER_CONTROLLER:
            per_controller[controller] = per_controller.get(controller, 0) + 1
            known[controller, shape] = len(members)
        members.append([pod])
        shape_of.append(shape)
    return [EquivalenceGroup(shape, tuple(group)) for shape, group in zip(shape_of, members, strict=True)]
