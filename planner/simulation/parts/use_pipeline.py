"""The way of CPU and memory use from the pods to the autoscalers, as the plan's metrics pipeline has it."""

import numpy as np
from numpy.typing import NDArray

from planner.engine.draws import Draws
from planner.engine.queue import EventQueue
from planner.hpa.metrics.counter_rates import CounterRates
from planner.hpa.metrics.kubelet_samples import KubeletSamples, Served
from planner.hpa.metrics.metrics_pipeline import UsageSamples
from planner.plan.model.autoscalers.horizontal_pod_autoscaler import follows_memory, follows_use
from planner.plan.model.autoscalers.metrics_pipeline import Sampling
from planner.plan.model.plan import Plan
from planner.simulation.compile.world import World
from planner.simulation.parts.memory_life import MemoryLife
from planner.workloads.load.load_model import LoadModel

Ints = NDArray[np.int64]
_MILLI_US_PER_CORE_S = 1e9


class UsePipeline:
    """Kubelets sample pods, something collects the samples, and autoscalers see the figures made of them.

    Only the pods of autoscaled workloads matter.
    """

    def __init__(
        self,
        plan: Plan,
        world: World,
        events: EventQueue,
        load_model: LoadModel,
        memory: MemoryLife | None,
        draws: Draws,
        serving_pods_only: bool = False,
    ) -> None:
        """`serving_pods_only`: where all pods are sampled at once, only ready pods with load are."""
        pipeline, cluster = plan.metrics_pipeline, world.cluster
        self.samples = UsageSamples(pipeline.delay, pipeline.staleness)
        self._events, self._cluster, self._load_model = events, cluster, load_model
        self._serving_pods_only = serving_pods_only
        self._interval_us = pipeline.scrape_interval
        self._memory = None if memory is None or not follows_memory(plan.horizontal_pod_autoscalers) else memory.memory
        followed = follows_use(plan.horizontal_pod_autoscalers)
        names = zip(cluster.workload_namespaces, cluster.workload_names, strict=True)
        self._is_followed = np.array([name in followed for name in names], np.bool_)
        self._kubelets: KubeletSamples | None = None
        self._rates: CounterRates | None = None
        if followed and pipeline.sampling is not Sampling.SAMPLED:
            pods = cluster.pods
            self._kubelets = KubeletSamples(
                pipeline.kubelet_interval, pipeline.scrape_interval, draws, lambda rows: pods.draw_key[rows]
            )
        if self._kubelets is not None and pipeline.sampling is Sampling.RATE:
            self._rates = CounterRates(pipeline.rate_window)

    def end_step(self) -> None:
        """Kubelets count what was spent in a load step and take the samples that fell into it."""
        if self._kubelets is not None:
            now_us, rows = self._events.now_us, self._followed()
            started_us = self._cluster.pods.running_us[rows]
            spent = self._load_model.spent_s(rows) * _MILLI_US_PER_CORE_S
            self._kubelets.count(now_us, rows, spent, started_us)

    def scrape(self) -> None:
        """Collect the newest samples of all pods."""
        self._load_model.observe()
        if self._kubelets is None:
            self._take_all_now()
            return
        self._count_until_now(self._kubelets)
        rows = self._followed()
        is_silent = self._cluster.nodes.silent[self._cluster.pods.node[rows]]
        lost, rows = rows[is_silent], rows[~is_silent]
        self.samples.expire(self._events.now_us, lost)
        if self._rates is not None:
            self._rates.scrape(self._events.now_us, self._kubelets.newest(rows))
        elif self.samples.is_answering:
            self._record(self._kubelets.scrape(rows, self._cluster.pods.running_us[rows]))

    def query(self) -> None:
        """Autoscalers are about to look; rates are computed only now."""
        if self._rates is not None and self.samples.is_answering:
            self._record(self._rates.query(self._events.now_us))

    def set_answering(self, answers: bool) -> None:
        """Whether the metrics API answers. metrics-server keeps its samples in memory only; Prometheus does not."""
        self.samples.set_answering(answers)
        if self._kubelets is not None and not answers:
            self._kubelets.forget_scrapes()

    def _take_all_now(self) -> None:
        if not self.samples.is_answering:
            return
        rows, usage_milli = self._load_model.usage_rows, self._load_model.usage_milli
        if self._serving_pods_only:
            serving = self._load_model.serving
            rows, usage_milli = rows[serving], usage_milli[serving]
        self.samples.record(self._events.now_us, self._interval_us, rows, usage_milli, self._working_sets(rows))

    def _record(self, served: Served) -> None:
        memory = self._working_sets(served.pods)
        now_us = self._events.now_us
        self.samples.record(now_us, served.window_us, served.pods, served.usage_milli, memory, served.time_us)

    def _count_until_now(self, kubelets: KubeletSamples) -> None:
        """Within a load step pods are taken to use what they used in the one before; its end corrects that."""
        rows, usage_milli = self._load_model.usage_rows, self._load_model.usage_milli
        chosen = self._is_followed[self._cluster.pods.workload[rows]]
        rows = rows[chosen]
        kubelets.advance(self._events.now_us, rows, usage_milli[chosen], self._cluster.pods.running_us[rows])

    def _followed(self) -> Ints:
        """Running pods whose use an autoscaler follows."""
        rows = self._load_model.usage_rows
        return rows[self._is_followed[self._cluster.pods.workload[rows]]]

    def _working_sets(self, pods: Ints) -> Ints | None:
        """Working sets of the containers of these pod rows now, a row for each place of a container, bytes.

        None where no autoscaler follows memory.
        """
        return None if self._memory is None else self._memory.by_container(pods, self._events.now_us)
