"""How far Headroom is from the reference, and the reference from itself."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tests.reference.experiments import Experiment
from tests.reference.planned import planned_run
from tests.reference.run import ROW_S, Course, ReferenceRun

Floats = NDArray[np.float64]


class Figures(NamedTuple):
    """Of one run."""

    mean_pods: float
    cpu_s: float
    """CPU seconds used over the run."""
    cpu_after_s: float
    """Those used after the load had ended: for requests that had waited, by pods that are still there."""
    peak: float
    """Most requests in flight."""
    half_drained_s: float
    """From the peak until half of it is left; until the end if it never comes to that."""
    busy: float
    """Use of the pods while requests wait (more than 5 a pod), as a share of their limits."""


class Runs:
    """Runs of an experiment with several seeds; a row per run, a column per 5 s."""

    def __init__(self, experiment: Experiment, courses: Sequence[Course]) -> None:
        self.pods = np.array([course.pods for course in courses])
        self.in_flight = np.array([course.in_flight for course in courses])
        self.cpu_s = np.array([course.cpu_s for course in courses])
        self.figures = np.array([_figures(experiment, course) for course in courses])

    def mean(self, figure: str) -> float:
        """Over the runs."""
        return float(self.figures[:, Figures._fields.index(figure)].mean())

    def spread(self, figure: str) -> float:
        """Standard deviation of a single run."""
        return float(self.figures[:, Figures._fields.index(figure)].std(ddof=1))


def reference(experiment: Experiment, seeds: Sequence[int]) -> Runs:
    """Runs of the reference."""
    return Runs(experiment, [ReferenceRun(experiment, seed).run() for seed in seeds])


def headroom(experiment: Experiment, seeds: Sequence[int]) -> Runs:
    """Runs of Headroom."""
    return Runs(experiment, [planned_run(experiment, seed) for seed in seeds])


def _figures(experiment: Experiment, course: Course) -> Figures:
    pods, in_flight, cpu_s = np.array(course.pods), np.array(course.in_flight), np.array(course.cpu_s)
    end, top = experiment.load_s // ROW_S, int(in_flight.argmax())
    half = np.flatnonzero(in_flight[top:] <= in_flight[top] / 2)
    waits = np.flatnonzero(in_flight[1:] > 5 * pods[1:])
    could_s = experiment.limit_cores * ROW_S * pods[:-1][waits].sum()
    return Figures(
        float(pods.mean()),
        float(cpu_s[-1]),
        float(cpu_s[-1] - cpu_s[end]),
        float(in_flight[top]),
        float(half[0] if len(half) else len(pods) - 1 - top) * ROW_S,
        float(np.diff(cpu_s)[waits].sum() / could_s) if len(waits) else np.nan,
    )


@dataclass(frozen=True)
class Distance:
    """Mean absolute differences of the number of pods, every 5 s."""

    to_mean: float
    """Of a Headroom run from the mean of the reference's runs."""
    own_to_mean: float
    """Of a run of the reference from the mean of its other runs."""
    to_run: float
    """Of a Headroom run from a run of the reference."""
    own_to_run: float
    """Of a run of the reference from another one: what a repetition differs."""


def distance(found: Runs, known: Runs) -> Distance:
    """Between the runs of Headroom and those of the reference."""
    runs, total = len(known.pods), known.pods.sum(axis=0)
    others = (total - known.pods) / (runs - 1)
    pairs = [np.abs(one - known.pods).mean() for one in found.pods]
    own_pairs = [np.abs(one - known.pods).mean() * runs / (runs - 1) for one in known.pods]
    return Distance(
        float(np.abs(found.pods - total / runs).mean()),
        float(np.abs(known.pods - others).mean()),
        float(np.mean(pairs)),
        float(np.mean(own_pairs)),
    )


def cpu_gap(found: Runs, known: Runs) -> float:
    """Largest distance of the mean curves of CPU seconds, as a share of the total."""
    mean = known.cpu_s.mean(axis=0)
    return float(np.abs(found.cpu_s.mean(axis=0) - mean).max() / mean[-1])


def excess(found: Runs, known: Runs, figure: str) -> float:
    """Headroom's mean of a figure over the reference's, less 1."""
    return found.mean(figure) / known.mean(figure) - 1.0


HEADER = (
    "Experiment", "Pods", "Error", "Own error", "To a run", "Own", "Pod-hours", "CPU curve", "CPU after", "Peak",
    "Half drained", "Busy",
)  # fmt: skip


def row(experiment: Experiment, found: Runs, known: Runs) -> tuple[str, ...]:
    """A line of the table."""
    apart = distance(found, known)

    def per_cent(figure: str) -> str:
        return f"{100 * excess(found, known, figure):+.1f} %"

    return (
        experiment.name,
        f"{known.mean('mean_pods'):.1f}",
        *(f"{value:.2f}" for value in (apart.to_mean, apart.own_to_mean, apart.to_run, apart.own_to_run)),
        per_cent("mean_pods"),
        f"{100 * cpu_gap(found, known):.1f} %",
        f"{known.mean('cpu_after_s'):.1f} / {found.mean('cpu_after_s'):.1f} s",
        per_cent("peak"),
        f"{known.mean('half_drained_s'):.0f} / {found.mean('half_drained_s'):.0f} s",
        f"{known.mean('busy'):.2f} / {found.mean('busy'):.2f}",
    )
