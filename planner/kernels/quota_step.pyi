from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

SOURCE: int

class QuotaStep:
    def __init__(
        self,
        tables: tuple[Floats, Floats, Floats, Floats, NDArray[np.int64]],
        make: Callable[[int, int], None],
        table: NDArray[np.int64],
        kind: NDArray[np.int64],
        columns: tuple[Floats, ...],
        parts: tuple[NDArray[np.int64], NDArray[np.int64], Floats, Floats],
        latest: Floats,
        calm: tuple[float, float],
        reported: NDArray[np.int64],
        floors: tuple[Floats, Floats] | None,
    ) -> None: ...
    def step(self, rate: Floats, held: Floats, dt_s: Floats, losses: Floats | None) -> Floats: ...
    def step_workloads(self, rate: Floats, held: Floats, dt_s: Floats, losses: Floats | None) -> Floats: ...
    def step_parts(
        self, rate: Floats, held: Floats, dt_s: Floats, losses: Floats | None, mixed: int
    ) -> tuple[Floats, Floats, Floats]: ...
