import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

SOURCE: int

class QuotaStep:
    def __init__(
        self,
        tables: tuple[Floats, Floats, Floats, Floats],
        table: NDArray[np.int64],
        kind: NDArray[np.int64],
        columns: tuple[Floats, ...],
        latest: Floats,
        calm: tuple[float, float],
    ) -> None: ...
    def step(self, rate: Floats, held: Floats, dt_s: Floats) -> Floats: ...
