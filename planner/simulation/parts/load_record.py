"""Between the load model and the metrics: the latest step of each workload as the metrics see it."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from planner.metrics.end_to_end import EndToEnd
from planner.metrics.limits.limiting import Limiting
from planner.metrics.load_table import LoadTable
from planner.metrics.sample import ClusterSample
from planner.metrics.totals import LoadTotals, totals_for
from planner.plan.model.plan import Plan
from planner.state.cluster import Cluster
from planner.workloads.load.load_model import LoadModel
from planner.workloads.load.step.load_step import WorkloadSteps

Ints = NDArray[np.int64]


class LoadRecord:
    """Keeps the sums of the run and the latest load step of each workload."""

    def __init__(self, plan: Plan) -> None:
        self.totals: LoadTotals = totals_for(plan)
        self._rows: Ints = np.array(self.totals.rows, np.int64)
        self._fresh: list[tuple[Ints, Ints, WorkloadSteps]] = []
        """Steps that are not in the table yet."""
        self._table = self._shown = LoadTable(len(plan.workloads))
        self.end_to_end = EndToEnd(plan)
        self._limiting = Limiting(plan, [plan.workloads[row] for row in self.totals.rows])
        self.queues: Ints = np.array(
            [row for row, item in enumerate(plan.workloads) if item.queue is not None], np.int64
        )
        """Rows of the workloads whose requests are messages of a queue."""
        self._now_us = self._sampled_us = 0

    def add_steps(self, rows: Ints, start_us: Ints, length_us: Ints, steps: WorkloadSteps) -> None:
        """Count load steps of the workloads of these rows that end at the same instant."""
        now_us = int(start_us[0] + length_us[0])
        if now_us != self._now_us:
            self.close_instant()
            self._now_us = now_us
        if len(rows) == len(self._rows):
            self._fresh.clear()
        self._fresh.append((rows, length_us, steps))
        self.totals.add(rows, start_us, length_us, steps)
        self.end_to_end.note_steps(rows, start_us, length_us)

    def close_instant(self) -> None:
        """All steps that end at the instant of the latest one were added: look at them together."""
        self.end_to_end.close(self.latest)

    def latest(self) -> LoadTable:
        """The latest load step of every workload."""
        for rows, length_us, steps in self._fresh:
            self._table.put(rows, length_us, steps)
        self._fresh.clear()
        return self._table

    def sample(self, cluster: Cluster, model: LoadModel, queued: Mapping[str, int]) -> ClusterSample:
        """The cluster and its load for a row of the series: rates since the row before, all else at this instant."""
        used = model.mean_use()
        load, rows = self._shown_in(len(used.by_workload)), self._rows
        load.take_over(self.latest(), used.by_workload)
        load.slo_missed[rows] = self.totals.slo_missed
        if cluster.clock.now_us > self._sampled_us:
            load.put_flows(rows, cluster.clock.now_us - self._sampled_us, self.totals.take_flows())
            self._sampled_us = cluster.clock.now_us
        self.end_to_end.add_to(load)
        self._limiting.show(load, rows, cluster.workloads.ready)
        if len(self.queues):
            load.queue_length[self.queues], load.queue_age_s[self.queues] = model.queue_values(self.queues)
        return ClusterSample(cluster, load, used.by_node, queued)

    def _shown_in(self, workloads: int) -> LoadTable:
        """The table that samples show, of so many workloads; each sample is written over the one before."""
        if self._shown is self._table or self._shown.values.shape[1] != workloads:
            self._shown = LoadTable(workloads)
        return self._shown
