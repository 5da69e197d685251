"""How many pods the nodes that exist can take, by first fit."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from planner.karpenter.counted.pod_kinds import PodKind, PodRun
from planner.karpenter.provisioning.node_rooms import NodeRooms, Rows


class KindFitting(NamedTuple):
    """How many pods of a kind fit each node while nothing else comes there."""

    by_row: NDArray[np.int64]
    begun: int
    """Together on nodes that have started up."""
    all: int


class NodeFitting:
    """What fits on the nodes of a view."""

    def __init__(self, rooms: NodeRooms) -> None:
        self._rooms = rooms
        self._known: dict[int, KindFitting] = {}

    def of(self, kind: PodKind) -> KindFitting:
        """How many pods of a kind fit."""
        known = self._known.get(kind.number)
        if known is None:
            fitting = _most(self._rooms.room, kind)
            fitting[~self._rooms.suiting(kind.stage) | self._rooms.is_overdrawn] = 0
            begun = int(fitting[: self._rooms.begun].sum())
            known = self._known[kind.number] = KindFitting(fitting, begun, int(fitting.sum()))
        return known

    def filled(self, runs: Sequence[PodRun], gone: Rows) -> Iterator[tuple[PodRun, Rows, NDArray[np.int64]]]:
        """Each run with the nodes (rows) that could take pods, and how many of the run each takes."""
        useful = np.zeros(len(self._rooms.nodes), dtype=np.bool_)
        for run in runs:
            useful |= self.of(run.kind).by_row > 0
        useful[gone] = False
        rows = np.flatnonzero(useful)
        room = self._rooms.room[rows]
        for run in runs:
            fitting = np.where(self.of(run.kind).by_row[rows] > 0, _most(room, run.kind), 0)
            taken = np.clip(run.number - (np.cumsum(fitting) - fitting), 0, fitting)
            room -= taken[:, None] * run.kind.stage.request
            yield run, rows, taken


def _most(room: NDArray[np.int64], kind: PodKind) -> NDArray[np.int64]:
    """How many pods of a kind each row of room holds."""
    request = kind.stage.request
    asked = np.flatnonzero(request)
    most: NDArray[np.int64] = (room[:, asked] // request[asked]).min(axis=1)
    return most
