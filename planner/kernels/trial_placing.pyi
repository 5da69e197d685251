from array import array
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

SOURCE: int

class TrialPlacing:
    def __init__(self, free: NDArray[np.int64]) -> None: ...
    def knows(self, template: int) -> bool: ...
    def learn(self, template: int, needed: Sequence[tuple[int, int]], accepts: NDArray[np.uint8]) -> None: ...
    def place(
        self,
        templates: list[int],
        hinted: list[int],
        destinations: NDArray[np.uint8],
        dropped: array[int],
        cursor: int,
    ) -> tuple[list[int], int]: ...
    def fill(self, template: int, start: int, count: int) -> list[int]: ...
