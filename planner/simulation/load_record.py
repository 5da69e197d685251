"""Between the load model and the metrics: the latest step of each workload as the metrics see it."""

from collections.abc import Mapping

from planner.metrics.end_to_end import EndToEnd
from planner.metrics.sample import NO_LOAD, LoadView, Sample, load_table
from planner.metrics.totals import LoadTotals, totals_for
from planner.plan.plan import Plan
from planner.state.cluster import Cluster
from planner.workloads.demand import WorkloadStep
from planner.workloads.load_model import LoadModel

_CPU_USED, _SLO_MISSED, _WHOLE_P95, _WHOLE_P99 = map(
    LoadView._fields.index, ("cpu_used_milli", "slo_missed", "end_to_end_p95_s", "end_to_end_p99_s")
)


class LoadRecord:
    """Keeps the sums of the run and the latest load step of each workload."""

    def __init__(self, plan: Plan) -> None:
        self.totals: LoadTotals = totals_for(plan)
        self._judged = [(row, slo) for row, slo in self.totals.slos.items() if slo is not None]
        self._latest: dict[int, LoadView] = {}
        self.end_to_end = EndToEnd(plan)
        self._now_us = 0

    def add_step(self, row: int, start_us: int, length_us: int, step: WorkloadStep, pods: int) -> None:
        """Count one finished load step of a workload."""
        if start_us + length_us != self._now_us:
            self.close_instant()
            self._now_us = start_us + length_us
        view = LoadView.of_step(step, length_us, pods)
        self._latest[row] = view
        self.totals.of[row].add(start_us, length_us, view, self.totals.slos[row])
        self.end_to_end.note_step(row, start_us, length_us)

    def close_instant(self) -> None:
        """All steps that end at the instant of the latest one were added: look at them together."""
        self.end_to_end.close(self.latest)

    def latest(self, row: int) -> LoadView:
        """The latest load step of a workload."""
        return self._latest.get(row, NO_LOAD)

    def sample(self, cluster: Cluster, model: LoadModel, queued: Mapping[str, int]) -> Sample:
        """The cluster and its load at this instant, for the metrics."""
        table = load_table(self._latest, cluster.workloads.count)
        table[:, _CPU_USED] = model.used_by_workload()
        for row, slo in self._judged:
            if row in self._latest:
                table[row, _SLO_MISSED] = not self._latest[row].meets(slo)
        for row in self.end_to_end.of:
            if row in self._latest:
                whole = self.end_to_end.response(row, self.latest)
                table[row, _WHOLE_P95], table[row, _WHOLE_P99] = whole.percentile_s(95), whole.percentile_s(99)
        return Sample(cluster, table, model.used_by_node().astype(float), queued)
