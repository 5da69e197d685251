import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

SOURCE: int

def resident(
    rows: Ints,
    now_us: int,
    pods: tuple[NDArray[np.int8], NDArray[np.int32], NDArray[np.int32]],
    templates: tuple[Floats, Floats, Ints, Floats],
    own: tuple[Floats, Floats, Ints],
    level: Floats,
    running: int,
    some_grow: bool,
    has_levels: bool,
) -> Ints: ...
