"""How far replays are from the runs they replay."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from tests.replay.hpa_runs import Floats, LoggedRun, naive, plan_of, replay

BAND = (5, 95)
"""Percentiles over seeds between which the real sizes should be."""


@dataclass(frozen=True)
class Distance:
    """Of one run: mean absolute errors in replicas, pod-hours against the real ones, share of time within the band."""

    name: str
    family: str
    error: float
    naive_error: float
    pod_hours: float
    real_pod_hours: float
    covered: float


def distance(run: LoggedRun, seeds: Sequence[int]) -> Distance:
    """Means over seeds, which draw the phases, too."""
    plan, real = plan_of(run), run.sizes()
    found = np.array([replay(run, plan, seed) for seed in seeds])
    rule = np.array([naive(run, run.sync_s * (number + 0.5) / len(seeds)) for number in range(len(seeds))])
    low, high = np.percentile(found, BAND, axis=0)
    return Distance(
        run.name,
        run.family,
        _error(found, real),
        _error(rule, real),
        float(found.mean(axis=0).sum()),
        float(real.sum()),
        float(np.mean((real >= np.floor(low)) & (real <= np.ceil(high)))),
    )


def _error(sizes: Floats, real: Floats) -> float:
    return float(np.abs(sizes - real).mean())


def family_of(name: str) -> str:
    """Load, sync period and service time: what several runs share."""
    load, sync, *_, service = name.split("-")
    return f"{load}, sync {sync}, service {service.removeprefix('service')} s"


def table(found: Iterable[Distance]) -> list[tuple[str, int, float, float, float, float]]:
    """Of each family and of all: runs, error, naive error, pod-hours over the real ones in per cent, coverage."""
    known = list(found)
    families: dict[str, list[Distance]] = {}
    for one in known:
        families.setdefault(family_of(one.name), []).append(one)
    return [_row(name, members) for name, members in [*families.items(), ("all", known)]]


def _row(name: str, members: Sequence[Distance]) -> tuple[str, int, float, float, float, float]:
    hours, real = sum(one.pod_hours for one in members), sum(one.real_pod_hours for one in members)
    means = [
        float(np.mean([getattr(one, figure) for one in members])) for figure in ("error", "naive_error", "covered")
    ]
    return name, len(members), means[0], means[1], 100 * (hours / real - 1), 100 * means[2]
