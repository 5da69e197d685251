"""The updater of a run: it looks at the pods of all autoscalers and evicts or resizes those whose requests are too
far off.

Only autoscalers with a pod that could be worth an update are looked at closely (`suspects`).
"""

from collections import deque
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from planner.plan.model.pods.pod_template import PodTemplate
from planner.record.decisions import Actor, Decision, Verdict
from planner.record.details.requests import PodUpdate, RequestChange
from planner.state.cluster import Cluster
from planner.state.nodes import NONE
from planner.state.pods import PodPhase, ResizeStage
from planner.state.scaling import ControllerKind
from planner.vpa.admission.capping import ContainerResources, Recommendation
from planner.vpa.controller.recommending import RecommenderController
from planner.vpa.controller.suspects import Suspects
from planner.vpa.controller.tracked import TrackedVpa, containers_of
from planner.vpa.updater.in_place import ResizeState
from planner.vpa.updater.live_pod import LivePod
from planner.vpa.updater.priority import PodFacts, priority_of
from planner.vpa.updater.updater import (
    ResizeAnswer,
    UpdateMode,
    UpdaterLoop,
    UpdaterMemory,
    UpdaterRules,
    VpaSpec,
)

Ints = NDArray[np.int64]
_NEVER = (UpdateMode.OFF, UpdateMode.INITIAL)
_PENDING = int(PodPhase.PENDING)  # looking up a member of an enum costs a call in Python 3.11
_GONE = int(PodPhase.GONE)
_STATES: Mapping[int, ResizeState] = MappingProxyType(
    {
        ResizeStage.NONE: ResizeState.NONE,
        ResizeStage.IN_PROGRESS: ResizeState.IN_PROGRESS,
        ResizeStage.DEFERRED: ResizeState.DEFERRED,
        ResizeStage.INFEASIBLE: ResizeState.INFEASIBLE,
    }
)


@dataclass(frozen=True)
class UpdaterReach:
    """What the updater can do to pods."""

    evict: Callable[[int], bool]
    """Evict a pod row through the eviction API; whether it was."""
    resized: Callable[[int, Sequence[ContainerResources]], int]
    """The template with other requests and limits of some containers."""
    resize: Callable[[int, int], bool]
    """Desire another template for a running pod row; whether the API server takes that."""
    restarts: Callable[[PodTemplate], bool]
    """Whether some container restarts when it is resized."""


