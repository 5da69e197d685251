"""The Job controller of a run: pods that work for a while and end."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from planner.engine.draws import Draws
from planner.engine.phases import Phase
from planner.engine.queue import EventQueue
from planner.plan.model.workloads import Workload
from planner.record.decisions import Actor, Decision, Verdict
from planner.record.details.work import JobEnded
from planner.record.history import JobHistory
from planner.state.changes import ClusterEvent, ClusterEventKind
from planner.state.cluster import Cluster
from planner.state.nodes import NONE
from planner.state.pods import EndReason, PodPhase
from planner.state.specs import PodSpec
from planner.units import US_PER_S
from planner.workloads.controllers.jobs.job_log import JobLog
from planner.workloads.controllers.jobs.job_rule import (
    BATCH_US,
    JobEnd,
    JobPass,
    job_pass,
)
from planner.workloads.controllers.jobs.job_work import JobWork
from planner.workloads.controllers.jobs.tracked_job import TrackedJob
from planner.workloads.controllers.pod_lifecycle import PodLifecycle
from planner.workloads.cpu.usage import Received


@dataclass(frozen=True, slots=True)
class JobLook:
    """A pass of the controller over one Job, by its number."""

    job: int


@dataclass(frozen=True, slots=True)
class JobPodEnds:
    """A pod of a Job has done its work, unless another end was planned since."""

    pod: int
    due_us: int


class JobController:
    """Creates pods until enough of them succeeded, waits after failures, and gives up after too many."""

    def __init__(
        self,
        cluster: Cluster,
        events: EventQueue,
        lifecycle: PodLifecycle,
        jobs: Mapping[int, Workload],
        specs: Mapping[int, PodSpec],
        draws: Draws,
        decide: Callable[[Decision], None],
    ) -> None:
        """`jobs`: the Jobs by workload row."""
        self._cluster = cluster
        self._events = events
        self._lifecycle = lifecycle
        self._items = dict(jobs)
        self._jobs = {row: TrackedJob(item, row) for row, item in jobs.items()}
        """By number: that of the only Job of a workload is its row; those of calendars have larger ones."""
        self._next = max(jobs, default=0) + 1
        self._by_calendar: dict[int, Callable[[int], None]] = {}
        """Workloads whose Jobs a calendar makes, and whom to call when one has ended."""
        self._job_of: dict[int, int] = {}
        """Jobs of their pods."""
        self._specs = specs
        self._failure_draws = draws.of("jobs/failure")
        self._decide = decide
        self._work = JobWork()
        self.log = JobLog()
        self._due_us: dict[int, int] = {}
        """When each running pod ends, as far as that is known."""
        self.has_work = any(item.job.work > 0 for item in jobs.values())
        """Whether some pods end by what they have received."""
        if jobs:
            kinds = (ClusterEventKind.POD_RUNNING, ClusterEventKind.POD_DELETING, ClusterEventKind.POD_GONE)
            cluster.subscribe(self._on_change, kinds)
            cluster.subscribe(self._on_power, (ClusterEventKind.NODE_POWER,))

    def expect_jobs(self, workload: int) -> None:
        """From the start on, jobs of this workload are made by others."""
        self._jobs[workload].made = 0

    def add_jobs(self, workload: int, count: int) -> None:
        """Make more jobs, each of them one pod."""
        job = self._jobs[workload]
        job.made = (job.made or 0) + count
        self._cluster.set_replicas(workload, job.made - job.memory.succeeded)
        self._look_at(workload, job, self._events.now_us)

    def unfinished_jobs(self, workload: int) -> tuple[int, int]:
        """Jobs that were made and have not ended, and those of them without a running pod."""
        job, table = self._jobs[workload], self._cluster.workloads
        ended = sum(self._cluster.pods.end_reason[pod] == EndReason.COMPLETED for pod in job.ended)
        left = (job.made or 0) - job.memory.succeeded - ended
        return left, max(0, left - int(table.running[workload]))

    # -- Jobs that a calendar makes -----------------------------------------------------------

    def by_calendar(self, workload: int, on_end: Callable[[int], None]) -> None:
        """From the start on, Jobs of this workload are made by a calendar; `on_end` is called when one has ended."""
        del self._jobs[workload]
        self._by_calendar[workload] = on_end

    def clean_up(self, workload: int, completed: int, failed: int) -> None:
        """Jobs of a workload that ended go, but for so many of each end."""
        self.log.clean_up(workload, completed, failed, self._events.now_us)

    def make_job(self, workload: int, name: str) -> None:
        """One more Job of a workload."""
        number, job = self._next, TrackedJob(self._items[workload], workload, own={})
        job.logged = self._logged(job, name)
        self._jobs[number], self._next = job, number + 1
        self._look_at(number, job, self._events.now_us, begins=True)

    def active_jobs(self, workload: int) -> int:
        """Jobs of a workload that have not ended."""
        return sum(job.row == workload and not job.done for job in self._jobs.values())

    def delete_jobs(self, workload: int) -> None:
        """All Jobs of a workload go, and their pods with them."""
        for number in [number for number, job in self._jobs.items() if job.row == workload]:
            job = self._jobs.pop(number)
            job.done = True
            if job.logged is not None:
                job.logged.deleted_us = self._events.now_us
            for pod in list(job.own or ()):
                self._lifecycle.delete(pod, EndReason.DELETED)
        self._follow_size(workload)

    def _follow_size(self, workload: int) -> None:
        sizes = [job.item.replicas for job in self._jobs.values() if job.row == workload and not job.done]
        self._cluster.set_replicas(workload, sum(sizes))

    # -- passes -------------------------------------------------------------------------------

    def start(self) -> None:
        """The first look at every Job comes when it is created."""
        for number, job in self._jobs.items():
            self._events.push(job.item.job.start, Phase.PLAN_ACTIONS, JobLook(number))

    def _on_change(self, event: ClusterEvent) -> None:
        if event.workload not in self._items:
            return
        if event.kind == ClusterEventKind.POD_RUNNING:
            self.begin(event.pod)
            return
        gone = event.kind == ClusterEventKind.POD_GONE
        number = self._job_of.get(event.pod, event.workload)
        if gone:
            self._job_of.pop(event.pod, None)
        job = self._jobs.get(number)
        if job is None:
            return
        if gone and job.own is not None:
            job.own.pop(event.pod, None)
        if gone and job.made is not None:
            self._log_pod(event.pod)
        if gone and job.counted.pop(event.pod, 0) == 0:
            job.ended.append(event.pod)
        self._look_at(number, job, self._events.now_us + BATCH_US)

    def _on_power(self, event: ClusterEvent) -> None:
        """A machine that runs again has lost the work of its pods."""
        if not self._cluster.nodes.silent[event.node]:
            for pod in list(self._cluster.node_pods[event.node]):
                self.begin(pod, int(self._cluster.pod_specs[self._cluster.pods.spec[pod]].running.startup_us))

    def begin(self, pod: int, start_up_us: int = 0) -> None:
        """The containers of a pod start (after `start_up_us`), and with them its work; pods of others are left alone.

        Work in core seconds has no end yet: that follows from the CPU the pod receives.
        """
        item = self._items.get(int(self._cluster.pods.workload[pod]))
        if item is None or self._cluster.pods.phase[pod] != PodPhase.RUNNING:
            return
        settings, now_us = item.job, self._events.now_us
        if settings.work > 0:
            self._due_us.pop(pod, None)
            self._work.begin(pod, settings.work, now_us)
        else:
            self._end_at(pod, now_us + start_up_us + settings.run_time)

    def follow(self, received: Received) -> None:
        """Pods with work receive so much from now on: plan their ends."""
        for pod, due_us in self._work.follow(received, self._events.now_us):
            if due_us is None:
                self._due_us.pop(pod, None)
            else:
                self._end_at(pod, due_us)

    def _end_at(self, pod: int, due_us: int) -> None:
        self._due_us[pod] = due_us
        self._events.push(due_us, Phase.POD_ENDS, JobPodEnds(pod, due_us))

    def on_pod_ends(self, event: JobPodEnds) -> None:
        """The pod succeeds or fails, unless something ended it first."""
        pods = self._cluster.pods
        if self._due_us.get(event.pod) != event.due_us:
            return
        if pods.phase[event.pod] != PodPhase.RUNNING or pods.deletion_us[event.pod] != NONE:
            return
        if self._cluster.nodes.silent[pods.node[event.pod]]:
            return
        del self._due_us[event.pod]
        ratio = self._items[int(pods.workload[event.pod])].job.failure_ratio
        failed = ratio > 0 and self._failure_draws.uniform(pods.draw_key.item(event.pod)) < ratio
        self._cluster.remove_pod(event.pod, EndReason.FAILED if failed else EndReason.COMPLETED)

    def on_look(self, event: JobLook) -> None:
        """One pass: gather, decide, act."""
        job, now_us = self._jobs.get(event.job), self._events.now_us
        if job is None or job.done or ((job.started_us != NONE or job.own is not None) and job.look_us != now_us):
            return
        if job.started_us == NONE:
            self._begin_job(job, now_us)
        job.look_us = NONE
        pods, living = self._cluster.pods, self._living(job)
        views = [job.view(pods, pod, now_us) for pod in (*living, *job.ended)]
        result = job_pass(job.rules, job.memory_at(now_us), views)
        job.remember(result, now_us, [pod for pod in living if pods.deletion_us[pod] != NONE])
        for key in result.delete:
            self._lifecycle.delete(int(str(key)), EndReason.SCALE_DOWN)
        if result.create and result.end is None:
            self._create(event.job, job, result.create)
        if result.end is not None and job.made is None:
            self._finish(event.job, job, result)
        elif result.requeue_us is not None:
            self._look_at(event.job, job, now_us + result.requeue_us)

    def _begin_job(self, job: TrackedJob, now_us: int) -> None:
        job.started_us = now_us
        if job.own is not None:
            self._follow_size(job.row)
        else:
            self._cluster.set_replicas(job.row, job.item.replicas if job.made is None else job.made)
            if job.made is None:
                job.logged = self._logged(job, self._cluster.workload_names[job.row])

    def _logged(self, job: TrackedJob, name: str) -> JobHistory:
        return self.log.begin(job.row, name, job.item.job.completions, self._events.now_us)

    def _log_pod(self, pod: int) -> None:
        """A pod that stood for a Job is gone; if it did its work, so has the Job."""
        pods, now_us = self._cluster.pods, self._events.now_us
        if pods.end_reason[pod] == EndReason.COMPLETED:
            name, created_us = self._cluster.pod_name(pod), int(pods.created_us[pod])
            job = self.log.begin(int(pods.workload[pod]), name, 1, created_us)
            job.succeeded_us, job.completed_us = [now_us], now_us

    def _create(self, number: int, job: TrackedJob, count: int) -> None:
        admitted = self._lifecycle.admitted(job.row, count)
        if not admitted:
            return
        first = self._cluster.create_pods(self._specs[job.row].index, admitted)
        if job.own is not None:
            made = range(first, first + admitted)
            job.own |= dict.fromkeys(made)
            self._job_of |= dict.fromkeys(made, number)

    def _living(self, job: TrackedJob) -> list[int]:
        return list(self._cluster.workload_pods[job.row] if job.own is None else job.own)

    def look_again(self, workload: int) -> None:
        """Pods that were refused may be created now."""
        for number, job in self._jobs.items():
            if job.row == workload:
                self._look_at(number, job, self._events.now_us)

    def _look_at(self, number: int, job: TrackedJob, at_us: int, *, begins: bool = False) -> None:
        """Plan the next pass, not later than one that is planned already; `begins`: the first one."""
        waits = begins or job.started_us != NONE
        if waits and not job.done and (job.look_us == NONE or at_us < job.look_us):
            job.look_us = at_us
            self._events.push(at_us, Phase.PLAN_ACTIONS, JobLook(number))

    def _finish(self, number: int, job: TrackedJob, result: JobPass) -> None:
        job.done, now_us = True, self._events.now_us
        if job.logged is not None and result.end is JobEnd.COMPLETE:
            job.logged.completed_us = now_us
        elif job.logged is not None:
            job.logged.failed_us = now_us
        if job.own is None:
            self._cluster.set_replicas(job.row, 0)
        else:
            del self._jobs[number]
            self._follow_size(job.row)
            self._by_calendar[job.row](job.row)
        took_s = (now_us - job.started_us) / US_PER_S
        details = JobEnded(result.succeeded, result.failed, took_s, str(result.end))
        verdict = Verdict.ENDED if result.end is JobEnd.COMPLETE else Verdict.FAILED
        name = self._cluster.workload_names[job.row]
        self._decide(Decision(now_us, Actor.CONTROLLER, verdict, name, details=details))
