"""Nodes that exist or are in flight, as places for the pods of a round.

Source: Karpenter 1.13, pkg/controllers/provisioning/scheduling/existingnode.go. What depends only on labels and taints
is decided once for all nodes that share them.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from planner.karpenter.cluster_view import NodeView
from planner.karpenter.failures import Failure
from planner.karpenter.pods.round_pod import RoundPod
from planner.karpenter.pods.shapes import PodStage
from planner.karpenter.requirements.requirement import LabelRequirement
from planner.karpenter.requirements.requirements import Requirements, compatible, narrowed, of_labels
from planner.karpenter.topology.node_filter import tolerates_all
from planner.karpenter.topology.topology import RoundTopology
from planner.matching.taints import NodeTaint
from planner.state.resources import Amounts
from planner.state.specs import HOSTNAME_LABEL, any_conflict

DaemonsOnNode = Callable[[Requirements, Sequence[NodeTaint]], Amounts]


class ExistingNodes:
    """Room of the nodes during a round: initialized ones first, then by name."""

    def __init__(self, nodes: Iterable[NodeView], expected: DaemonsOnNode, topology: RoundTopology) -> None:
        """`expected`: requests of the daemons that a node with some labels and taints is to have."""
        self.nodes = sorted(nodes, key=lambda node: (not node.is_initialized, node.name))
        self._topology = topology
        self._ports = [list(node.ports) for node in self.nodes]
        self._own: dict[int, Mapping[str, LabelRequirement]] = {}
        """Nodes whose requirements a pod has narrowed."""
        kinds: dict[Hashable, int] = {}
        numbers = [kinds.setdefault(node.kind, len(kinds)) for node in self.nodes]
        self._kind = np.array(numbers, dtype=np.int64)
        self._examples = np.unique(self._kind, return_index=True)[1].tolist()
        self._room = self._rooms(expected)
        self._fits: dict[int, tuple[PodStage, NDArray[np.bool_]]] = {}
        """By stage: whose taints are tolerated and whose labels suit."""
        self._roomy: dict[int, tuple[list[int], int]] = {}
        """By stage: rows with room, and how many of the first are full by now. Room only shrinks during a round."""
        for node in self.nodes:
            topology.register_host(node.hostname)

    def _rooms(self, expected: DaemonsOnNode) -> NDArray[np.int64]:
        if not self.nodes:
            return np.zeros((0, 0), dtype=np.int64)
        by_kind = [
            expected(of_labels(self.nodes[row].labels), self.nodes[row].scheduling_taints) for row in self._examples
        ]
        wanted = np.stack(by_kind)[self._kind]
        missing = np.maximum(wanted - np.stack([node.daemon_requests for node in self.nodes]), 0)
        room: NDArray[np.int64] = np.stack([node.available for node in self.nodes]) - missing
        return room

    def place(self, stage: PodStage, pod: RoundPod) -> int | None:
        """Put a pod on the first node that takes it; its row, or None."""
        if not self.nodes:
            return None
        rows, begin = self._with_room(stage)
        is_simple = not (stage.pod.host_ports or pod.volumes or self._topology.concerns(stage))
        for at in range(begin, len(rows)):
            row = rows[at]
            if (self._room[row] < stage.request).any():
                begin += at == begin
                continue
            self._roomy[stage.number] = rows, begin
            if is_simple:
                self._add(row, stage, narrowed(self._requirements(row), stage.needs))
                return row
            if any_conflict(stage.pod.host_ports, self._ports[row]):
                continue
            requirements = self._narrowing(row, stage, pod)
            if requirements is not None:
                self._add(row, stage, requirements)
                return row
        self._roomy[stage.number] = rows, begin
        return None

    def _with_room(self, stage: PodStage) -> tuple[list[int], int]:
        """Rows that suited when they were last looked for, and how many of the first have filled up since."""
        known = self._roomy.get(stage.number)
        if known is None:
            fits = self._static(stage) & (self._room >= stage.request).all(axis=1) & (self._room >= 0).all(axis=1)
            known = self._roomy[stage.number] = np.flatnonzero(fits).tolist(), 0
        return known

    def _requirements(self, row: int) -> Mapping[str, LabelRequirement]:
        return self._own.get(row) or self.nodes[row].needs

    def _static(self, stage: PodStage) -> NDArray[np.bool_]:
        """Whose taints are tolerated and whose labels suit."""
        decided = self._fits.get(stage.number)
        if decided is None:
            if HOSTNAME_LABEL in stage.needs:
                known = np.array([self._suits(row, stage) for row in range(len(self.nodes))], dtype=np.bool_)
            else:
                kinds = np.array([self._suits(row, stage) for row in self._examples], dtype=np.bool_)
                known = kinds[self._kind]
                for row in self._own:
                    known[row] = self._suits(row, stage)
            decided = self._fits[stage.number] = stage, known
        return decided[1]

    def _suits(self, row: int, stage: PodStage) -> bool:
        node = self.nodes[row]
        return tolerates_all(stage.pod.tolerations, node.scheduling_taints) and compatible(
            self._requirements(row), stage.needs
        )

    def _narrowing(self, row: int, stage: PodStage, pod: RoundPod) -> Mapping[str, LabelRequirement] | None:
        base = narrowed(self._requirements(row), stage.needs)
        for places in pod.volumes or ({},):
            if not compatible(base, places):
                continue
            node = narrowed(base, places)
            found = self._topology.narrowing(stage, node)
            if not isinstance(found, Failure) and compatible(node, found):
                return found
        return None

    def _add(self, row: int, stage: PodStage, requirements: Mapping[str, LabelRequirement]) -> None:
        self._room[row] -= stage.request
        self._ports[row].extend(stage.pod.host_ports)
        self._topology.record(stage, self.nodes[row].scheduling_taints, requirements)
        if requirements != self._requirements(row):
            self._own[row] = requirements
            self._roomy.clear()
            for earlier, fits in self._fits.values():
                fits[row] = self._suits(row, earlier)
