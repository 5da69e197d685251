"""Where the volumes of a pod can be reached.

Source: Karpenter 1.13, pkg/controllers/provisioning/scheduling/volumetopology.go.
"""

from collections.abc import Iterable, Sequence

from planner.karpenter.requirements.requirements import Requirements, intersects, narrowed


def volume_alternatives(volumes: Iterable[Sequence[Requirements]]) -> tuple[Requirements, ...]:
    """Combinations of places, one of which a node has to satisfy; none where the volumes bind the pod to nothing.

    `volumes`: the alternatives of each volume. Combinations that contradict themselves are dropped, unless all do.
    """
    found: tuple[Requirements, ...] = ()
    for places in volumes:
        if not places:
            continue
        if not found:
            found = tuple(places)
            continue
        together = [(one, other) for one in found for other in places]
        possible = [pair for pair in together if intersects(*pair)]
        found = tuple(narrowed(*pair) for pair in possible or together)
    return found
