"""What requests ask of pods, in columns: one entry a workload that serves requests.

docs/model.md, "Latency of a calm pod" and "CPU". CPU is milli-CPU.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from planner.plan.model.demand import Demand
from planner.plan.model.serving import Discipline
from planner.units import US_PER_S
from planner.workloads.latency.laws import BALANCERS, RANDOM
from planner.workloads.latency.sizes.request_sizes import RequestSizes

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
_ROUNDING_MILLI = 1e-6
_MOST_MILLI = 1e15
_UNBOUNDED_MILLI = 1 << 40


@dataclass(frozen=True)
class Demands:
    """The demand settings of workloads; `Demand` says what they mean."""

    cpu_seconds: Floats
    """CPU of one request."""
    idle_cpu: Ints
    floor_s: Floats
    most_milli: Ints
    """CPU that the workers of a pod can use at once; very much where there is no bound."""
    parallelism: Ints
    sizes: NDArray[np.object_]
    """Distributions of the CPU of a request (`RequestSizes`)."""
    floor_cv: Floats
    arrival_cv2: Floats
    """Squared variability of the time between requests."""
    queue_limit: Floats
    """Requests a pod holds at most; inf where there is no limit, 0 where none waits."""
    timeout_s: Floats
    """inf where nothing times out."""
    queueing: NDArray[np.bool_]
    """First come first served, not sharing."""
    cv: Floats
    balancer: Ints
    """Position in BALANCERS."""

    @cached_property
    def split_at_random(self) -> NDArray[np.bool_]:
        """Workloads where the law of a pod does not depend on how many pods share the load with it."""
        return np.asarray((self.balancer == RANDOM) & (self.arrival_cv2 == 1.0), np.bool_)

    @classmethod
    def of(cls, demands: Sequence[Demand], arrival_cv: Sequence[float] = ()) -> Self:
        """Columns of settings; `arrival_cv` is that of the traffic of each, 1 if it is left out."""
        known: dict[RequestSizes, RequestSizes] = {}
        sizes = [known.setdefault(one, one) for one in map(sizes_of, demands)]
        return cls(
            np.array([one.cpu_seconds_per_request for one in demands]),
            np.array([one.idle_cpu for one in demands], np.int64),
            np.array([one.latency_floor / US_PER_S for one in demands]),
            np.array([_most_milli(one) for one in demands], np.int64),
            np.array([one.parallelism for one in demands], np.int64),
            _objects(sizes),
            np.array([one.latency_floor_cv for one in demands]),
            np.square(np.array(arrival_cv or [1.0] * len(demands), np.float64)),
            np.array([math.inf if one.queue_limit is None else one.queue_limit for one in demands], np.float64),
            np.array([one.timeout / US_PER_S or math.inf for one in demands]),
            np.array([one.discipline is Discipline.QUEUE for one in demands], np.bool_),
            np.array([math.sqrt(max(0.0, one.second_moment - 1.0)) for one in sizes]),
            np.array([BALANCERS.index(one.balancer) for one in demands], np.int64),
        )

    def take(self, rows: Ints) -> Self:
        """Some of the entries, in this order; an entry may come up more than once."""
        return type(self)(*(getattr(self, column.name)[rows] for column in fields(self)))


def cpu_needed_milli(demands: Demands, rate: Floats, held: Floats, dt_us: int) -> Ints:
    """CPU that a pod wants in a step which `rate` requests/s reach and which holds `held` requests, idle use included.

    This is what a node divides among its pods, each capped by its limit.
    """
    return demands.idle_cpu + whole_milli(_load_milli(demands, rate, held, dt_us))


def is_within(demands: Demands, rate: Floats, held: Floats, dt_us: int, most_milli: Floats) -> bool:
    """Whether `cpu_needed_milli` less idle use is nowhere more than `most_milli`: whole numbers or inf, below 1e15."""
    found = _load_milli(demands, rate, held, dt_us) - _ROUNDING_MILLI <= most_milli
    return bool(np.count_nonzero(found) == len(found))


def _load_milli(demands: Demands, rate: Floats, held: Floats, dt_us: int) -> Floats:
    return (rate + held * US_PER_S / dt_us) * demands.cpu_seconds * 1000.0


def cpu_of_load_milli(demands: Demands, rate: Floats, pods: Ints, nearest: bool = False) -> Ints:
    """CPU of each of the pods that `rate` requests/s reach together, idle use included, if no request ever waits.

    `nearest`: rounded half up instead of up, as the load generator of the recorded whole runs does.
    """
    milli = rate * demands.cpu_seconds * 1000.0 / np.maximum(pods, 1) + demands.idle_cpu
    if nearest:
        return np.asarray(np.floor(np.minimum(milli, _MOST_MILLI) + 0.5), np.int64)
    return whole_milli(milli)


def requests_waiting(demand: Demand, in_flight: float, served_rps: float, capacity_milli: float) -> float:
    """Requests in flight less those that are worked on or beyond the CPU: by Little's law rate times their times.

    `capacity_milli`: of a ready pod, idle use included. Without capacity all of them wait.
    """
    cores = min(capacity_milli - demand.idle_cpu, float(_most_milli(demand))) / 1000.0
    if cores <= 0.0:
        return in_flight
    slower = max(1.0, demand.parallelism / cores) / demand.parallelism
    busy_s = demand.cpu_seconds_per_request * slower + demand.latency_floor / US_PER_S
    return max(0.0, in_flight - served_rps * busy_s)


def cores_at_once(capacity: Ints, most: Ints, workers: Ints, node: Ints) -> Ints:
    """Milli-CPU that pods can use at once: with a limit of `most` that alone bounds their `capacity` more than that.

    `workers`: what their workers can use; `node`: CPU of their nodes. A pod that its node or others there hold back has
    only its capacity.
    """
    return np.asarray(
        np.where((capacity >= most) & (most > 0), np.maximum(np.minimum(workers, node), capacity), capacity)
    )


def sizes_of(demand: Demand) -> RequestSizes:
    """How unequal the requests are."""
    if not demand.classes:
        return RequestSizes(((1.0, 1.0, demand.cv),))
    mean = sum(one.share * one.cost for one in demand.classes)
    return RequestSizes(tuple((one.share, one.cost / mean, one.cv) for one in demand.classes))


def _most_milli(demand: Demand) -> int:
    return _UNBOUNDED_MILLI if demand.workers is None else 1000 * demand.workers * demand.parallelism


def _objects(values: Sequence[RequestSizes]) -> NDArray[np.object_]:
    found = np.empty(len(values), np.object_)
    found[:] = values
    return found


def whole_milli(milli: Floats) -> Ints:
    """Upwards to whole milli-CPU, as MilliValue() rounds, forgiving the last bits of a float."""
    return np.ceil(np.minimum(milli, _MOST_MILLI) - _ROUNDING_MILLI).astype(np.int64)
