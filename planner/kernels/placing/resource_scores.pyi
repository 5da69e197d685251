from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

SOURCE: int

class ResourceScores:
    def __init__(
        self,
        asked: Sequence[tuple[int, int]],
        scored: Sequence[tuple[int, int, int]],
        balanced: Sequence[tuple[int, int]],
        weights: tuple[int, int],
        requests: tuple[NDArray[np.int64], NDArray[np.int64]],
    ) -> None: ...
    def read(
        self, requested: NDArray[np.int64], allocatable: NDArray[np.int64], nonzero: NDArray[np.int64]
    ) -> None: ...
    def write(
        self,
        fits: NDArray[np.uint8],
        allocation: NDArray[np.int64],
        balance: NDArray[np.int64],
        points: NDArray[np.int64],
    ) -> None: ...
    def redo_all(self) -> None: ...
    def redo(self, rows: list[int]) -> None: ...
    def redo_with(self, row: int, pods: int) -> None: ...
