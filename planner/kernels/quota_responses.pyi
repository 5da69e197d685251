import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

SOURCE: int

class QuotaResponses:
    def __init__(
        self,
        pod: tuple[float, float, float, float, float, float, bool],
        kinds: tuple[Floats, ...],
        sums: tuple[Floats, Floats, int],
    ) -> None: ...
    def add(
        self,
        work: tuple[Floats, Floats, Floats, tuple[float, float]],
        moment: tuple[float, float, float, float, float],
    ) -> None: ...
