import numpy as np
from numpy.typing import NDArray

from planner.kernels.load.quota_pod import QuotaPods

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

SOURCE: int

class QuotaStep:
    def __init__(self, pods: QuotaPods, workloads: int, reported: Ints, levels: int) -> None: ...
    def regroup(
        self, first: Ints, service: Ints, kind: Ints, count: Ints, held: Floats, done: Floats, busy: Floats
    ) -> bool: ...
    def write_all(self, figures: Floats) -> None: ...
    def knows(self, positions: Ints) -> bool: ...
    def step(
        self, positions: Ints, rate: Floats, dt_us: Ints, losses: Floats | None
    ) -> tuple[Floats, tuple[Ints, Ints, Ints, Floats, Floats] | None]: ...
    def step_all(
        self, rate: Floats, dt_us: int, losses: Floats | None
    ) -> tuple[Ints, Ints, Ints, Floats, Floats] | None: ...
