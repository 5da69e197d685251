from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

SOURCE: int

class QuotaPods:
    kinds: int
    def __init__(self, calm: tuple[float, float]) -> None: ...
    def know(
        self,
        tables: tuple[Floats, Floats, Floats, Floats, Ints],
        make: Callable[[int, int], None],
        numbers: Ints,
        figures: Floats,
    ) -> None: ...
