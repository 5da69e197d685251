from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]

SOURCE: int

def totals(
    rows: Ints,
    now_us: int,
    pods: tuple[NDArray[Any], ...],
    samples: tuple[Ints, Ints, Ints],
    request_of: Ints,
    periods: tuple[int, int],
    percent: int,
) -> tuple[int, ...] | None: ...
