import numpy as np
from numpy.typing import NDArray

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
