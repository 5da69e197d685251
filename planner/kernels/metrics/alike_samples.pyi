import numpy as np
from numpy.typing import NDArray

from planner.kernels.metrics.pod_samples import PodSamples

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Keys = NDArray[np.uint64]
Steps = tuple[Ints, Ints, Ints]

SOURCE: int

def group(
    samples: PodSamples,
    pods: Ints,
    started_us: Ints,
    keys: Keys,
    kinds: Ints,
    alike: tuple[Ints, Floats, Ints, Floats],
    number_of: Ints,
) -> Ints: ...
def counted(samples: PodSamples, pods: Ints) -> Ints: ...
def first_due_us(samples: PodSamples, pods: Ints) -> int: ...
def count_numbers(now_us: int, spent: Floats, before: Ints, last_us: Ints, total: Ints, usage_milli: Ints) -> None: ...
def take_due(samples: PodSamples, pods: Ints, number: Ints, steps: Steps) -> None: ...
def show(
    samples: PodSamples,
    pods: Ints,
    taking: tuple[Ints, Steps] | None,
    visible_us: int,
    columns: tuple[Ints, Ints, Ints, Ints, NDArray[np.uint8]],
) -> None: ...
def part_ways(samples: PodSamples, pods: Ints, number: Ints, last_us: Ints, total: Ints) -> None: ...
