"""Rollouts of Deployments in a run: one ReplicaSet per revision, resized pass by pass."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from planner.engine.phases import Phase
from planner.engine.queue import EventQueue
from planner.plan.model.workloads import UpdateStrategy, UpdateStrategyType
from planner.record.decisions import Actor, Decision, Verdict
from planner.record.details.work import RolloutEnded
from planner.state.cluster import Cluster
from planner.state.pods import EndReason
from planner.state.specs import PodSpec
from planner.units import US_PER_S
from planner.workloads.controllers.pod_lifecycle import PodLifecycle
from planner.workloads.controllers.replicas import active_pods, victims_among
from planner.workloads.controllers.rolling_update import RolloutRoom, SetSize, roll_step, rollout_room, scaled_sizes


@dataclass(frozen=True, slots=True)
class AvailabilityDue:
    """A new pod of a rollout has been Ready for long enough."""

    workload: int


@dataclass
class _Set:
    """A ReplicaSet: wanted pods, when it was made, and pods wanted plus surge when it was last scaled."""

    replicas: int
    created_us: int
    max_replicas: int


@dataclass
class _OpenRollout:
    """One rollout in progress."""

    started_us: int
    replicas: int
    """Wanted pods of the Deployment as last seen."""
    sets: dict[int, _Set] = field(default_factory=dict)
    """By revision, the oldest first."""
    due_us: int = -1


class Rollouts:
    """Carries out rollouts; a Deployment that has none under way is kept by the ReplicaSet controller alone."""

    def __init__(
        self,
        cluster: Cluster,
        events: EventQueue,
        lifecycle: PodLifecycle,
        strategies: Mapping[int, UpdateStrategy],
        specs: Mapping[int, PodSpec],
        decide: Callable[[Decision], None],
    ) -> None:
        self._cluster = cluster
        self._events = events
        self._lifecycle = lifecycle
        self._strategies = strategies
        self._specs = specs
        self._decide = decide
        self._rollouts: dict[int, _OpenRollout] = {}
        self.dirty: dict[int, None] = {}
        """Workloads to look at in the next pass."""

    def is_rolling(self, workload: int) -> bool:
        """Whether a rollout of the workload is under way."""
        return workload in self._rollouts

    def start(self, workload: int) -> None:
        """A new revision; one that is being rolled out already becomes an old one."""
        cluster, now_us = self._cluster, self._events.now_us
        desired, revision = int(cluster.workloads.desired[workload]), int(cluster.workloads.revision[workload])
        rollout = self._rollouts.get(workload)
        if rollout is None:
            rollout = self._rollouts[workload] = _OpenRollout(now_us, desired)
            rollout.sets[revision] = _Set(len(active_pods(cluster, workload)), 0, self._room(workload).max_pods)
        rollout.sets[revision + 1] = _Set(0, now_us, 0)
        cluster.set_revision(workload, revision + 1)
        self.dirty[workload] = None

    def on_available(self, event: AvailabilityDue) -> None:
        """Look at the rollout again."""
        if event.workload in self._rollouts:
            self.dirty[event.workload] = None

    def reconcile(self, workload: int) -> bool:
        """Passes until nothing changes; whether anything was done."""
        rollout, acted = self._rollouts[workload], False
        for _ in range(2 * len(self._cluster.workload_pods[workload]) + 1_000):
            if not self._pass(workload, rollout):
                break
            acted = True
        if self._is_done(workload, rollout):
            self._finish(workload, rollout)
        return acted

    # -- one pass -----------------------------------------------------------------------------

    def _pass(self, workload: int, rollout: _OpenRollout) -> bool:
        pods = self._pods_by_set(workload, rollout)
        if self._fill(workload, rollout, pods):
            return True
        room, desired = self._room(workload), int(self._cluster.workloads.desired[workload])
        sizes = {revision: part.replicas for revision, part in rollout.sets.items()}
        counts = {revision: self._size(workload, rollout, revision, pods[revision]) for revision in sizes}
        was, rollout.replicas = rollout.replicas, desired
        if self._strategies[workload].type is UpdateStrategyType.RECREATE:
            after = self._recreated(workload, rollout, desired)
        elif desired != was:
            after = self._scaled(room, counts, sizes)
        else:
            *old, new = list(sizes)
            step = roll_step(room, counts[new], [counts[revision] for revision in old])
            after = {**dict(zip(old, step.old, strict=True)), new: step.new}
        for revision, replicas in after.items():
            rollout.sets[revision].replicas = replicas
            rollout.sets[revision].max_replicas = room.max_pods
        return after != sizes

    def _scaled(self, room: RolloutRoom, counts: dict[int, SetSize], sizes: dict[int, int]) -> dict[int, int]:
        active = [revision for revision, size in sizes.items() if size > 0] or [max(sizes)]
        found = scaled_sizes(room, [counts[revision] for revision in active])
        return {**sizes, **dict(zip(active, found, strict=True))}

    def _recreated(self, workload: int, rollout: _OpenRollout, desired: int) -> dict[int, int]:
        newest = max(rollout.sets)
        pods = self._cluster.workload_pods[workload]
        old_left = any(self._cluster.pods.revision[pod] != newest for pod in pods)
        return {revision: 0 if revision != newest or old_left else desired for revision in rollout.sets}

    def _fill(self, workload: int, rollout: _OpenRollout, pods: dict[int, list[int]]) -> bool:
        """Create and delete pods until each set has its size; whether anything was missing or too much."""
        acted = False
        for revision, part in rollout.sets.items():
            have = pods[revision]
            if len(have) < part.replicas:
                missing = self._lifecycle.admitted(workload, part.replicas - len(have), revision)
                if missing:
                    self._cluster.create_pods(self._specs[workload].index, missing, revision=revision)
                acted |= missing > 0
            elif len(have) > part.replicas:
                acted = True
                others = [pod for other, rows in pods.items() if other != revision for pod in rows]
                reason = EndReason.SCALE_DOWN if revision == max(rollout.sets) else EndReason.REPLACED
                for pod in victims_among(self._cluster, have, len(have) - part.replicas, others):
                    self._lifecycle.delete(pod, reason)
        return acted

    def _size(self, workload: int, rollout: _OpenRollout, revision: int, pods: list[int]) -> SetSize:
        part, min_ready_us = rollout.sets[revision], self._strategies[workload].min_ready
        table, now_us = self._cluster.pods, self._events.now_us
        ready = [int(table.ready_change_us[pod]) for pod in pods if table.ready[pod]]
        waiting = [since_us + min_ready_us for since_us in ready if since_us + min_ready_us > now_us]
        if waiting and rollout.due_us != min(waiting):
            rollout.due_us = min(waiting)
            self._events.push(rollout.due_us, Phase.POD_READY, AvailabilityDue(workload))
        return SetSize(part.replicas, len(ready) - len(waiting), part.created_us, part.max_replicas)

    def _pods_by_set(self, workload: int, rollout: _OpenRollout) -> dict[int, list[int]]:
        found: dict[int, list[int]] = {revision: [] for revision in rollout.sets}
        for pod in active_pods(self._cluster, workload):
            found[int(self._cluster.pods.revision[pod])].append(pod)
        return found

    def _room(self, workload: int) -> RolloutRoom:
        strategy = self._strategies[workload]
        desired = int(self._cluster.workloads.desired[workload])
        return rollout_room(desired, strategy.max_surge, strategy.max_unavailable)

    # -- the end ------------------------------------------------------------------------------

    def _is_done(self, workload: int, rollout: _OpenRollout) -> bool:
        newest = max(rollout.sets)
        if any(part.replicas for revision, part in rollout.sets.items() if revision != newest):
            return False
        desired = int(self._cluster.workloads.desired[workload])
        pods = self._pods_by_set(workload, rollout)[newest]
        return self._size(workload, rollout, newest, pods).available >= desired == rollout.sets[newest].replicas

    def _finish(self, workload: int, rollout: _OpenRollout) -> None:
        del self._rollouts[workload]
        now_us = self._events.now_us
        details = RolloutEnded(rollout.replicas, took_s=(now_us - rollout.started_us) / US_PER_S)
        name = self._cluster.workload_names[workload]
        self._decide(Decision(now_us, Actor.CONTROLLER, Verdict.ENDED, name, details=details))
