"""The recommender of a run: it reads the samples of running containers and recommends."""

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from planner.record.decisions import Actor, Decision, Verdict
from planner.record.details.requests import ContainerRecommendation, RequestsRecommended
from planner.state.changes import ClusterEvent, ClusterEventKind, PodChanges
from planner.state.cluster import Cluster
from planner.state.specs import ContainerRole
from planner.vpa.admission.capping import Recommendation, Recommended
from planner.vpa.controller.settings import wants_whole_cores
from planner.vpa.controller.status import recommendation_column
from planner.vpa.controller.tracked import TrackedVpa
from planner.vpa.recommender.histograms import CPU_BUCKETS, EPOCH_US, MEMORY_BUCKETS
from planner.vpa.recommender.policies import CPU, RESOURCES
from planner.vpa.recommender.recommender import NONE, PastUse, Recommendations, Recommender, RecommenderRules

Ints = NDArray[np.int64]
_ROWS = ("target", "lower", "upper")
"""Of recommendations, in their order."""
_USED = "used"
"""What the running containers used on average when the recommender last read them."""


class Samples(Protocol):
    """The latest samples of containers by their place in the pod."""

    def have_sample(self, pods: Ints, now_us: int) -> NDArray[np.bool_]:
        """Which of these pod rows have a sample now."""

    def times_us(self, pods: Ints) -> Ints:
        """When the samples were taken."""

    def cpu_milli(self, pods: Ints, place: int) -> Ints:
        """CPU use."""

    def memory(self, pods: Ints, place: int) -> Ints:
        """Working sets, bytes."""


