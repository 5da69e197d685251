from typing import Any

import numpy as np
from numpy.typing import NDArray

from planner.workloads.load.pod_columns import Groups, PodsThatServe

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

SOURCE: int

class RegroupedPods:
    def __init__(self, cpu_seconds: Floats, is_random: NDArray[np.uint8]) -> None: ...
    def look_at(self, pods: PodsThatServe, groups: Groups, of_pods: tuple[Ints, Floats, Floats]) -> None: ...
    def changed(self, positions: Ints, changed: Bools) -> None: ...
    def form(self, chosen: Bools, rows_of: list[Ints]) -> tuple[tuple[Any, ...], list[Ints], Floats]: ...
