"""Which Job a CronJob starts now.

Source: Kubernetes 1.36, pkg/controller/cronjob/cronjob_controllerv2.go and utils.go. Times are microseconds since 1970.
"""

from dataclasses import dataclass

from planner.plan.model.workloads import ConcurrencyPolicy
from planner.plan.values.job_calendar import JobCalendar, due_moments

LOOK_AFTER_US = 100_000
"""The controller looks this long after the moment itself (nextScheduleDelta)."""


@dataclass(frozen=True, slots=True)
class CronRules:
    """The spec of a CronJob."""

    calendar: JobCalendar
    concurrency: ConcurrencyPolicy = ConcurrencyPolicy.ALLOW
    deadline_us: int | None = None
    """startingDeadlineSeconds."""
    suspend: bool = False


@dataclass(frozen=True, slots=True)
class CronPass:
    """What a look leads to."""

    due_us: int | None = None
    """The latest moment that is due and was not started; None if there is none."""
    starts: bool = False
    """A Job is made for it; otherwise an earlier one goes on."""
    replaces: bool = False
    """Jobs that go on are deleted first."""
    missed: int = 0
    """Earlier moments that are due, for which no Job will be made."""
    next_us: int | None = None
    """When to look again at the latest; None: on changes only."""


def cron_pass(rules: CronRules, handled_us: int, now_us: int, active: int) -> CronPass:
    """One look at a CronJob: `handled_us` is the moment of its latest Job, or when it was created.

    The next moment follows the latest one that is due, whatever the deadline. That matters to a fixed interval: where
    the deadline is shorter, it counts from the deadline on, so that nothing is ever due.
    """
    if rules.suspend:
        return CronPass()
    since_us = handled_us if rules.deadline_us is None else max(handled_us, now_us - rules.deadline_us)
    all_due = list(due_moments(rules.calendar, handled_us, now_us))
    due = all_due if since_us == handled_us else list(due_moments(rules.calendar, since_us, now_us))
    next_us = rules.calendar.next_due_us(all_due[-1] if all_due else handled_us)
    look_us = None if next_us is None else next_us + LOOK_AFTER_US
    too_late = max(0, len(all_due) - len(due))
    if not due:
        return CronPass(missed=too_late, next_us=look_us)
    waits = rules.concurrency is ConcurrencyPolicy.FORBID and active > 0
    replaces = rules.concurrency is ConcurrencyPolicy.REPLACE and active > 0
    return CronPass(due[-1], not waits, replaces, too_late + len(due) - 1, look_us)