class RecommenderController:
    """Follows the pods of all autoscaled workloads."""

    def __init__(
        self,
        cluster: Cluster,
        vpas: Sequence[TrackedVpa],
        rules: RecommenderRules,
        samples: Samples,
        starts_us: int,
        decide: Callable[[Decision], None],
    ) -> None:
        """`starts_us`: the start of the run on the calendar, since 1970."""
        self._cluster, self._vpas, self._samples, self._decide = cluster, vpas, samples, decide
        self._offset_us = EPOCH_US + starts_us
        self._model = Recommender(rules)
        self._series_slots: Ints | None = None
        """In the order of `columns_of`; None: not worked out since a container was added."""
        self._vpas_of: dict[int, list[TrackedVpa]] = {}
        for vpa in vpas:
            self._vpas_of.setdefault(vpa.workload, []).append(vpa)
            spec = cluster.pod_specs[vpa.workload]
            for one in spec.template.containers:
                self._slot(vpa, one.name)
        self._instances: dict[int, list[tuple[int, int]]] = {}
        """Of each running pod: places of its containers and their instances."""
        self._running: Ints = np.zeros((3, 0), np.int64)
        """The same as columns of pod, place and instance,"""
        self._begun: list[tuple[int, int, int]] = []
        self._gone: list[int] = []
        """but for those that began since, and instances that are gone since."""
        self._columns: list[tuple[Ints, Ints]] | None = None
        self.latest: Recommendations | None = None
        self._used = np.full((len(RESOURCES), len(self._model.slots)), np.nan)
        self._values: NDArray[np.float64] | None = None
        """For the series; None: not worked out since the last recommendation."""
        self._recorded: Ints = np.zeros((2, 0), np.int64)
        self._cache: dict[int, Recommendation | None] = {}
        cluster.subscribe(self._on_running, (ClusterEventKind.POD_RUNNING,), self._on_many_running)
        cluster.subscribe(self._on_gone, (ClusterEventKind.POD_GONE,))

    def recommend(self, now_us: int) -> None:
        """Read all samples, and recommend."""
        self._read(now_us)
        self.latest = self._model.recommend()
        self._cache.clear()
        self._values = None
        self._record(now_us)
        self._model.collect_garbage(self._offset_us + now_us)

    def of(self, vpa: TrackedVpa) -> Recommendation | None:
        """What is recommended now for the containers of a VPA; None before the first recommendation."""
        if vpa.number not in self._cache:
            self._cache[vpa.number] = self._known(vpa)
        return self._cache[vpa.number]

    def remember(self, workload: int, places: Sequence[PastUse]) -> None:
        """What the main containers of the pods of a workload row used before the run; times are those of the run."""
        names = [one.name for one in self._cluster.pod_specs[workload].template.containers]
        labels = (workload, int(self._cluster.workloads.revision[workload]))
        for vpa in self._vpas_of.get(workload, ()):
            for name, past in zip(names, places, strict=True):
                dated = past._replace(cpu_us=past.cpu_us + self._offset_us, window_us=past.window_us + self._offset_us)
                self._model.remember(self._slot(vpa, name), labels, dated, self._offset_us)

    def on_oom(self, pod: int, place: int, now_us: int) -> None:
        """A container was killed for want of memory."""
        spec = self._cluster.pod_specs[self._cluster.pods.spec[pod]]
        running = [one for one in spec.running.containers if one.role is not ContainerRole.INIT]
        time_us = self._offset_us + now_us
        for at, instance in self._instances.get(pod, ()):
            if at == place:
                self._model.add_oom(instance, time_us, max(0, running[place].memory_request), time_us)

    def restart(self, now_us: int) -> None:
        """The process restarts: what it saved in checkpoints is all it knows."""
        renamed, _ = self._model.restart(self._offset_us + now_us)
        self._instances = {
            pod: [(place, renamed[one]) for place, one in known] for pod, known in self._instances.items()
        }
        self._running, self._gone = np.zeros((3, 0), np.int64), []
        self._begun = [(pod, *one) for pod, known in self._instances.items() for one in known]
        self._columns = None

    def values(self) -> NDArray[np.float64]:
        """Targets, bounds and use in cores and bytes, in the order of `columns_of`; nan where there is none."""
        if self._values is None:
            self._values = self._series_values()
        return self._values

    def _series_values(self) -> NDArray[np.float64]:
        if self._series_slots is None:
            self._series_slots = np.array([slot for vpa in self._vpas for slot in vpa.slots.values()], np.int64)
        slots = self._series_slots
        found = np.full((len(slots), len(RESOURCES), len(_ROWS) + 1), np.nan)
        if self.latest is not None:
            for at, (resource, unit) in enumerate(zip(RESOURCES, (1000.0, 1.0), strict=True)):
                amounts = self.latest.of(resource)[: len(_ROWS), slots].T
                found[:, at, : len(_ROWS)] = np.where(amounts == NONE, np.nan, amounts / unit)
                found[:, at, len(_ROWS)] = self._used[at, slots] / unit
        return found.ravel()

    # -- pods -----------------------------------------------------------------------------------

    def _slot(self, vpa: TrackedVpa, container: str) -> int:
        if container not in vpa.slots:
            cores = wants_whole_cores(vpa.given, container)
            vpa.slots[container] = self._model.slot(vpa.number, container, vpa.policies, cores)
            self._series_slots = None
        return vpa.slots[container]

    def _on_many_running(self, changes: PodChanges) -> None:
        if not self._vpas_of.keys().isdisjoint(changes.workloads):
            self._begin(zip(changes.pods, changes.workloads, strict=True))

    def _on_running(self, event: ClusterEvent) -> None:
        if event.workload in self._vpas_of:
            self._begin(((event.pod, event.workload),))

    def _begin(self, pods: Iterable[tuple[int, int]]) -> None:
        """Pods, with their workloads, run from now on."""
        cluster, slots, labels = self._cluster, list[int](), list[tuple[int, int]]()
        begun: list[tuple[int, int]] = []
        """Pod and place of each container."""
        for pod, workload in pods:
            vpas = self._vpas_of.get(workload)
            if vpas is None or pod in self._instances:
                continue
            self._instances[pod] = []
            containers = cluster.pod_specs[cluster.pods.spec.item(pod)].template.containers
            own = [self._slot(vpa, one.name) for vpa in vpas for one in containers]
            slots += own
            labels += [(workload, cluster.pods.revision.item(pod))] * len(own)
            begun += [(pod, place) for _ in vpas for place in range(len(containers))]
        if not begun:
            return
        first = self._model.start(slots, labels, self._offset_us + cluster.clock.now_us)
        for instance, (pod, place) in enumerate(begun, start=first):
            self._instances[pod].append((place, instance))
            self._begun.append((pod, place, instance))
        self._columns = None

    def _on_gone(self, event: ClusterEvent) -> None:
        known = self._instances.pop(event.pod, None)
        if known is not None:
            instances = [instance for _, instance in known]
            self._model.stop(instances)
            self._gone += instances
            self._columns = None

    def _read(self, now_us: int) -> None:
        time_us, sums = self._offset_us + now_us, np.zeros((len(RESOURCES) + 1, len(self._model.slots)))
        for place, (pods, instances) in enumerate(self._by_place()):
            known = self._samples.have_sample(pods, now_us)
            if not known.all():
                pods, instances = pods[known], instances[known]
            taken_us = self._samples.times_us(pods) + self._offset_us
            cpu, memory = self._samples.cpu_milli(pods, place), self._samples.memory(pods, place)
            self._model.add_cpu(instances, cpu, taken_us, time_us)
            self._model.add_memory(instances, memory, taken_us, time_us)
            slots = self._model.slots_of(instances)
            for row, amounts in enumerate((cpu, memory, None)):
                sums[row] += np.bincount(slots, amounts, sums.shape[1])
        with np.errstate(invalid="ignore"):
            self._used = sums[:-1] / sums[-1]

    def _by_place(self) -> list[tuple[Ints, Ints]]:
        """Pods and instances of the containers at each place."""
        if self._columns is None:
            running = np.concatenate([self._running, np.array(self._begun, np.int64).reshape(-1, 3).T], axis=1)
            self._running = running[:, ~np.isin(running[2], self._gone)] if self._gone else running
            self._begun, self._gone = [], []
            pods, place, instances = self._running
            last = int(place.max(initial=-1))
            if last <= 0:
                self._columns = [(pods, instances)] * (last + 1)
            else:
                self._columns = [(pods[of], instances[of]) for of in (place == one for one in np.unique(place))]
        return self._columns

    # -- what is known --------------------------------------------------------------------------

    def _known(self, vpa: TrackedVpa) -> Recommendation | None:
        if self.latest is None:
            return None
        latest, found = self.latest, {}
        for name, slot in sorted(vpa.slots.items()):
            target, lower, upper = (_amounts(latest, row, slot) for row in range(3))
            if target:
                found[name] = Recommended(target, lower, upper)
        return found

    def _record(self, now_us: int) -> None:
        """A decision for each VPA whose targets changed."""
        assert self.latest is not None
        targets = np.array([self.latest.of(resource)[0] for resource in RESOURCES])
        before = np.full(targets.shape, NONE, np.int64)
        before[:, : self._recorded.shape[1]] = self._recorded
        changed = np.flatnonzero((targets != before).any(axis=0))
        self._recorded = targets
        for number in dict.fromkeys(self._model.slots[slot].vpa for slot in changed.tolist()):
            self._decide(self._decision(self._vpas[number], now_us))

    def _decision(self, vpa: TrackedVpa, now_us: int) -> Decision:
        assert self.latest is not None
        details = RequestsRecommended(vpa.name, tuple(self._details(vpa.slots.items())))
        subject = self._cluster.workload_names[vpa.workload]
        return Decision(now_us, Actor.VPA, Verdict.RECOMMENDED, subject, "", details)

    def _details(self, slots: Iterable[tuple[str, int]]) -> Iterable[ContainerRecommendation]:
        used = self._model.used
        assert used is not None
        for name, slot in slots:
            history_us = int(used.last_us[slot] - used.first_us[slot])
            for resource in RESOURCES:
                assert self.latest is not None
                target, lower, upper, uncapped, end = (int(one) for one in self.latest.of(resource)[:, slot])
                if target == NONE:
                    continue
                samples, confidence = int(used.samples[slot]), float(self.latest.confidence[resource][slot])
                bucket = _begin_of_bucket(resource, end), end
                amounts, known = (target, lower, upper, uncapped), (samples, history_us // 1_000_000)
                yield ContainerRecommendation(
                    name, resource, *amounts, *known, self._model.target_share(resource), *bucket, confidence
                )


def _begin_of_bucket(resource: str, end: int) -> int:
    """Milli-CPU and bytes."""
    return (
        round(CPU_BUCKETS.begin_of(end / 1000.0) * 1000.0) if resource == CPU else round(MEMORY_BUCKETS.begin_of(end))
    )


def _amounts(latest: Recommendations, row: int, slot: int) -> dict[str, int]:
    values = {resource: int(latest.of(resource)[row, slot]) for resource in RESOURCES}
    return {resource: value for resource, value in values.items() if value != NONE}


def columns_of(vpas: Sequence[TrackedVpa]) -> list[str]:
    """Columns of timeseries.csv with the targets, bounds and use of all containers: cores and bytes."""
    return [
        recommendation_column(row, resource, vpa.given.namespace, vpa.name, container)
        for vpa in vpas
        for container in vpa.slots
        for resource in RESOURCES
        for row in (*_ROWS, _USED)
    ]
