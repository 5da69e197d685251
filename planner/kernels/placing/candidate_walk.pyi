import numpy as np
from numpy.typing import NDArray

SOURCE: int

class CandidateWalk:
    candidates: list[int]
    failed: list[int]
    tried: int
    def __init__(
        self,
        potential: NDArray[np.int64],
        has_victims: NDArray[np.uint8],
        states: NDArray[np.int8],
        ranks: NDArray[np.int64],
        wanted: int,
    ) -> None: ...
    def go_on(self) -> int: ...
    def leading(self, wanted: int) -> tuple[list[int], list[int]]: ...
