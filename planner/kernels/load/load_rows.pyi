from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

SOURCE: int

def put_steps(
    rows: Ints, step_us: Ints, rates: Sequence[Floats], states: Sequence[Floats], table: Floats, places: Sequence[int]
) -> None: ...
def put_flows(rows: Ints, elapsed_us: int, flows: Floats, table: Floats, error_ratio: int, throttled: int) -> None: ...
def show(table: Floats, fields: Ints, factors: Floats, rows: Ints, out: Floats) -> None: ...
def limits(
    rows: Ints,
    ready_pods: NDArray[np.int32],
    table: Floats,
    places: tuple[int, ...],
    bounds: tuple[Floats, Floats, Floats, Ints],
    shares: tuple[float, float, float],
    codes: tuple[float, float],
) -> None: ...
