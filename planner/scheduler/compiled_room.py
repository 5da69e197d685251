"""Looks at the room on one node by the kernel `room_on_node`; the twins are `PreparedFit` and `RoomTrial`."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from planner.kernels import switch
from planner.state.cluster import Cluster
from planner.state.specs import PodSpec

if TYPE_CHECKING:
    from planner.kernels.placing.room_on_node import Asked, RoomOnNode

MOST_COLUMNS = 32
"""Of what one pod may ask for."""


class CompiledRoom:
    """The kernel of one cluster, with what has to be free for each template."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._asked: dict[int, Asked] = {}
        self._kernel = self._made_kernel()

    def __getstate__(self) -> dict[str, Any]:
        """Copies look at their own columns."""
        return {"_cluster": self._cluster}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state, _asked={})
        self._kernel = self._made_kernel()

    def _made_kernel(self) -> "RoomOnNode":
        from planner.kernels.placing.room_on_node import RoomOnNode

        return RoomOnNode(self._cluster.pods, self._cluster.nodes, self._cluster.pod_specs)

    def short(self, spec: PodSpec, asked: Sequence[tuple[int, int]], node: int, left_out: int) -> int:
        """Which of the columns `asked` are short for a pod of a template beside those that are nominated to the node,
        as bits, and above 32 bits which even an empty node would lack. `left_out`: the one pod that does not count."""
        nominated = self._cluster.nominated_pods.get(node)
        return self._kernel.short(self._asked_of(spec, asked), node, nominated, left_out, spec.priority)

    def victims(
        self, spec: PodSpec, asked: Sequence[tuple[int, int]], node: int, left_out: int
    ) -> tuple[tuple[int, ...], tuple[int, int, int, int, int]] | None:
        """Pods of lower priority that would have to leave a node, the most important first, and `Candidate.rank`; None
        if the node lacks room even without all of them."""
        pods, nominated = self._cluster.node_pods[node], self._cluster.nominated_pods.get(node)
        return self._kernel.victims(self._asked_of(spec, asked), node, pods, nominated, left_out, spec.priority)

    def _asked_of(self, spec: PodSpec, asked: Sequence[tuple[int, int]]) -> "Asked":
        known = self._asked.get(spec.index)
        if known is None:
            from planner.kernels.placing.room_on_node import Asked

            known = self._asked[spec.index] = Asked(asked)
        return known


def compiled_room(cluster: Cluster) -> CompiledRoom | None:
    """None without kernels, and where a pod could ask for more than the kernel knows."""
    return CompiledRoom(cluster) if switch.in_use() and len(cluster.axis) < MOST_COLUMNS else None
