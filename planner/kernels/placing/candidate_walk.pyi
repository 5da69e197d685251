import numpy as np
from numpy.typing import NDArray

SOURCE: int

class CandidateWalk:
    failed: list[int]
    tried: int
    def __init__(
        self,
        potential: NDArray[np.int64],
        first: int,
        has_lower: NDArray[np.uint8],
        states: NDArray[np.int8],
        ranks: NDArray[np.int64],
        wanted: int,
    ) -> None: ...
    def go_on(self) -> int: ...
    def candidates(self) -> list[int]: ...
    def leading(self, wanted: int) -> tuple[list[int], NDArray[np.int64]]: ...
