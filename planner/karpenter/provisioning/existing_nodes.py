"""Nodes that exist or are in flight, filled by the pods of a round.

Source: Karpenter 1.13, pkg/controllers/provisioning/scheduling/existingnode.go.
"""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from planner.karpenter.failures import Failure
from planner.karpenter.pods.round_pod import RoundPod
from planner.karpenter.pods.shapes import PodStage
from planner.karpenter.provisioning.node_rooms import NodeRooms, Rows, suits
from planner.karpenter.requirements.requirement import LabelRequirement
from planner.karpenter.requirements.requirements import compatible, narrowed
from planner.karpenter.topology.topology import RoundTopology
from planner.state.specs import PortClaim, any_conflict


class ExistingNodes:
    """Room of the nodes during a round."""

    def __init__(self, rooms: NodeRooms, rows: Rows, topology: RoundTopology) -> None:
        """`rows`: of the nodes that take part."""
        self.nodes = [rooms.nodes[row] for row in rows.tolist()]
        self._rooms, self._rows = rooms, rows
        self._topology = topology
        self._room = rooms.room[rows]
        self._open = ~rooms.is_overdrawn[rows]
        self._ports: dict[int, list[PortClaim]] = {}
        self._own: dict[int, Mapping[str, LabelRequirement]] = {}
        """Nodes whose requirements a pod has narrowed."""
        self._fits: dict[int, tuple[PodStage, NDArray[np.bool_]]] = {}
        """By stage: whose taints are tolerated and whose labels suit."""
        self._roomy: dict[int, tuple[list[int], int]] = {}
        """By stage: rows with room, and how many of the first are full by now. Room only shrinks during a round."""
        topology.register_hosts(node.hostname for node in self.nodes)

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
            if any_conflict(stage.pod.host_ports, self._ports_of(row)):
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
            fits = self._static(stage) & self._open & (self._room >= stage.request).all(axis=1)
            known = self._roomy[stage.number] = np.flatnonzero(fits).tolist(), 0
        return known

    def _requirements(self, row: int) -> Mapping[str, LabelRequirement]:
        return self._own.get(row) or self.nodes[row].needs

    def _static(self, stage: PodStage) -> NDArray[np.bool_]:
        """Whose taints are tolerated and whose labels suit."""
        decided = self._fits.get(stage.number)
        if decided is None:
            known = self._rooms.suiting(stage)[self._rows]
            for row in self._own:
                known[row] = self._suits(row, stage)
            decided = self._fits[stage.number] = stage, known
        return decided[1]

    def _suits(self, row: int, stage: PodStage) -> bool:
        return suits(self.nodes[row], self._requirements(row), stage)

    def _ports_of(self, row: int) -> list[PortClaim]:
        return self._ports.setdefault(row, list(self.nodes[row].ports))

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
        if stage.pod.host_ports:
            self._ports_of(row).extend(stage.pod.host_ports)
        self._topology.record(stage, self.nodes[row].scheduling_taints, requirements)
        if requirements != self._requirements(row):
            self._own[row] = requirements
            self._roomy.clear()
            for earlier, fits in self._fits.values():
                fits[row] = self._suits(row, earlier)
