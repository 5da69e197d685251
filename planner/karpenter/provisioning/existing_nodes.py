"""Nodes that exist or are in flight, as places for the pods of a round.

Source: Karpenter 1.13, pkg/controllers/provisioning/scheduling/existingnode.go. What depends only on labels and taints
is decided once for all nodes that share them.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from planner.karpenter.failures import Failure
from planner.karpenter.pods.round_pod import RoundPod
from planner.karpenter.pods.shapes import PodStage
from planner.karpenter.requirements.requirement import LabelRequirement, one_of
from planner.karpenter.requirements.requirements import Requirements, compatible, narrowed, of_labels
from planner.karpenter.topology.node_filter import tolerates_all
from planner.karpenter.topology.topology import RoundTopology
from planner.matching.taints import NodeTaint
from planner.state.resources import Amounts
from planner.state.specs import HOSTNAME_LABEL, PortClaim, any_conflict


@dataclass(frozen=True, slots=True, eq=False)
class RoundNode:
    """A node that may take pods."""

    name: str
    labels: Mapping[str, str]
    taints: tuple[NodeTaint, ...]
    """Those that count for new pods."""
    pool: str
    """Empty for a node that Karpenter did not launch."""
    capacity: Amounts
    available: Amounts
    """Allocatable less the requests of its pods."""
    daemons: Amounts
    """Requests of its pods of DaemonSets."""
    initialized: bool = True
    ports: tuple[PortClaim, ...] = ()
    """Host ports in use."""

    @property
    def hostname(self) -> str:
        """Its label, or else its name."""
        return self.labels.get(HOSTNAME_LABEL, self.name)


DaemonsOnNode = Callable[[Requirements, Sequence[NodeTaint]], Amounts]


class ExistingNodes:
    """Room of the nodes during a round: initialized ones first, then by name."""

    def __init__(self, nodes: Iterable[RoundNode], expected: DaemonsOnNode, topology: RoundTopology) -> None:
        """`expected`: requests of the daemons that a node with some labels and taints is to have."""
        self.nodes = sorted(nodes, key=lambda node: (not node.initialized, node.name))
        self._topology = topology
        self._ports = [list(node.ports) for node in self.nodes]
        self._own: dict[int, Mapping[str, LabelRequirement]] = {}
        """Nodes whose requirements a pod has narrowed."""
        self._given: dict[int, Mapping[str, LabelRequirement]] = {}
        kinds: dict[Hashable, int] = {}
        self._kind = np.array([self._kind_of(node, kinds) for node in self.nodes], dtype=np.int64)
        self._examples = [int(np.flatnonzero(self._kind == kind)[0]) for kind in range(len(kinds))]
        self._room = self._rooms(expected)
        self._fits: dict[int, tuple[PodStage, NDArray[np.bool_]]] = {}
        """By stage: whose taints are tolerated and whose labels suit."""
        self._roomy: dict[int, tuple[list[int], int]] = {}
        """By stage: rows with room, and how many of the first are full by now. Room only shrinks during a round."""
        for node in self.nodes:
            topology.register_host(node.hostname)

    @staticmethod
    def _kind_of(node: RoundNode, kinds: dict[Hashable, int]) -> int:
        labels = tuple(sorted(pair for pair in node.labels.items() if pair[0] != HOSTNAME_LABEL))
        return kinds.setdefault((labels, node.taints), len(kinds))

    def _rooms(self, expected: DaemonsOnNode) -> NDArray[np.int64]:
        if not self.nodes:
            return np.zeros((0, 0), dtype=np.int64)
        by_kind = [expected(of_labels(self.nodes[row].labels), self.nodes[row].taints) for row in self._examples]
        wanted = np.stack(by_kind)[self._kind]
        missing = np.maximum(wanted - np.stack([node.daemons for node in self.nodes]), 0)
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
        known = self._own.get(row)
        if known is None:
            known = self._given.get(row)
        if known is None:
            node = self.nodes[row]
            known = narrowed(of_labels(node.labels), {HOSTNAME_LABEL: one_of(node.hostname)})
            self._given[row] = known
        return known

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
        return tolerates_all(stage.pod.tolerations, node.taints) and compatible(self._requirements(row), stage.needs)

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
        self._topology.record(stage, self.nodes[row].taints, requirements)
        if requirements != self._requirements(row):
            self._own[row] = requirements
            self._roomy.clear()
            for earlier, fits in self._fits.values():
                fits[row] = self._suits(row, earlier)
