"""What the containers of a run use, and what the recommender of the Vertical Pod Autoscaler makes of it.

Every workload is followed by an autoscaler that only recommends, so that nothing changes the requests meanwhile.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np

from planner.engine.collection import not_collected, seldom_collected
from planner.errors import RunStopped
from planner.hpa.metrics.container_samples import ContainerSamples
from planner.plan.model.autoscalers.vertical_pod_autoscaler import VerticalPodAutoscaler, VpaUpdateMode
from planner.plan.model.plan import Plan
from planner.plan.model.workloads import Workload
from planner.simulation.ending import take_apart
from planner.simulation.run import RunView, play
from planner.simulation.simulation import Simulation
from planner.simulation.use.distribution import UseDistribution, UseTallies
from planner.state.pods import PodPhase
from planner.vpa.recommender.recommender import NONE


@dataclass(frozen=True)
class ContainerUse:
    """A main container of a workload: its use over all pods and times, and the recommendation at the end."""

    workload: str
    container: str
    cpu: UseDistribution | None
    """Milli-CPU; None without a sample, and where the plan does not say what pods use."""
    memory: UseDistribution | None
    """Bytes."""
    target: dict[str, int] = field(default_factory=dict)
    """What the recommender says: milli-CPU under "cpu", bytes under "memory"."""


def observed_use(
    plan: Plan, seed: int, until_us: int | None, cancelled: Callable[[], bool]
) -> tuple[ContainerUse, ...] | None:
    """Run the plan and return the use of all main containers; None if `cancelled()` turned true.

    Raises RunStopped where the run cannot go on.
    """
    plan = _followed(plan)
    with seldom_collected():
        try:
            with not_collected():
                sim = Simulation(plan, seed, cancelled=cancelled)
        except RunStopped as stopped:
            if stopped.cancelled:
                return None
            raise
        watch = _UseWatch(sim)
        reason = play(sim, plan.simulation.duration if until_us is None else until_us, cancelled, None, watch)
    try:
        if reason is None:
            return tuple(watch.uses())
    finally:
        take_apart(sim)
    if reason.cancelled:
        return None
    raise reason


def _followed(plan: Plan) -> Plan:
    """The plan in which every workload has an autoscaler that only recommends."""
    off: dict[str, object] = {"update_mode": VpaUpdateMode.OFF}
    vpas = [vpa.model_copy(update=off) for vpa in plan.vertical_pod_autoscalers]
    known = frozenset((vpa.namespace, vpa.target) for vpa in vpas)
    for one in plan.workloads:
        if (one.namespace, one.name) not in known:
            vpas.append(
                VerticalPodAutoscaler(
                    name=one.name, namespace=one.namespace, target=one.name, update_mode=VpaUpdateMode.OFF
                )
            )
    return plan.model_copy(update={"vertical_pod_autoscalers": tuple(vpas)})


class _UseWatch:
    """Reads the samples of all running pods before the first phase of every interval of the recommender."""

    def __init__(self, sim: Simulation) -> None:
        self._sim, self._cluster = sim, sim.cluster
        self._samples = ContainerSamples(sim.cluster, sim.samples)
        self._interval_us = sim.plan.vpa_recommender.interval
        self._next_us, self._read_us = 0, -1
        rows, workloads = sim.world.workload_rows, sim.plan.workloads
        self._workloads = [(rows[one.name], one) for one in workloads if one.name in rows]
        self._with_cpu = workloads_with_cpu(sim.plan)
        first, self._first = 0, np.zeros(sim.cluster.workloads.count, np.int64)
        self._containers = np.zeros(sim.cluster.workloads.count, np.int64)
        for row, one in self._workloads:
            self._first[row], self._containers[row] = first, len(one.pod.containers)
            first += len(one.pod.containers)
        self._cpu, self._memory = UseTallies(first), UseTallies(first)

    def begin(self, view: RunView) -> None:
        """Nothing runs yet."""

    def before(self, at_us: int, phase: int) -> None:
        """Read samples that were taken since the last time."""
        if at_us >= self._next_us:
            self._next_us = at_us - at_us % self._interval_us + self._interval_us
            self._read(at_us)

    def _read(self, now_us: int) -> None:
        pods = self._cluster.pods
        rows = np.flatnonzero(pods.phase == PodPhase.RUNNING)
        rows = rows[self._samples.have_sample(rows, now_us)]
        rows = rows[self._samples.times_us(rows) > self._read_us]
        self._read_us = now_us
        for place in range(int(self._containers.max(initial=0))):
            rows = rows[self._containers[pods.workload[rows]] > place]
            slots = self._first[pods.workload[rows]] + place
            self._cpu.add(slots, self._samples.cpu_milli(rows, place))
            self._memory.add(slots, self._samples.memory(rows, place))

    def uses(self) -> Iterator[ContainerUse]:
        """What was read, and the latest recommendation."""
        targets = {vpa.workload: vpa for vpa in self._sim.vertical.vpas}
        latest = self._sim.vertical.recommender.latest
        for row, one in self._workloads:
            for place, container in enumerate(one.pod.containers):
                slot, target = int(self._first[row]) + place, {}
                if latest is not None and row in targets:
                    at = targets[row].slots[container.name]
                    found = {"cpu": int(latest.cpu[0, at]), "memory": int(latest.memory[0, at])}
                    target = {resource: amount for resource, amount in found.items() if amount != NONE}
                cpu = self._cpu.of(slot) if one.name in self._with_cpu else None
                memory = self._memory.of(slot) if knows_memory(one) else None
                yield ContainerUse(one.name, container.name, cpu, memory, target)


def workloads_with_cpu(plan: Plan) -> frozenset[str]:
    """Names of those whose pods use some CPU by the plan: an import alone does not say so of any."""
    serving = frozenset(plan.workloads[row].name for row in plan.serving_rows())
    return serving | {one.name for one in plan.workloads if _uses_cpu(one)}


def _uses_cpu(workload: Workload) -> bool:
    """Besides the work of requests."""
    has_constant = workload.cpu_use > 0 or any(one.cpu_use > 0 for one in workload.pod.containers)
    has_course = workload.use is not None and workload.use.cpu is not None
    return has_constant or has_course or (workload.job is not None and workload.job.work > 0)


def knows_memory(workload: Workload) -> bool:
    """Whether the plan says what memory the pods use; otherwise it is taken to follow their requests."""
    has_course = workload.use is not None and workload.use.memory is not None
    return has_course or (workload.memory_use is not None and workload.memory_use.start is not None)
