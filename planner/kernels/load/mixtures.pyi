import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

SOURCE: int

def mixed(
    levels_s: Floats,
    shares: Floats,
    levels: Floats,
    mixtures: tuple[Ints, Ints, Floats, Floats],
    wanted: Floats,
) -> None: ...
