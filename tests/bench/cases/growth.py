"""Exponents of the growth of CPU time, by what grows (`tests/bench/growth.py`); those above 1.1 are too much."""

import time
from collections.abc import Callable

from tests.bench.growth import DIMENSIONS, STEPS, Prepare, Work, slope

_SCALE = 4
"""CPU time is measured at larger sizes than operations are counted."""


def _cpu_s(work: Work) -> float:
    started = time.process_time()
    work()
    return time.process_time() - started


def _exponent(name: str, prepare: Prepare) -> Callable[[], dict[str, float]]:
    def measure() -> dict[str, float]:
        prepare(1)()  # what is loaded and made at the first use belongs to no size
        return {f"growth_{name}": slope(*(_cpu_s(prepare(_SCALE * times)) for times in STEPS))}

    return measure


CASES = {f"growth_{name}": _exponent(name, prepare) for name, prepare in DIMENSIONS.items()}
UNITS = dict.fromkeys(CASES, "exponent")
