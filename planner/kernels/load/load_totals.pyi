import numpy as np
from numpy.typing import NDArray

from planner.workloads.load.step.load_step import WorkloadSteps

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

SOURCE: int

class LoadSums:
    def __init__(
        self,
        flows: Floats,
        objectives: tuple[NDArray[np.uint8], Ints, Ints, Floats],
        met: tuple[Ints, Ints, Floats, Floats],
        worst: tuple[Floats, Ints, Floats, Ints],
        ever_served: Floats,
    ) -> None: ...
    def add(self, positions: Ints, start_us: Ints, step_us: Ints, steps: WorkloadSteps) -> bool: ...
