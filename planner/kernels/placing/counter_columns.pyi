from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

SOURCE: int

class DomainSums:
    def __init__(self, values: NDArray[np.int64], has: NDArray[np.uint8] | None, sums: NDArray[np.int64]) -> None: ...

class CounterColumns:
    nodes: int
    def __init__(self, by_node: NDArray[np.int64], nodes: int, sums: tuple[DomainSums, ...]) -> None: ...
    def add(self, node: int, change: int) -> bool: ...
    def add_all(self, nodes: Sequence[int], change: int) -> None: ...
