import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

SOURCE: int

def is_within(
    rates: tuple[Floats, Floats, Floats],
    ready: Ints,
    groups: tuple[Ints, Floats],
    cpu_seconds: Floats,
    most_milli: Floats,
    dt_us: float,
) -> bool: ...
def needed_milli(
    rates: tuple[Floats, Floats, Floats],
    ready: Ints,
    groups: tuple[Ints, Floats],
    cpu_seconds: Floats,
    idle: Ints,
    rows: Ints,
    most: int,
    dt_us: float,
    needed: Ints,
) -> None: ...
