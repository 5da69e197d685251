"""The experiments: Poisson loads of constant rate and of rates that change every 90 s."""

import random
from dataclasses import dataclass
from enum import StrEnum

US_PER_S = 1_000_000
CHANGE_S = 90
"""A modulated load keeps its rate so long."""


class Pipeline(StrEnum):
    """What the autoscaler reads."""

    PROMETHEUS = "rate[1m], scrape 5 s"
    METRICS_SERVER_15 = "metrics-server 15 s"
    METRICS_SERVER_60 = "metrics-server 60 s"

    @property
    def scrape_s(self) -> int:
        """Distance of two scrapes."""
        return {Pipeline.PROMETHEUS: 5, Pipeline.METRICS_SERVER_15: 15, Pipeline.METRICS_SERVER_60: 60}[self]


@dataclass(frozen=True)
class Experiment:
    """One Deployment of single-threaded pods with a CPU request and limit of 100m, and its HPA."""

    rates: tuple[float, ...]
    """Requests per second; several: the rate is drawn anew every 90 s."""
    cost_s: float
    """Mean CPU seconds of a request, exponential."""
    sync_s: int
    """Sync period, downscale stabilization and the CPU initialization period."""
    pipeline: Pipeline = Pipeline.PROMETHEUS
    load_s: int = 1800
    after_s: int = 400
    """How long the run goes on without load."""
    pods: int = 1
    autoscaled: bool = True
    limit_cores: float = 0.1
    target_percent: int = 75
    least: int = 1
    most: int = 20
    start_up_s: int = 3
    grace_s: int = 30

    @property
    def name(self) -> str:
        """As in the tables."""
        rates = " or ".join(f"{rate:g}" for rate in self.rates)
        return f"{rates}/s of {self.cost_s:g} s, sync {self.sync_s} s, {self.pipeline}"

    @property
    def end_s(self) -> int:
        """Length of the run."""
        return self.load_s + self.after_s

    def course(self) -> list[float]:
        """The rate of each 90 s; the same in every run."""
        chance = random.Random(self.name)
        parts = -(-self.load_s // CHANGE_S)
        return [chance.choice(self.rates) for _ in range(parts)]


POISSON = (
    Experiment((4.0,), 0.1, 15),
    Experiment((10.0,), 0.1, 15),
    Experiment((20.0,), 0.03, 30),
    Experiment((4.0,), 0.03, 60),
    Experiment((40.0,), 0.03, 60),
    Experiment((40.0,), 0.01, 60),
    Experiment((10.0,), 0.03, 90),
    Experiment((10.0,), 0.1, 90),
    Experiment((10.0,), 0.1, 15, Pipeline.METRICS_SERVER_15),
    Experiment((20.0,), 0.03, 30, Pipeline.METRICS_SERVER_15),
    Experiment((20.0,), 0.03, 60, Pipeline.METRICS_SERVER_60),
)
BURSTS = (
    Experiment((20.0, 5.0), 0.05, 15),
    Experiment((10.0, 4.0), 0.1, 90),
    Experiment((30.0, 10.0), 0.05, 90),
    Experiment((40.0, 4.0), 0.03, 60, Pipeline.METRICS_SERVER_60),
)
