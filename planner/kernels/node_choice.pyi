import numpy as np
from numpy.typing import NDArray

Choice = tuple[int, int, tuple[int, ...] | None, int, tuple[tuple[int, tuple[int, ...]], ...]]

SOURCE: int

class SpreadTerm:
    def __init__(
        self,
        by_node: bool,
        values: NDArray[np.int64],
        pods: NDArray[np.int64],
        has: NDArray[np.uint8] | None,
        base: float,
    ) -> None: ...

class DomainLimit:
    def __init__(
        self,
        values: NDArray[np.int64],
        has: NDArray[np.uint8] | None,
        pods: NDArray[np.int64],
        most: int,
        exists: NDArray[np.uint8] | None,
        least_domains: int,
    ) -> None: ...

class Columns:
    def __init__(
        self,
        passes: NDArray[np.uint8],
        fits: NDArray[np.uint8],
        scores: tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]],
        weights: tuple[int, int, int, int],
        terms: tuple[SpreadTerm, ...],
        all_keys: bool,
        soft_taints: NDArray[np.int64] | None,
        layout: tuple[int, ...],
        limits: tuple[DomainLimit, ...],
    ) -> None: ...

class NodeChoice:
    found: int
    looked_at: int
    place: int
    tied: int
    def __init__(self, salt: int | None) -> None: ...
    def reserve(self, nodes: int, logs: NDArray[np.float64]) -> None: ...
    def read(self, twice: NDArray[np.int64], keys: NDArray[np.uint64]) -> None: ...
    def search(self, passes: NDArray[np.uint8], fits: NDArray[np.uint8], start: int, wanted: int) -> int: ...
    def decide(self, columns: Columns, start: int, wanted: int, key: int, others: int) -> Choice | None: ...
    def points(self, by_row: NDArray[np.int64]) -> None: ...
    def add(self, found: NDArray[np.int64]) -> None: ...
    def spread(self, terms: tuple[SpreadTerm, ...], all_keys: bool, weight: int) -> None: ...
    def choose(self, key: int) -> int: ...
    def runners_up(self, wanted: int) -> list[int]: ...
    def row(self, place: int) -> int: ...
    def spread_points(self, place: int) -> int: ...
    def found_rows(self) -> NDArray[np.int64]: ...
    def found_totals(self) -> NDArray[np.int64]: ...
