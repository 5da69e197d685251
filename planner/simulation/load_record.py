"""Between the load model and the metrics: the latest step of each workload as the metrics see it."""

from collections.abc import Mapping

from planner.metrics.sample import LoadView, Sample
from planner.metrics.totals import LoadTotals, totals_for
from planner.plan.plan import Plan
from planner.state.cluster import Cluster
from planner.workloads.demand import WorkloadStep
from planner.workloads.load_model import LoadModel


class LoadRecord:
    """Keeps the sums of the run and the latest load step of each workload."""

    def __init__(self, plan: Plan) -> None:
        self.totals: LoadTotals = totals_for(plan)
        self._latest: dict[int, LoadView] = {}

    def add_step(self, row: int, start_us: int, length_us: int, step: WorkloadStep, pods: int) -> None:
        """Count one finished load step of a workload."""
        view = LoadView.of_step(step, length_us, pods)
        self._latest[row] = view
        self.totals.of[row].add(start_us, length_us, view, self.totals.slos[row])

    def sample(self, cluster: Cluster, model: LoadModel, queued: Mapping[str, int]) -> Sample:
        """The cluster and its load at this instant, for the metrics."""
        used = model.used_by_workload()
        load: Mapping[int, LoadView] = {
            row: self._latest[row].with_cpu(float(used[row]))
            if row in self._latest
            else LoadView(cpu_used_milli=float(used[row]))
            for row in range(cluster.workloads.count)
            if row in self._latest or used[row]
        }
        return Sample(cluster, load, model.used_by_node().astype(float), queued)
