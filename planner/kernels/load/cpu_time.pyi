import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

SOURCE: int

def cpu_time_s(
    rows: Ints, kinds: Ints, besides: tuple[Ints, Ints, float], requests: tuple[Floats, Ints, Floats, Floats]
) -> Floats: ...
def cpu_now_milli(
    rows: Ints,
    kinds: Ints,
    besides: Ints,
    members: tuple[Ints, Ints],
    serving: NDArray[np.uint8],
    groups: Ints,
    parts: Floats,
    busy_milli: Floats,
) -> Ints: ...
def add_mean_use(
    pods: tuple[Ints, Ints, Ints],
    by_row: bool,
    besides: tuple[Ints, Ints, float],
    requests: tuple[Floats, Ints, Floats, Floats],
    milli_per_s: float,
    seen_s: Floats,
    workload: NDArray[np.int32],
    by_workload: Floats,
    by_node: Floats,
) -> None: ...
