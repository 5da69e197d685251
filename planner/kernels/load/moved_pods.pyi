import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Bytes = NDArray[np.uint8]
Rows = NDArray[np.int32]

SOURCE: int

def find_moved(
    rows: Ints,
    pods: tuple[NDArray[np.int8], Bytes, Rows, Rows, Rows],
    silent: Bytes,
    has_load: Bytes,
    serves: Bytes,
    kind_of: dict[tuple[int, int, int], int],
    own: tuple[Ints, Ints, Bytes],
    count: Ints,
    marks: Ints,
    version: int,
) -> Ints | None: ...
