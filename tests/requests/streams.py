"""What reaches a pod: when requests arrive, and how much CPU each takes. Times in seconds."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def of_mean_one(generator: np.random.Generator, cv: float, count: int) -> Floats:
    """Constant or gamma distributed."""
    return generator.gamma(1 / cv**2, cv**2, count) if cv else np.ones(count)


@dataclass(frozen=True)
class Class:
    """A kind of requests: its share of all, mean CPU seconds, variability."""

    share: float
    mean_s: float
    cv: float


@dataclass(frozen=True)
class Work:
    """CPU seconds of requests: one class or a mixture."""

    classes: tuple[Class, ...]

    @classmethod
    def of(cls, mean_s: float, cv: float) -> "Work":
        """All requests alike."""
        return cls((Class(1.0, mean_s, cv),))

    @property
    def mean_s(self) -> float:
        """Over all requests."""
        return sum(one.share * one.mean_s for one in self.classes)

    def draw(self, generator: np.random.Generator, count: int) -> Floats:
        """Work of so many requests.

        Shares and means are exact: queues near saturation depend on them most.
        """
        bounds = np.cumsum([one.share for one in self.classes])
        kinds = np.searchsorted(bounds[:-1], (np.arange(count) + 0.5) / count)
        generator.shuffle(kinds)
        works = np.empty(count)
        for number, one in enumerate(self.classes):
            mine = np.flatnonzero(kinds == number)
            if len(mine):
                drawn = of_mean_one(generator, one.cv, len(mine))
                works[mine] = one.mean_s * drawn / drawn.mean()
        return works


def arrivals(generator: np.random.Generator, rate: float, cv: float, count: int) -> Floats:
    """Times of requests that arrive at a steady rate, exact over all of them.

    A cv of 1 is Poisson, one of 0 evenly spaced from a random moment on.
    """
    gaps = of_mean_one(generator, cv, count)
    gaps /= gaps.mean() * rate
    return np.cumsum(gaps) - gaps[0] * generator.random()


def arrivals_of_changing(
    generator: np.random.Generator, rate: Callable[[Floats], Floats], cv: float, until_s: float
) -> Floats:
    """Times of requests whose rate changes: a steady stream, stretched by the inverse of the mean number so far."""
    times = np.linspace(0.0, until_s, 20_001)
    rates = rate(times)
    number = np.r_[0.0, np.cumsum(0.5 * (rates[1:] + rates[:-1]) * np.diff(times))]
    steady = arrivals(generator, 1.0, cv, round(number[-1] + 10 * math.sqrt(number[-1]) + 10))
    return np.interp(steady[steady < number[-1]], number, times)
