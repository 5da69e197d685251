"""Between the load model and the metrics: the latest step of each workload as the metrics see it."""

from collections.abc import Mapping

from planner.metrics.sample import NO_LOAD, LoadView, Sample
from planner.metrics.totals import LoadTotals, totals_for
from planner.plan.plan import Plan
from planner.state.cluster import Cluster
from planner.workloads.demand import WorkloadStep
from planner.workloads.latency.call_chain import Response, with_calls
from planner.workloads.load_model import LoadModel


class LoadRecord:
    """Keeps the sums of the run and the latest load step of each workload."""

    def __init__(self, plan: Plan) -> None:
        self.totals: LoadTotals = totals_for(plan)
        self._latest: dict[int, LoadView] = {}
        rows = {item.name: row for row, item in enumerate(plan.workloads)}
        waits_for = (
            (row, [(rows[call.workload], call.per_request) for call in item.calls if not call.is_async])
            for row, item in enumerate(plan.workloads)
        )
        self._waits_for = {row: calls for row, calls in waits_for if calls}

    def add_step(self, row: int, start_us: int, length_us: int, step: WorkloadStep, pods: int) -> None:
        """Count one finished load step of a workload."""
        view = LoadView.of_step(step, length_us, pods)
        self._latest[row] = view
        self.totals.of[row].add(start_us, length_us, view, self.totals.slos[row])

    def sample(self, cluster: Cluster, model: LoadModel, queued: Mapping[str, int]) -> Sample:
        """The cluster and its load at this instant, for the metrics."""
        used = model.used_by_workload()
        load = {
            row: self._latest[row].with_cpu(float(used[row]))
            if row in self._latest
            else LoadView(cpu_used_milli=float(used[row]))
            for row in range(cluster.workloads.count)
            if row in self._latest or used[row]
        }
        load = load | {row: self._end_to_end(row, load[row]) for row in self._waits_for if row in load}
        return Sample(cluster, load, model.used_by_node().astype(float), queued)

    def _end_to_end(self, row: int, view: LoadView) -> LoadView:
        whole = self._response(row)
        return view._replace(end_to_end_p95_s=whole.percentile_s(95), end_to_end_p99_s=whole.percentile_s(99))

    def _response(self, row: int) -> Response:
        """Response of a workload in its latest step, with the calls that it waits for; calls never go in circles."""
        view = self._latest.get(row, NO_LOAD)
        own = Response(view.mean_s, view.variance_s2)
        return with_calls(own, ((each, self._response(callee)) for callee, each in self._waits_for.get(row, ())))
