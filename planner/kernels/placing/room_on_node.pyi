from collections.abc import Iterable, Sequence

from planner.state.nodes import NodeTable
from planner.state.pods import PodTable
from planner.state.specs import PodSpec

SOURCE: int

class Asked:
    def __init__(self, asked: Sequence[tuple[int, int]]) -> None: ...

class RoomOnNode:
    def __init__(self, pods: PodTable, nodes: NodeTable, specs: list[PodSpec]) -> None: ...
    def short(self, asked: Asked, node: int, nominated: Iterable[int] | None, left_out: int, priority: int) -> int: ...
    def victims(
        self,
        asked: Asked,
        node: int,
        pods: Iterable[int],
        nominated: Iterable[int] | None,
        left_out: int,
        priority: int,
    ) -> tuple[tuple[int, ...], tuple[int, int, int, int, int]] | None: ...
