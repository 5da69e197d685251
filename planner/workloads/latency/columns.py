"""Types of the queueing rules: each number may be one or a column, one entry a group of pods."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Amounts = float | Floats
Counts = int | Ints | Floats
