"""Measured courses of workloads and pools on one grid of time."""

from collections.abc import Mapping
from datetime import UTC, datetime
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from planner.errors import MeasuredProblem
from planner.language.translation import tr
from planner.measured.quantities import Quantity

Course = NDArray[np.float32]
"""One value per step; nan where nothing was measured."""
Seconds = NDArray[np.float64]


CLUSTER = "cluster"
"""Name of what is measured of the whole cluster."""


class Subject(NamedTuple):
    """What was measured of whom: a workload, a pool, or the whole cluster."""

    quantity: Quantity
    name: str


class MeasuredCluster(NamedTuple):
    """What a cluster did. Step k covers the time from `start_s + k * step_s` for one `step_s`."""

    start_s: int
    """Seconds since 1970."""
    step_s: int
    steps: int
    courses: Mapping[Subject, Course]
    pod_starts: Mapping[str, Seconds]
    """Per workload, for each pod seen to start: seconds from the start of its containers to Ready."""
    source: str
    notes: tuple[str, ...] = ()
    """What was assumed, mended or left out, as sentences."""
    pod_launches: Mapping[str, Seconds] = MappingProxyType({})
    """Per workload, for each pod seen to start: seconds from its binding to the start of its containers."""
    node_launches: Mapping[str, Seconds] = MappingProxyType({})
    """Per pool, for each node seen to come: seconds from its request until it registered."""
    node_boots: Mapping[str, Seconds] = MappingProxyType({})
    """Per pool, for each node seen to boot: seconds from its registration until it was Ready."""

    @property
    def end_s(self) -> int:
        """End of the last step, in seconds since 1970."""
        return self.start_s + self.steps * self.step_s

    @property
    def window(self) -> str:
        """Begin and end in UTC."""
        return f"{date_text(self.start_s)}/{date_text(self.end_s)}"

    @property
    def heading(self) -> str:
        """Where it comes from, and its steps, for readers."""
        return tr(
            "{source}: {window}, {steps} steps of {step_s} s",
            source=self.source,
            window=self.window,
            steps=self.steps,
            step_s=self.step_s,
        )

    def course(self, quantity: Quantity, name: str) -> Course | None:
        """What is known of a workload or pool; None if that is nothing."""
        return self.courses.get(Subject(quantity, name))

    def first_attempts(self, name: str) -> Course | None:
        """Requests per second of a workload without those that were sent again, as far as these were counted."""
        requests, retries = self.course(Quantity.REQUESTS, name), self.course(Quantity.RETRIES, name)
        if requests is None or retries is None:
            return requests
        return np.maximum(requests - np.nan_to_num(retries), np.float32(0))

    def part(self, from_s: float | None, to_s: float | None) -> "MeasuredCluster":
        """The steps that lie between two times. Raises MeasuredProblem if there are none."""
        first = 0 if from_s is None else max(0, int(np.ceil((from_s - self.start_s) / self.step_s)))
        end = self.steps if to_s is None else min(self.steps, int((to_s - self.start_s) // self.step_s))
        if end <= first:
            problem = tr("Nothing was measured between --from and --to.")
            raise MeasuredProblem("--from", problem, tr("What was measured covers {window}.", window=self.window))
        courses = {subject: values[first:end] for subject, values in self.courses.items()}
        return self._replace(start_s=self.start_s + first * self.step_s, steps=end - first, courses=courses)


def date_text(time_s: float) -> str:
    """A time since 1970 as a date in UTC."""
    return datetime.fromtimestamp(time_s, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
