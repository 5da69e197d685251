import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]

SOURCE: int

def show(
    pods: Ints,
    usage_milli: Ints,
    memory: Ints,
    times: tuple[Ints, Ints],
    visible_us: int,
    columns: tuple[Ints, Ints, Ints, Ints, Ints],
) -> Ints: ...
