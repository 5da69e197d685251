import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Keys = NDArray[np.uint64]
Steps = tuple[Keys, Ints, Ints, Ints, Ints]

SOURCE: int

class PodSamples:
    def __init__(self, interval_us: int, resolution_us: int, young_us: int, salt: int) -> None: ...
    def read(self, columns: Ints) -> None: ...
    def count(self, now_us: int, pods: Ints, spent: NDArray[np.float64], started_us: Ints, keys: Keys) -> None: ...
    def advance(self, now_us: int, pods: Ints, usage_milli: Ints, started_us: Ints, keys: Keys) -> None: ...
    def group(
        self,
        pods: Ints,
        started_us: Ints,
        keys: Keys,
        kinds: Ints,
        alike: tuple[Ints, NDArray[np.float64], Ints, NDArray[np.float64]],
        of: Ints,
    ) -> Ints: ...
    def count_numbers(
        self, now_us: int, spent: NDArray[np.float64], before: Ints, last_us: Ints, total: Ints, usage_milli: Ints
    ) -> None: ...
    def take_due(self, pods: Ints, steps: Steps) -> None: ...
    def show(
        self,
        pods: Ints,
        started_us: Ints,
        steps: Steps | tuple[()],
        visible_us: int,
        columns: tuple[Ints, Ints, Ints, Ints, NDArray[np.uint8]],
    ) -> None: ...
    def part_ways(self, pods: Ints, of: Ints, last_us: Ints, total: Ints) -> None: ...
    def scrape(self, pods: Ints, started_us: Ints) -> Ints: ...
