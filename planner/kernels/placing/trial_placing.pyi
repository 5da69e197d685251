from array import array
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

SOURCE: int

class TrialPlacing:
    def __init__(self, free: NDArray[np.int64]) -> None: ...
    def unknown(self, templates: list[int]) -> list[int]: ...
    def learn(self, template: int, needed: Sequence[tuple[int, int]], accepts: NDArray[np.uint8]) -> None: ...

class HintedPlacing:
    def __init__(
        self,
        room: TrialPlacing,
        by_row: NDArray[np.int64],
        by_key: dict[int, int],
        keys: list[int],
        latest: dict[int, int],
        older: dict[int, int],
        placed: dict[int, list[int]],
    ) -> None: ...
    def place(
        self,
        pods: Sequence[int],
        templates: list[int],
        destinations: NDArray[np.uint8],
        dropped: array[int],
        cursor: int,
    ) -> tuple[bool, int]: ...
    def fill(self, pods: list[int], template: int, start: int) -> list[int]: ...
    def hinted(self, pods: Sequence[int]) -> list[bool]: ...
