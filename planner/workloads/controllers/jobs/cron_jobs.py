"""The CronJob controller of a run: makes Jobs by a calendar."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from planner.engine.phases import Phase
from planner.engine.queue import EventQueue
from planner.plan.model.workloads import Workload
from planner.plan.values.job_calendar import parse_job_calendar
from planner.record.decisions import Actor, Decision, Verdict
from planner.record.details.work import CronJobLook
from planner.state.cluster import Cluster
from planner.units import US_PER_MIN, US_PER_S
from planner.workloads.controllers.jobs.cron_job_rule import CronRules, cron_pass
from planner.workloads.controllers.jobs.job_controller import JobController


@dataclass(frozen=True, slots=True)
class CronDue:
    """The controller looks at a CronJob."""

    workload: int


@dataclass
class _CronJob:
    rules: CronRules
    kept: tuple[int, int]
    """How many Jobs that completed and that failed are kept."""
    handled_us: int
    """The moment of its latest Job, or its creation, since 1970."""
    missed: int = 0
    """Moments since then that were missed, as far as they are recorded."""
    waits_for_us: int | None = None
    """The moment that waits for the end of an earlier Job, once that is recorded."""


class CronJobController:
    """Looks at each CronJob when it is due and when one of its Jobs ends."""

    def __init__(
        self,
        cluster: Cluster,
        events: EventQueue,
        jobs: JobController,
        items: Mapping[int, Workload],
        starts_us: int,
        decide: Callable[[Decision], None],
    ) -> None:
        """`items`: Jobs with a calendar by workload row; `starts_us`: the start of the run, since 1970."""
        self._cluster, self._events, self._jobs = cluster, events, jobs
        self._starts_us, self._decide = starts_us, decide
        self._known: dict[int, _CronJob] = {}
        self._planned: dict[int, int] = {}
        """The next look at each that is in the queue of events."""
        for row, item in items.items():
            created_us = starts_us + item.job.start
            created_us -= created_us % US_PER_S  # as metadata has it
            self._known[row] = _CronJob(_rules(item), _kept(item), created_us)
            jobs.by_calendar(row, self._on_end)

    def start(self) -> None:
        """The first look at every CronJob comes when it is created."""
        for row, job in self._known.items():
            self._events.push(job.handled_us - self._starts_us, Phase.PLAN_ACTIONS, CronDue(row))

    def on_due(self, event: CronDue) -> None:
        """One look."""
        self._look(event.workload)

    def _on_end(self, workload: int) -> None:
        self._events.push(self._events.now_us, Phase.PLAN_ACTIONS, CronDue(workload))

    def _look(self, row: int) -> None:
        job, now_us = self._known[row], self._starts_us + self._events.now_us
        self._jobs.clean_up(row, *job.kept)
        active = self._jobs.active_jobs(row)
        found = cron_pass(job.rules, job.handled_us, now_us, active)
        missed = found.missed - job.missed
        name = "" if found.due_us is None else f"{self._cluster.workload_names[row]}-{found.due_us // US_PER_MIN}"
        if found.due_us is not None and self._jobs.log.lists(row, name):
            job.handled_us = found.due_us  # names tell the minute: there is one Job a minute at most
        elif found.due_us is not None and found.starts:
            if found.replaces:
                self._jobs.delete_jobs(row)
            self._jobs.make_job(row, name)
            job.handled_us, job.waits_for_us, job.missed = found.due_us, None, 0
            self._record(row, Verdict.LAUNCHED, CronJobLook(_late_s(found.due_us, now_us), active, missed))
        elif found.due_us != job.waits_for_us or missed:
            job.waits_for_us, job.missed = found.due_us, found.missed
            late_s = 0.0 if found.due_us is None else _late_s(found.due_us, now_us)
            verdict = Verdict.FAILED if found.due_us is None else Verdict.REFUSED
            self._record(row, verdict, CronJobLook(late_s, active, missed))
        if found.next_us is not None:
            self._look_at(row, found.next_us - self._starts_us)

    def _look_at(self, row: int, at_us: int) -> None:
        planned = self._planned.get(row)
        if planned != at_us:
            self._planned[row] = at_us
            self._events.push(at_us, Phase.PLAN_ACTIONS, CronDue(row))

    def _record(self, row: int, verdict: Verdict, details: CronJobLook) -> None:
        name = self._cluster.workload_names[row]
        self._decide(Decision(self._events.now_us, Actor.CONTROLLER, verdict, name, details=details))


def _late_s(due_us: int, now_us: int) -> float:
    return (now_us - due_us) / US_PER_S


def _rules(item: Workload) -> CronRules:
    cron = item.job.cron
    assert cron is not None, "a workload with a calendar"
    return CronRules(
        parse_job_calendar(cron.schedule, cron.time_zone), cron.concurrency_policy, cron.starting_deadline,
        cron.suspend,
    )  # fmt: skip


def _kept(item: Workload) -> tuple[int, int]:
    cron = item.job.cron
    assert cron is not None, "a workload with a calendar"
    return cron.successful_jobs_history_limit, cron.failed_jobs_history_limit
