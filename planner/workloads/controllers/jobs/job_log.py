"""The Jobs of a run as the API server lists them: those that ended stay until more of them than are kept have ended.

Source: Kubernetes 1.36, pkg/controller/cronjob/cronjob_controllerv2.go (cleanupFinishedJobs, removeOldestJobs); KEDA
2.18, pkg/scaling/executor/scale_jobs.go (cleanUp).
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from planner.record.history import NEVER, JobHistory

_Job = TypeVar("_Job")


def beyond_limit(ended: Sequence[_Job], limit: int) -> Sequence[_Job]:
    """Those that are deleted of Jobs that ended one way, oldest first."""
    return ended[: max(0, len(ended) - limit)]


class JobLog:
    """Every Job ever made, by its workload."""

    def __init__(self) -> None:
        self._jobs: dict[int, list[JobHistory]] = {}

    def begin(self, workload: int, name: str, completions: int, now_us: int) -> JobHistory:
        """A Job is made."""
        job = JobHistory(workload, name, completions, now_us)
        self._jobs.setdefault(workload, []).append(job)
        return job

    def lists(self, workload: int, name: str) -> bool:
        """Whether the latest Job of a workload has this name, and is not deleted."""
        latest = self._jobs.get(workload, [])[-1:]
        return any(job.name == name and job.deleted_us == NEVER for job in latest)

    def clean_up(self, workload: int, completed: int, failed: int, now_us: int) -> None:
        """Keep so many Jobs of a workload that completed and so many that failed; the oldest others are deleted."""
        listed = [job for job in self._jobs.get(workload, ()) if job.deleted_us == NEVER]
        for ends, limit in (
            ([job for job in listed if job.completed_us != NEVER], completed),
            ([job for job in listed if job.failed_us != NEVER], failed),
        ):
            for job in beyond_limit(ends, limit):
                job.deleted_us = now_us

    def history(self) -> tuple[JobHistory, ...]:
        """All of them so far."""
        return tuple(replace(job, succeeded_us=list(job.succeeded_us)) for jobs in self._jobs.values() for job in jobs)
