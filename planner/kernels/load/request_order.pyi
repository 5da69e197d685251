import numpy as np
from numpy.typing import NDArray

SOURCE: int

def levels_in_order(salt: int, first: int, whole: int) -> NDArray[np.float64]: ...
