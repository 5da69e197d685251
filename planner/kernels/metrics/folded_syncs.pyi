import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

SOURCE: int

def evaluate(
    asked: NDArray[np.bool_],
    now: tuple[int, Ints, Ints, Ints],
    cut_us: int,
    slices: tuple[Ints, Ints, Ints],
    known: tuple[Ints, ...],
    tolerated: tuple[Floats, Floats],
    read: tuple[Floats, Floats],
    measured: tuple[Ints, Ints, Ints],
    shown: tuple[Ints, Ints, Floats],
) -> NDArray[np.int8]: ...
