import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

SOURCE: int

def cpu_time_s(
    rows: Ints,
    kinds: Ints,
    own: Ints,
    of_kind: Ints,
    unit_s: float,
    spent: Floats,
    groups: Ints,
    parts: Floats,
    done: Floats,
) -> Floats: ...
