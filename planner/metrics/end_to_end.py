"""End-to-end latency (including calls) against its target, over all load steps of a run.

It is the sum of a workload's own latency and that of the calls it waits for; its percentiles are those of a gamma
distribution with the mean and variance of the sum (docs/model.md).
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from planner.metrics.attainment import Attainment
from planner.metrics.load_table import LoadTable
from planner.plan.model.plan import Plan
from planner.plan.model.traffic import Slo
from planner.units import US_PER_S
from planner.workloads.latency.call_chain import CallChains, Response

Ints = NDArray[np.int64]
LatestSteps = Callable[[], LoadTable]
"""The latest load steps of all workloads."""


class EndToEnd:
    """The workloads that wait for others, in columns."""

    def __init__(self, plan: Plan) -> None:
        rows = {item.name: row for row, item in enumerate(plan.workloads)}
        self._chains = CallChains({
            row: [(rows[call.workload], call.per_request) for call in item.calls if not call.is_async]
            for row, item in enumerate(plan.workloads)
        })  # fmt: skip
        self._rows = self._chains.callers
        slos = [plan.workloads[row].slo for row in self._rows.tolist()]
        targets = [slo if slo is not None and slo.end_to_end_target is not None else None for slo in slos]
        self._percents = sorted({95, 99, *(slo.percentile for slo in targets if slo is not None)})
        self._has_target = np.array([slo is not None for slo in targets], np.bool_)
        self._percentile = np.array([self._percents.index(95 if one is None else one.percentile) for one in targets])
        self._target_us = np.array([_target_us(slo) for slo in targets])
        self._most_errors = np.array([0.0 if slo is None else slo.max_error_ratio for slo in targets])
        count = len(self._rows)
        self._place = np.full(len(plan.workloads), -1, np.int64)
        self._place[self._rows] = np.arange(count)
        self._start_us, self._length_us, self._looked_us, self._met_us = np.zeros((4, count), np.int64)
        self._is_new = np.zeros(count, np.bool_)
        self._offered, self._met_offered = np.zeros((2, count))
        self._worst_s: dict[int, NDArray[np.float64]] = {95: np.zeros(count), 99: np.zeros(count)}
        self._worst_us: dict[int, Ints] = {percent: np.full(count, -1, np.int64) for percent in (95, 99)}

    def note_steps(self, rows: Ints, start_us: Ints, length_us: Ints) -> None:
        """Load steps have ended; those of workloads that are called may follow in the same instant."""
        if not len(self._rows):
            return
        place = self._place[rows]
        mine = place >= 0
        place = place[mine]
        self._start_us[place], self._length_us[place], self._is_new[place] = start_us[mine], length_us[mine], True

    def close(self, latest: LatestSteps) -> None:
        """All steps that end at this instant are known: count them."""
        if not len(self._rows) or not self._is_new.any():
            return
        load = latest()
        new = np.flatnonzero(self._is_new)
        self._is_new[:] = False
        rows, length_us = self._rows[new], self._length_us[new]
        whole = self._responses(load)
        seconds = {percent: whole.percentile_s(percent)[rows] for percent in self._percents}
        for percent, worst_s in self._worst_s.items():
            worse = seconds[percent] > worst_s[new]  # false for nan
            worst_s[new[worse]] = seconds[percent][worse]
            self._worst_us[percent][new[worse]] = self._start_us[new[worse]]
        held = np.stack([seconds[percent] for percent in self._percents])[self._percentile[new], np.arange(len(new))]
        in_time = (held * US_PER_S <= self._target_us[new]) & (load.error_ratio[rows] <= self._most_errors[new])
        is_idle = (load.offered_rps[rows] == 0.0) & (load.in_flight[rows] == 0.0)
        looked = self._has_target[new]
        met = looked & (in_time | is_idle)
        offered = load.offered_rps[rows] * length_us / US_PER_S
        self._offered[new] += np.where(looked, offered, 0.0)
        self._looked_us[new] += np.where(looked, length_us, 0)
        self._met_us[new] += np.where(met, length_us, 0)
        self._met_offered[new] += np.where(met, offered, 0.0)

    def add_to(self, load: LoadTable) -> None:
        """Fill in the percentiles with calls of all workloads that wait for others."""
        if len(self._rows):
            whole = self._responses(load)
            load.end_to_end_p95_s[self._rows] = whole.percentile_s(95)[self._rows]
            load.end_to_end_p99_s[self._rows] = whole.percentile_s(99)[self._rows]

    @property
    def of(self) -> dict[int, Attainment]:
        """Totals until now by workload row."""
        columns = (
            self._offered, self._looked_us, self._met_us, self._met_offered,
            self._worst_s[95], self._worst_us[95], self._worst_s[99], self._worst_us[99],
        )  # fmt: skip
        values = zip(*(column.tolist() for column in columns), strict=True)
        return {row: Attainment(*each) for row, each in zip(self._rows.tolist(), values, strict=True)}

    def _responses(self, load: LoadTable) -> Response:
        return self._chains.responses(Response(load.mean_s, load.variance_s2))


def _target_us(slo: Slo | None) -> int:
    return 0 if slo is None or slo.end_to_end_target is None else slo.end_to_end_target
