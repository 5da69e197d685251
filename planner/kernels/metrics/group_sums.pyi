import numpy as np
from numpy.typing import NDArray

SOURCE: int

def group_sums(
    amounts: NDArray[np.int64], group: NDArray[np.int32], chosen: NDArray[np.bool_], groups: int
) -> NDArray[np.float64]: ...
