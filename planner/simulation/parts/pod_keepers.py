"""Assembles all controllers of a run that manage pods."""

from collections.abc import Callable
from dataclasses import dataclass

from planner.engine.draws import Draws
from planner.engine.queue import EventQueue
from planner.nodes.binding.hand_binding import HandBinding
from planner.nodes.binding.start_placement import StartPlacement
from planner.nodes.binding.static_pods import StaticPods
from planner.plan.derived.reserves import room_size
from planner.plan.model.plan import Plan
from planner.plan.model.pods.pod_template import PodTemplate
from planner.plan.model.workloads import RoomFor, Workload, WorkloadKind
from planner.record.decisions import Decision
from planner.simulation.compile.world import World, changed_spec
from planner.simulation.parts.quotas import claim_of
from planner.state.changes import ClusterEvent, ClusterEventKind
from planner.workloads.controllers.bare_pods import BarePods
from planner.workloads.controllers.jobs.cron_jobs import CronJobController
from planner.workloads.controllers.jobs.job_controller import JobController
from planner.workloads.controllers.pod_lifecycle import PodLifecycle
from planner.workloads.controllers.replica_sets import DaemonSetController, ReplicaSetController
from planner.workloads.controllers.rollouts import Rollouts
from planner.workloads.controllers.stateful_sets import StatefulSetController
from planner.workloads.quota.gate import CreationRetry


def workloads_of_kind(plan: Plan, world: World, kind: WorkloadKind) -> dict[int, Workload]:
    """Workloads of one kind by row."""
    return {world.workload_rows[item.name]: item for item in plan.workloads if item.kind is kind}


@dataclass(frozen=True)
class PodKeepers:
    """What makes and keeps the pods of every kind of workload, and what binds pods past the scheduler."""

    rollouts: Rollouts
    replica_sets: ReplicaSetController
    stateful_sets: StatefulSetController
    daemon_sets: DaemonSetController
    jobs: JobController
    cron_jobs: CronJobController
    bare_pods: BarePods
    static_pods: StaticPods
    hand_binding: HandBinding
    start_placement: StartPlacement
    lifecycle: PodLifecycle
    stateful_rows: frozenset[int]
    job_rows: frozenset[int]
    daemon_rows: frozenset[int]
    world: World

    @classmethod
    def of(
        cls,
        plan: Plan,
        world: World,
        events: EventQueue,
        lifecycle: PodLifecycle,
        draws: Draws,
        decide: Callable[[Decision], None],
        check_stop: Callable[[], None],
        count_ready_siblings: bool,
    ) -> "PodKeepers":
        """Those of a run; `check_stop` raises RunStopped if it was cancelled.

        `count_ready_siblings`: see `replicas.victims`.
        """
        cluster, specs = world.cluster, world.pod_spec_of
        sets = workloads_of_kind(plan, world, WorkloadKind.STATEFUL_SET)
        jobs = workloads_of_kind(plan, world, WorkloadKind.JOB)
        strategies = {world.workload_rows[item.name]: item.update_strategy for item in plan.workloads}
        rollouts = Rollouts(cluster, events, lifecycle, strategies, specs, decide)
        bare = workloads_of_kind(plan, world, WorkloadKind.POD)
        others = {**sets, **jobs, **bare, **dict.fromkeys(world.static_rows)}
        kept = {row: spec for row, spec in specs.items() if row not in others}
        job_controller = JobController(cluster, events, lifecycle, jobs, specs, draws, decide)
        calendars = {row: item for row, item in jobs.items() if item.job.cron is not None}
        return cls(
            rollouts,
            ReplicaSetController(cluster, lifecycle, kept, rollouts, count_ready_siblings, check_stop),
            StatefulSetController(cluster, events, lifecycle, sets, specs),
            DaemonSetController(cluster, events, lifecycle, [specs[row] for row in world.daemon_rows]),
            job_controller,
            CronJobController(cluster, events, job_controller, calendars, plan.simulation.starts_at, decide),
            BarePods(cluster, lifecycle, {row: specs[row] for row in bare}, decide, check_stop),
            StaticPods(cluster, [specs[row] for row in world.static_rows], decide),
            HandBinding(cluster, events, lifecycle.delete, decide),
            StartPlacement(
                cluster, {world.workload_rows[item.name]: item.starts_on for item in plan.workloads if item.starts_on}
            ),
            lifecycle,
            frozenset(sets),
            frozenset(jobs),
            frozenset(world.daemon_rows),
            world,
        )

    @property
    def has_work(self) -> bool:
        """Whether anything has changed since the latest pass of those that act when things settle."""
        return bool(
            self.replica_sets.dirty
            or self.stateful_sets.dirty
            or self.daemon_sets.dirty_nodes
            or self.bare_pods.written
            or self.bare_pods.lost
            or self.static_pods.new
            or self.static_pods.gone
            or self.hand_binding.new
            or self.start_placement.new
        )

    def reconcile(self) -> bool:
        """One pass of those that act when things settle; whether anything was done."""
        static = self.static_pods.reconcile()
        made = self.daemon_sets.reconcile() | self.stateful_sets.reconcile() | self.replica_sets.reconcile()
        made |= self.bare_pods.reconcile() | static
        return self.hand_binding.reconcile() | self.start_placement.reconcile() | made

    def on_creation_retry(self, event: CreationRetry) -> None:
        """A quota may admit now what it refused."""
        if self.lifecycle.quotas is not None:
            self.lifecycle.quotas.begin_retry(event)
        row = event.workload
        if row in self.stateful_rows:
            self.stateful_sets.look_again(row)
        elif row in self.job_rows:
            self.jobs.look_again(row)
        elif row in self.daemon_rows:
            self.daemon_sets.look_again()
        else:
            self.replica_sets.look_again(row)

    def roll_out(self, workload: int, pod: PodTemplate | None) -> None:
        """Begin a rollout of a workload row; `pod`: its new template, if that changes."""
        if pod is not None:
            first, revision = self.world.pod_spec_of[workload], int(self.world.cluster.workloads.revision[workload])
            self.world.cluster.change_template(first.index, revision + 1, changed_spec(self.world, workload, pod))
            if self.lifecycle.quotas is not None:
                self.lifecycle.quotas.change_claim(workload, revision + 1, claim_of(pod, self.world.plan))
        (self.stateful_sets.roll_out if workload in self.stateful_rows else self.rollouts.start)(workload)


def follow_replicas(plan: Plan, world: World) -> None:
    """Capacity buffers that are a percentage of a workload are resized whenever its replicas are written."""
    cluster = world.cluster
    followers: dict[int, list[tuple[int, RoomFor]]] = {}
    for reserve in plan.overprovisioning:
        room = reserve.room_for
        if room is not None and room.percentage is not None:
            buffer = (world.workload_rows[reserve.name], room)
            followers.setdefault(world.workload_rows[room.workload], []).append(buffer)

    def resize(event: ClusterEvent) -> None:
        for row, room in followers.get(event.workload, ()):
            size = room_size(room, int(cluster.workloads.desired[event.workload]))
            if size != cluster.workloads.desired[row]:
                cluster.set_replicas(row, size)

    if followers:
        cluster.subscribe(resize, (ClusterEventKind.REPLICAS_SET,))
