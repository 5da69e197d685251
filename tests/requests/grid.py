"""The grid over which the load model is compared: limits, workers, variability, discipline and load of one pod.

The simulation takes minutes for all cells, so its figures are kept (`tests/data/requests/grid.json`); a soak test
computes some of them anew. Cells whose limit never acts are listed once.
"""

import json
import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from planner.plan.model.demand import Demand
from planner.units import US_PER_S
from tests.planner.workloads.load.one_step import step_pods
from tests.requests.loads import open_load
from tests.requests.pod import PodLaw
from tests.requests.streams import Work

KEPT = Path(__file__).parents[1] / "data" / "requests" / "grid.json"
REQUEST_S = 0.01
NODE_CORES = 8
LIMITS = (math.inf, 4.0, 2.0, 1.0, 0.5, 0.25, 0.1)
WORKERS = (1, 2, 8, None)
VARIABILITY = (0.0, 0.2, 0.5, 1.0, 2.0)
LOADS = (0.05, 0.3, 0.6, 0.8, 0.9, 0.95)
_STEP_US = 5 * US_PER_S
_STEPS = 400
_REQUESTS = ((0.85, 4_000_000), (0.7, 1_000_000), (0.0, 200_000))
"""How many are simulated from a load on: near saturation figures settle slowly."""


class Figures(NamedTuple):
    """Seconds; requests per second; share of the time."""

    mean_s: float
    p50_s: float
    p95_s: float
    p99_s: float
    throughput: float
    throttled: float


MOST = Figures(0.05, 0.10, 0.15, 0.15, 0.05, 0.04)
"""By how much the model may differ: relative to the simulation, but for the throttled share."""


@dataclass(frozen=True)
class Cell:
    """One pod under a steady load."""

    limit: float
    workers: int | None
    cv: float
    sharing: bool
    load: float
    """Of saturation."""
    tick_s: float = 0.0
    """How often the kernel looks at the quota; 0: at every moment, as in the kept figures."""

    def __str__(self) -> str:
        discipline = "sharing" if self.sharing else "queue"
        limit = "none" if math.isinf(self.limit) else f"{self.limit:g}"
        return f"limit {limit}, workers {self.workers or 'unlimited'}, cv {self.cv:g}, {discipline}, load {self.load:g}"

    @property
    def law(self) -> PodLaw:
        """As the simulation sees it."""
        # A worker for each request means that all of them share the cores.
        workers = math.inf if self.workers is None else self.workers
        return PodLaw(self.limit, workers, self.sharing or self.workers is None, NODE_CORES, tick_s=self.tick_s)

    @property
    def rate(self) -> float:
        """Requests per second."""
        return self.load * self.law.saturation / REQUEST_S

    def simulated(self, seed: int = 1, requests: int = 0) -> Figures:
        """Request by request."""
        requests = requests or next(count for least, count in _REQUESTS if self.load >= least)
        found = open_load(self.law, self.rate, Work.of(REQUEST_S, self.cv), requests, seed)
        p50, p95, p99 = (found.percentile_s(percent) for percent in (50, 95, 99))
        return Figures(found.mean_s, p50, p95, p99, found.throughput, found.throttled)

    def modelled(self) -> Figures:
        """As a run says after many steps of that load."""
        demand = Demand(
            cpu_seconds_per_request=REQUEST_S, cv=self.cv, workers=self.workers,
            discipline="sharing" if self.sharing else "queue",
        )  # fmt: skip
        capacity = round(1000 * min(self.limit, NODE_CORES))
        held = 0.0
        for _ in range(_STEPS):
            step = step_pods(demand, self.rate, [capacity], held, _STEP_US, 1000 * NODE_CORES, tick_s=self.tick_s)
            if abs(step.in_flight - held) <= 1e-9 * held:
                break
            held = step.in_flight
        p50, p95, p99 = (step.percentile_s(percent) for percent in (50, 95, 99))
        return Figures(step.mean_s, p50, p95, p99, step.served / (_STEP_US / US_PER_S), step.throttled)


def cells() -> Iterator[Cell]:
    """All of them."""
    for workers in WORKERS:
        for limit in LIMITS:
            if math.isinf(limit) or limit < min(workers or NODE_CORES, NODE_CORES):
                for sharing in (True, False) if workers else (True,):
                    for cv in VARIABILITY:
                        yield from (Cell(limit, workers, cv, sharing, load) for load in LOADS)


def kept() -> dict[str, Figures]:
    """What the simulation said about each cell."""
    return {name: Figures(*figures) for name, figures in json.loads(KEPT.read_text()).items()}


def keep(found: dict[str, Figures]) -> None:
    """For `kept`, a cell a line."""
    lines = (
        f"  {json.dumps(name)}: {json.dumps([float(f'{one:.4g}') for one in each])}" for name, each in found.items()
    )
    KEPT.parent.mkdir(exist_ok=True)
    KEPT.write_text("{\n" + ",\n".join(lines) + "\n}\n")


def errors(found: Figures, known: Figures) -> Figures:
    """Relative, but for the throttled share: the difference."""
    relative = [one / other - 1.0 for one, other in zip(found[:-1], known[:-1], strict=True)]
    return Figures._make([*relative, found.throttled - known.throttled])


def excess(off: Figures) -> float:
    """The largest error, in units of what it may be."""
    return max(abs(one) / most for one, most in zip(off, MOST, strict=True))
