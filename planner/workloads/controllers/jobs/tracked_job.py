"""A Job as its controller follows it: what it remembers from pass to pass, and how a pass sees its pods."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from planner.plan.model.workloads import Workload
from planner.plan.values.fields import INT32_MAX
from planner.record.history import JobHistory
from planner.state.nodes import NONE
from planner.state.pods import EndReason, PodPhase, PodTable
from planner.workloads.controllers.jobs.job_rule import JobMemory, JobPass, JobPhase, JobPod, JobRules


@dataclass
class TrackedJob:
    """One Job; times are absolute, microseconds."""

    item: Workload
    row: int
    """Of its workload."""
    started_us: int = NONE
    memory: JobMemory = JobMemory()
    last_failure_us: int | None = None
    ended: list[int] = field(default_factory=list)
    """Pods that ended and are not counted yet."""
    counted: dict[int, None] = field(default_factory=dict)
    """Terminating pods that were counted as failures."""
    look_us: int = NONE
    done: bool = False
    made: int | None = None
    """Jobs that a ScaledJob has made of it, each one pod; None: it is one Job by itself."""
    own: dict[int, None] | None = None
    """Its living pods, where its workload has several Jobs; None: all of the workload."""
    logged: JobHistory | None = None
    """None until it begins, and where pods stand for Jobs."""

    @property
    def rules(self) -> JobRules:
        """What its plan says of it."""
        if self.made is not None:
            return JobRules(self.made, self.made, INT32_MAX)
        return JobRules(
            parallelism=self.item.replicas,
            completions=self.item.job.completions,
            backoff_limit=self.item.job.backoff_limit,
            deadline_us=self.item.job.active_deadline or None,
        )

    def memory_at(self, now_us: int) -> JobMemory:
        """What a pass gets to know of those before it."""
        last_us = None if self.last_failure_us is None else now_us - self.last_failure_us
        return replace(self.memory, started_us=now_us - self.started_us, last_failure_us=last_us)

    def remember(self, result: JobPass, now_us: int, terminating: Iterable[int]) -> None:
        """What came of a pass; `terminating`: its pods that were deleted and are still there."""
        if self.logged is not None:
            self.logged.succeeded_us += [now_us] * (result.succeeded - self.memory.succeeded)
        self.memory = result.memory
        last_us = result.memory.last_failure_us
        self.last_failure_us = None if last_us is None else now_us - last_us
        self.ended.clear()
        self.counted |= dict.fromkeys(terminating)

    def view(self, pods: PodTable, pod: int, now_us: int) -> JobPod:
        """One of its pods, with times as how long ago they were."""
        gone = pods.phase[pod] == PodPhase.GONE
        deleted_us = int(pods.deletion_us[pod])
        phase = JobPhase.RUNNING if pods.phase[pod] == PodPhase.RUNNING else JobPhase.PENDING
        if gone:
            phase = JobPhase.SUCCEEDED if pods.end_reason[pod] == EndReason.COMPLETED else JobPhase.FAILED
        return JobPod(
            key=pod,
            phase=phase,
            assigned=bool(pods.node[pod] != NONE),
            ready_for_us=now_us - int(pods.ready_change_us[pod]) if pods.ready[pod] else None,
            created_us=now_us - int(pods.created_us[pod]),
            counted=pod in self.counted,
            finished_us=now_us - int(pods.ended_us[pod]) if gone else None,
            deleted_us=None if deleted_us == NONE else now_us - deleted_us,
        )
