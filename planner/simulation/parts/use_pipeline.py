"""The way of CPU and memory use from the pods to the autoscalers, as the plan's metrics pipeline has it."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from planner.engine.draws import Draws
from planner.engine.queue import EventQueue
from planner.hpa.metrics.alike_pods import UseKey
from planner.hpa.metrics.counter_rates import CounterRates
from planner.hpa.metrics.kubelet_samples import KubeletSamples, Served
from planner.hpa.metrics.metrics_pipeline import UsageSamples
from planner.plan.derived.followed import followed_workloads, memory_is_followed
from planner.plan.model.autoscalers.metrics_pipeline import Sampling
from planner.plan.model.plan import Plan
from planner.simulation.compile.world import World
from planner.simulation.parts.memory_life import MemoryLife
from planner.workloads.cpu.running_pods import NOT_RUNNING
from planner.workloads.load.load_model import LoadModel
from planner.workloads.load.use.used_cpu import UseMarks

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
_MILLI_US_PER_CORE_S = 1e9
_SAMPLES_BEFORE = 3
"""So many samples and scrapes before the run make the figures that are served at its start."""


class _Followed(NamedTuple):
    """The running pods whose use an autoscaler follows."""

    running: Ints
    """Rows of all running pods,"""
    chosen: Bools | None
    """which of them these are (None: all),"""
    rows: Ints
    """and their own."""


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
        self._memory = None if memory is None or not memory_is_followed(plan) else memory.memory
        followed = followed_workloads(plan)
        names = zip(cluster.workload_namespaces, cluster.workload_names, strict=True)
        self._is_followed = np.array([name in followed for name in names], np.bool_)
        self._all_followed = bool(self._is_followed.all())
        self._kubelets: KubeletSamples | None = None
        self._rates: CounterRates | None = None
        if followed and pipeline.sampling is not Sampling.SAMPLED:
            pods = cluster.pods
            self._kubelets = KubeletSamples(
                pipeline.kubelet_interval, pipeline.scrape_interval, draws, lambda rows: pods.draw_key[rows]
            )
        if self._kubelets is not None and pipeline.sampling is Sampling.RATE:
            self._rates = CounterRates(pipeline.rate_window)
        self._reach_us = pipeline.rate_window + _SAMPLES_BEFORE * (2 * pipeline.kubelet_interval + self._interval_us)
        self._past_from_us: int | None = None
        self._known: _Followed | None = None
        self._marks: UseMarks | None = None
        self._key: UseKey | None = None
        """What pods must have in common, as long as these are the marks."""

    def have_past(self, first_scrape_us: int) -> None:
        """Pods that are there at the start have been scraped before, at the same beat as in the run."""
        if self._kubelets is not None:
            scrapes = -(-(self._reach_us + first_scrape_us) // self._interval_us)
            self._past_from_us = first_scrape_us - scrapes * self._interval_us

    def end_step(self) -> None:
        """Kubelets count what was spent in a load step and take the samples that fell into it."""
        if self._kubelets is None:
            return
        now_us = self._events.now_us
        if self._past_from_us is not None and now_us == 0:
            return
        rows = self._followed().rows
        if self._past_from_us is not None:
            started_us = self._started_us(rows)
            usage_milli = np.rint(self._spent(rows) / now_us).astype(np.int64)
            is_old = (started_us < 0) & ~self._is_saturated(rows, usage_milli, now_us)
            old = rows[is_old], usage_milli[is_old], started_us[is_old]
            self._play_past(self._kubelets, self._past_from_us, *old)
            self._past_from_us = None
        alike = self._kubelets.follow(rows, self._started_us, self._use_key())
        if alike is None:
            self._kubelets.count(now_us, rows, self._spent(rows), self._started_us(rows))
        else:
            self._kubelets.count_alike(now_us, self._spent(alike))

    def _spent(self, rows: Ints) -> Floats:
        return self._load_model.spent_s(rows) * _MILLI_US_PER_CORE_S

    def _use_key(self) -> UseKey | None:
        marks = self._load_model.use_key()
        if marks is not self._marks:
            self._marks, self._key = marks, None if marks is None else self._key_of(marks)
        return self._key

    def _key_of(self, marks: UseMarks) -> UseKey:
        workload, pods_of = self._cluster.pods.workload, self._pods_of
        return UseKey(marks.era, marks.version, marks.marks, workload, pods_of, self._load_model.kind_of, marks.columns)

    def _pods_of(self, workload: int) -> Ints:
        """Running pods of a workload; none of one that no autoscaler follows."""
        members = self._cluster.workload_pods[workload] if self._is_followed[workload] else ()
        rows = np.fromiter(members, np.int64, len(members))
        return np.asarray(rows[self._load_model.kind_of(rows) != NOT_RUNNING])

    def _started_us(self, rows: Ints) -> Ints:
        """Since when pods run; before 0 where they were there at the start."""
        bound_us = self._cluster.pods.bound_us[rows]
        return np.where(bound_us < 0, bound_us, self._cluster.pods.running_us[rows])

    def _is_saturated(self, pods: Ints, usage_milli: Ints, now_us: int) -> Bools:
        """Pods that got more work since the start than they can do have met a load that cannot have lasted: before,
        they used something else, which is not known.
        """
        may_use = self._load_model.capacity_of(pods)
        work_milli = usage_milli + self._load_model.work_held_s(pods) * _MILLI_US_PER_CORE_S / now_us
        return np.asarray((may_use > 0) & (work_milli > may_use))

    def scrape(self) -> None:
        """Collect the newest samples of all pods."""
        self._load_model.observe()
        if self._kubelets is None:
            self._take_all_now()
            return
        if self._past_from_us is not None:
            return  # what pods use shows at the end of the first load step; the past then covers this scrape, too
        self._count_until_now(self._kubelets)
        rows = self._followed().rows
        if np.count_nonzero(self._cluster.nodes.silent):
            is_silent = self._cluster.nodes.silent[self._cluster.pods.node[rows]]
            self.samples.expire(self._events.now_us, rows[is_silent])
            rows = rows[~is_silent]
        if self._rates is not None:
            self._rates.scrape(self._events.now_us, self._kubelets.newest(rows))
        elif self.samples.is_answering:
            columns = self.samples.visible_columns(rows) if self._memory is None else None
            if columns is None:
                self._record(self._kubelets.scrape(rows, self._started_us(rows)))
            else:
                self._kubelets.show(self._events.now_us, rows, columns)

    def query(self) -> None:
        """Autoscalers are about to look; rates are computed only now."""
        if self._rates is not None and self.samples.is_answering:
            self._record(self._rates.query(self._events.now_us))

    def set_answering(self, answers: bool) -> None:
        """Whether the metrics API answers. metrics-server keeps its samples in memory only; Prometheus does not."""
        self.samples.set_answering(answers)
        if self._kubelets is not None and not answers:
            self._kubelets.forget_scrapes()

    def _play_past(
        self, kubelets: KubeletSamples, from_us: int, pods: Ints, usage_milli: Ints, started_us: Ints
    ) -> None:
        """Scrapes before now of pods that used before the start of the run what they use in its first load step."""
        kubelets.remember(pods, usage_milli, np.maximum(started_us, from_us - 2 * self._interval_us), started_us)
        for moment_us in range(from_us, self._events.now_us + 1, self._interval_us):
            kubelets.advance(moment_us, pods, usage_milli, started_us)
            if self._rates is not None:
                self._rates.scrape(moment_us, kubelets.newest(pods))
            elif self.samples.is_answering:
                self._record(kubelets.scrape(pods, started_us))

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
        followed = self._followed()
        alike = kubelets.follow(followed.rows, self._started_us, self._use_key())
        if alike is not None:
            kubelets.advance_alike(self._events.now_us, self._load_model.usage_of(alike))
            return
        usage_milli = self._load_model.usage_milli
        if followed.chosen is not None:
            usage_milli = usage_milli[followed.chosen]
        kubelets.advance(self._events.now_us, followed.rows, usage_milli, self._started_us(followed.rows))

    def _followed(self) -> _Followed:
        """They are looked for again when pods begin or end: until then the load model has the same column of them."""
        running = self._load_model.usage_rows
        if self._known is None or self._known.running is not running:
            chosen = None if self._all_followed else self._is_followed[self._cluster.pods.workload[running]]
            self._known = _Followed(running, chosen, running if chosen is None else running[chosen])
        return self._known

    def _working_sets(self, pods: Ints) -> Ints | None:
        """Working sets of the containers of these pod rows now, a row for each place of a container, bytes.

        None where no autoscaler follows memory.
        """
        return None if self._memory is None else self._memory.by_container(pods, self._events.now_us)