class UpdaterController:
    """The updater; its memory starts empty."""

    def __init__(
        self,
        cluster: Cluster,
        vpas: Sequence[TrackedVpa],
        rules: UpdaterRules,
        recommender: RecommenderController,
        memory: Callable[[], UpdaterMemory],
        reach: UpdaterReach,
        decide: Callable[[Decision], None],
    ) -> None:
        """`memory` makes that of a fresh process."""
        self._cluster, self._rules, self._recommender = cluster, rules, recommender
        self._fresh, self._reach, self._decide = memory, reach, decide
        self._vpas: list[TrackedVpa] = []
        for vpa in vpas:
            if vpa.mode not in _NEVER and all(vpa.workload != one.workload for one in self._vpas):
                self._vpas.append(vpa)
        self._memory = memory()
        self._containers: dict[int, tuple[ContainerResources, ...]] = {}
        self._restarting: dict[int, bool] = {}
        """Both by template."""
        self._ooms: dict[int, dict[str, int]] = {}
        """Of pods that were killed for want of memory: containers, and how long after their start."""
        self._loop: UpdaterLoop | None = None
        self._ahead: deque[tuple[TrackedVpa, VpaSpec, list[LivePod]]] = deque()
        """What the loop has not come to yet; pods are as they were when it began."""
        self._updating: tuple[TrackedVpa, VpaSpec] | None = None
        self._told: tuple[Recommendation, frozenset[str] | None, bool, PodUpdate] | None = None
        """What the last pod that was updated was to get, which of its containers counted, how it was updated, and what
        was recorded of it."""
        self._suspects = Suspects(cluster, self._vpas, rules.priority)

    def restart(self) -> None:
        """Lose everything that is kept in memory, and the loop that waits."""
        self._memory, self._loop = self._fresh(), None
        self._ahead.clear()

    def on_oom(self, pod: int, place: int, lived_us: int) -> None:
        """A container was killed for want of memory so long after its start."""
        containers = self.containers_of(int(self._cluster.pods.spec[pod]))
        if place < len(containers):
            self._ooms.setdefault(pod, {})[containers[place].name] = lived_us

    def update(self, now_us: int) -> None:
        """One loop over all autoscalers, or its begin: `due_us` says when to go on with it."""
        self.go_on(now_us)
        if self._recommender.latest is None or not self._vpas:
            return
        self._loop = UpdaterLoop(self._rules, self._memory, self, now_us)
        suspects = self._suspects.find(self._recommender.latest, now_us, self)
        killed = {int(self._cluster.pods.workload[pod]) for pod in self._ooms}
        self._ahead.clear()
        for at, vpa in enumerate(self._vpas):
            if suspects[at] or vpa.workload in killed:
                pods = self.pods_of((vpa,))
                if len(pods):
                    recommendation = self._recommender.of(vpa)
                    spec = VpaSpec(
                        vpa.mode, vpa.policies, vpa.min_replicas, vpa.requirements, recommendation, vpa.limits
                    )
                    self._ahead.append((vpa, spec, self._live(pods)))
        self._update_in_turn(self._loop)

    @property
    def due_us(self) -> int | None:
        """When the loop resizes or evicts the next pod, which waits for a rate limit; None: nothing waits."""
        return None if self._loop is None else self._loop.due_us

    def go_on(self, now_us: int) -> None:
        """Go on with a loop in which a pod is due now."""
        if self._loop is not None and self._loop.due_us == now_us:
            self._loop.go_on()
            self._update_in_turn(self._loop)

    def _update_in_turn(self, loop: UpdaterLoop) -> None:
        while self._ahead and loop.due_us is None and not loop.is_over:
            vpa, spec, pods = self._ahead.popleft()
            self._updating = vpa, spec
            loop.update(spec, pods, self._configured)

    def evict(self, pod: LivePod) -> bool:
        """Evict a pod if the budgets allow it; one that is being deleted already counts as evicted, as upstream."""
        assert isinstance(pod.id, int)
        pods = self._cluster.pods
        if pods.phase.item(pod.id) == _GONE or pods.deletion_us.item(pod.id) != NONE:
            return bool(pods.phase.item(pod.id) != _GONE)
        if not self._reach.evict(pod.id):
            return False
        self._record(pod, Verdict.EVICTED)
        return True

    def resize(self, pod: LivePod, settings: Sequence[ContainerResources]) -> ResizeAnswer:
        """Resize a pod in place; to desire again what is desired changes nothing."""
        assert isinstance(pod.id, int)
        pods = self._cluster.pods
        if pods.phase.item(pod.id) == _GONE:  # while the pod waited for its turn
            return ResizeAnswer.REFUSED
        if pods.deletion_us.item(pod.id) != NONE:
            return ResizeAnswer.DONE
        template = self._reach.resized(pods.spec.item(pod.id), settings)
        if pods.desired.item(pod.id) == template:
            return ResizeAnswer.DONE
        if not self._reach.resize(pod.id, template):
            return ResizeAnswer.REFUSED
        self._record(pod, Verdict.RESIZED)
        return ResizeAnswer.DONE

    def _record(self, pod: LivePod, verdict: Verdict) -> None:
        assert isinstance(pod.id, int) and self._updating is not None and self._loop is not None
        vpa, spec = self._updating
        fitted, in_place = self._loop.fitted(spec, pod), verdict is Verdict.RESIZED
        # pods of one template, for which the same is recommended, are updated alike
        alike = self._told is not None and self._told[0] is fitted and self._told[1:3] == (pod.facts.observed, in_place)
        if not alike:
            self._told = fitted, pod.facts.observed, in_place, _update_of(vpa.name, pod.facts, fitted, in_place)
        assert self._told is not None
        name = self._cluster.pod_name(pod.id)
        self._decide(Decision(self._cluster.clock.now_us, Actor.VPA, verdict, name, "", self._told[3]))

    # -- gathering ------------------------------------------------------------------------------

    def pods_of(self, vpas: Iterable[TrackedVpa]) -> Ints:
        """Pods with a node and without deletion time; those of each autoscaler in order of creation."""
        pods, of = self._cluster.pods, self._cluster.workload_pods
        rows = np.fromiter(chain.from_iterable(of[vpa.workload] for vpa in vpas), np.int64)
        return np.asarray(rows[(pods.node[rows] != NONE) & (pods.deletion_us[rows] == NONE)], np.int64)

    def _live(self, rows: Ints) -> list[LivePod]:
        """What counts of these pods."""
        pods = self._cluster.pods
        columns = pods.spec, pods.bound_us, pods.workload, pods.revision, pods.phase, pods.resize
        return [
            LivePod(
                pod,
                (workload, revision),
                PodFacts(
                    self.containers_of(template),
                    started_us=bound_us,
                    oom_after_us=tuple(self._ooms[pod].items()) if pod in self._ooms else (),
                ),
                phase == _PENDING,
                _STATES[stage],
                self._restarts(template),
                self._lasting_name(pod, workload),
            )
            for pod, template, bound_us, workload, revision, phase, stage in zip(
                rows.tolist(), *(column[rows].tolist() for column in columns), strict=True
            )
        ]

    def _lasting_name(self, pod: int, workload: int) -> str | None:
        """Namespace and name of a pod whose follower is called the same; others never share a name."""
        spec = self._cluster.pod_specs[workload]
        if spec.scaling.controller is not ControllerKind.STATEFUL_SET:
            return None
        return f"{spec.namespace}/{self._cluster.pod_name(pod)}"

    def _restarts(self, template: int) -> bool:
        """Whether some container of a pod restarts when it is resized."""
        if template not in self._restarting:
            self._restarting[template] = self._reach.restarts(self._cluster.pod_specs[template].template)
        return self._restarting[template]

    def containers_of(self, template: int) -> tuple[ContainerResources, ...]:
        if template not in self._containers:
            self._containers[template] = containers_of(self._cluster.pod_specs[template].template)
        return self._containers[template]

    def _configured(self, group: Hashable, live: int) -> int | None:
        """Replicas of a controller; those of a Job are its live pods, those of a DaemonSet the ready ones."""
        assert isinstance(group, tuple)
        workload, revision = group
        table, spec = self._cluster.workloads, self._cluster.pod_specs[workload]
        if spec.scaling.controller in (ControllerKind.JOB, ControllerKind.OTHER):
            return live
        if spec.scaling.controller is ControllerKind.NONE:
            return None
        if spec.is_daemon:
            return int(table.ready[workload])
        return int(table.desired[workload]) if revision == table.revision[workload] else live


def _update_of(vpa: str, pod: PodFacts, fitted: Recommendation, in_place: bool) -> PodUpdate:
    """What is recorded of the update of a pod."""
    changes = tuple(
        RequestChange(one.name, resource, one.requests.get(resource), target)
        for one in pod.containers
        if one.name in fitted
        for resource, target in fitted[one.name].target.items()
        if one.requests.get(resource) != target
    )
    priority = priority_of(pod, fitted)
    return PodUpdate(vpa, changes, priority.outside, priority.difference, in_place)
