"""The scale loops of all ScaledJobs."""

from collections.abc import Callable, Sequence
from typing import Protocol

from planner.keda.controller.event_scaling import ReadSeries
from planner.keda.controller.settings import job_spec
from planner.keda.rules.scale_loop import KedaCondition
from planner.keda.rules.scaled_job import JobTrigger, job_conditions, jobs_to_create, queue_state
from planner.plan.model.autoscalers.scaled_object import ScaledJob
from planner.record.decisions import Actor, Decision, Verdict
from planner.record.details.replicas import JobsMade, KedaConditionState, TriggerReading
from planner.state.cluster import Cluster


class Jobs(Protocol):
    """What makes and keeps jobs."""

    def expect_jobs(self, workload: int) -> None:
        """From the start on, jobs of this workload are made by others."""

    def add_jobs(self, workload: int, count: int) -> None:
        """Make more jobs, each of them one pod."""

    def unfinished_jobs(self, workload: int) -> tuple[int, int]:
        """Jobs that have not ended, and those of them without a running pod."""

    def clean_up(self, workload: int, completed: int, failed: int) -> None:
        """Jobs that ended go, but for so many of each end."""


class JobMaker:
    """Makes jobs for queues."""

    def __init__(
        self,
        cluster: Cluster,
        given: Sequence[ScaledJob],
        row_of: Callable[[str], int],
        jobs: Jobs,
        read: ReadSeries,
        decide: Callable[[Decision], None],
    ) -> None:
        self._cluster, self._given, self._jobs, self._read, self._decide = cluster, list(given), jobs, read, decide
        self._rows = [row_of(one.job_target) for one in given]
        self._conditions = [(KedaCondition(), KedaCondition()) for _ in given]
        for row in self._rows:
            jobs.expect_jobs(row)

    def change(self, number: int, given: ScaledJob) -> bool:
        """The spec of a ScaledJob changes, but for its Job and its triggers; whether it was paused and now goes on."""
        before, self._given[number] = self._given[number], given
        return before.paused and not given.paused

    def poll(self, number: int, now_us: int) -> bool:
        """Look at the queues of a ScaledJob and make the jobs that are missing; whether its polls go on.

        KEDA 2.18, controllers/keda/scaledjob_controller.go: a pause stops the loop, jobs that run go on.
        """
        given, row = self._given[number], self._rows[number]
        if given.paused:
            return False
        spec = job_spec(given)
        triggers = [
            JobTrigger(None if (milli := self._read(one.series, now_us)) is None else milli / 1000,
                       one.target / 1000, one.activation / 1000)
            for one in given.triggers
        ]  # fmt: skip
        queue = queue_state(spec, triggers)
        before = self._conditions[number]
        after = self._conditions[number] = job_conditions(queue, *before)
        running, pending = self._jobs.unfinished_jobs(row)
        created = jobs_to_create(spec, queue, running, pending)
        if created:
            self._jobs.add_jobs(row, created)
        self._jobs.clean_up(row, given.successful_jobs_history_limit, 0)  # none fails: its pod is made again
        if created or after != before:
            readings = tuple(
                TriggerReading(one.name or one.series, trigger.value, trigger.activation)
                for one, trigger in zip(given.triggers, triggers, strict=True)
            )
            verdict = Verdict.SCALED if created else Verdict.ACTIVATED if queue.is_active else Verdict.DEACTIVATED
            conditions = tuple(
                KedaConditionState(name, *one) for name, one in zip(("Ready", "Active"), after, strict=True)
            )
            details = JobsMade(given.name, created, running, readings, conditions)
            self._decide(Decision(now_us, Actor.KEDA, verdict, given.job_target, "", details))
        return True
