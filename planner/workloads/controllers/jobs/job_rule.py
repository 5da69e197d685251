"""One pass of the Job controller.

Source: Kubernetes 1.36, pkg/controller/job/job_controller.go and backoff_utils.go. All times are
microseconds before now.
"""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum, StrEnum

from planner.units import US_PER_S

FIRST_BACKOFF_US = 10 * US_PER_S
LONGEST_BACKOFF_US = 600 * US_PER_S
BATCH_US = US_PER_S
MOST_AT_ONCE = 500


class JobPhase(IntEnum):
    """Phases of pods, in the order in which excess ones are deleted."""

    PENDING = 0
    UNKNOWN = 1
    RUNNING = 2
    SUCCEEDED = 3
    FAILED = 4


@dataclass(frozen=True, slots=True)
class JobPod:
    """One pod of the Job."""

    key: Hashable
    phase: JobPhase
    assigned: bool = True
    ready_for_us: int | None = None
    """None: not Ready."""
    created_us: int = 0
    restarts: int = 0
    counted: bool = False
    """Its end is in the counters already."""
    finished_us: int | None = None
    """End of its containers."""
    deleted_us: int | None = None
    """Its deletion was requested."""
    index: int | None = None

    @property
    def finished(self) -> bool:
        """Succeeded or Failed."""
        return self.phase >= JobPhase.SUCCEEDED

    @property
    def active(self) -> bool:
        """Neither finished nor being deleted."""
        return not self.finished and self.deleted_us is None

    @property
    def terminating(self) -> bool:
        """Being deleted and not finished."""
        return not self.finished and self.deleted_us is not None

    @property
    def ended_us(self) -> int:
        """When it ended, as far as the back-off is concerned."""
        return next((us for us in (self.finished_us, self.deleted_us) if us is not None), 0)


@dataclass(frozen=True, slots=True)
class JobRules:
    """The spec of a Job."""

    parallelism: int = 1
    completions: int | None = 1
    backoff_limit: int = 6
    restarts_on_failure: bool = False
    """restartPolicy OnFailure."""
    replace_only_failed: bool = False
    """podReplacementPolicy Failed."""
    suspend: bool = False
    deadline_us: int | None = None
    """activeDeadlineSeconds."""
    indexed: bool = False


@dataclass(frozen=True, slots=True)
class JobMemory:
    """Counters of the status and the controller's memory before the pass."""

    started_us: int | None = 0
    succeeded: int = 0
    failed: int = 0
    completed_indexes: frozenset[int] = frozenset()
    failures_since_success: int = 0
    last_failure_us: int | None = None


class JobEnd(StrEnum):
    """Why a Job ends, as condition reasons."""

    COMPLETE = "CompletionsReached"
    BACKOFF_LIMIT = "BackoffLimitExceeded"
    DEADLINE = "DeadlineExceeded"


@dataclass
class JobPass:
    """What the pass does and leaves."""

    create: int = 0
    create_indexes: list[int] = field(default_factory=list)
    delete: list[Hashable] = field(default_factory=list)
    requeue_us: int | None = None
    """When to look again at the latest; None: on events only."""
    end: JobEnd | None = None
    """Announced by this pass."""
    final: bool = False
    """The end is reached: no pod is terminating any more."""
    suspended: bool = False
    active: int = 0
    ready: int = 0
    succeeded: int = 0
    failed: int = 0
    terminating: int = 0
    memory: JobMemory = JobMemory()


def job_pass(rules: JobRules, memory: JobMemory, pods: Sequence[JobPod]) -> JobPass:
    """Deletions or creations of one pass, the status after it, and what the controller remembers."""
    active = [pod for pod in pods if pod.active]
    won = [pod for pod in pods if pod.phase is JobPhase.SUCCEEDED and _is_to_count(pod, rules)]
    lost = [pod for pod in pods if _is_to_count(pod, rules) and _has_failed(pod, rules)]
    indexes = memory.completed_indexes | {pod.index for pod in won if pod.index is not None}
    if rules.indexed and rules.completions is not None:
        indexes = frozenset(index for index in indexes if index < rules.completions)
    failures, last_us = _after(memory, won, lost)
    out = JobPass(
        active=len(active),
        succeeded=len(indexes) if rules.indexed else memory.succeeded + len(won),
        failed=memory.failed + len(lost),
        terminating=sum(pod.terminating for pod in pods),
    )
    out.memory = replace(memory, completed_indexes=indexes, failures_since_success=failures, last_failure_us=last_us)
    out.end = _failure(rules, memory, pods, out)
    if out.end is not None:
        _fail(rules, out, pods, active)
    else:
        _manage(rules, out, pods, active)
        if _is_complete(rules, out):
            out.end = JobEnd.COMPLETE
        out.suspended = rules.suspend and out.end is None
    gone = set(out.delete)
    out.ready = sum(pod.ready_for_us is not None and pod.key not in gone for pod in active)
    out.final = out.end is not None and out.terminating == 0
    out.memory = replace(out.memory, succeeded=out.succeeded, failed=out.failed)
    return out


def backoff_left_us(failures: int, last_failure_us: int | None) -> int:
    """Time until pods may be created after `failures` failures in a row, the last one so long ago."""
    if failures == 0 or last_failure_us is None:
        return 0
    # The shift is bounded: from the seventh failure on the longest wait counts.
    wait_us = min(FIRST_BACKOFF_US << min(failures - 1, 10), LONGEST_BACKOFF_US)
    return max(0, wait_us - last_failure_us)


def _is_to_count(pod: JobPod, rules: JobRules) -> bool:
    """Whether the end of a pod counts and is not in the counters yet; indexes beyond the completions never count."""
    return not pod.counted and (not rules.indexed or _is_index(pod.index, rules))


def _has_failed(pod: JobPod, rules: JobRules) -> bool:
    if pod.phase is JobPhase.FAILED:
        return True
    return not rules.replace_only_failed and pod.deleted_us is not None and pod.phase is not JobPhase.SUCCEEDED


def _after(memory: JobMemory, won: Sequence[JobPod], lost: Sequence[JobPod]) -> tuple[int, int | None]:
    """Failures since the last success and the time of the last one."""
    failures, last_us = memory.failures_since_success, memory.last_failure_us
    if won:
        success_us = min(pod.ended_us for pod in won)
        lost = [pod for pod in lost if pod.ended_us < success_us]
        failures, last_us = 0, None
    if lost:
        failures, last_us = failures + len(lost), min(pod.ended_us for pod in lost)
    return failures, last_us


def _failure(rules: JobRules, memory: JobMemory, pods: Iterable[JobPod], out: JobPass) -> JobEnd | None:
    restarts = sum(pod.restarts for pod in pods if pod.phase in (JobPhase.RUNNING, JobPhase.PENDING))
    too_many = rules.restarts_on_failure and restarts >= max(rules.backoff_limit, 1)
    if out.failed > rules.backoff_limit or too_many:
        return JobEnd.BACKOFF_LIMIT
    if rules.deadline_us is None or rules.suspend or memory.started_us is None:
        return None
    left_us = rules.deadline_us - memory.started_us
    if left_us <= 0:
        return JobEnd.DEADLINE
    out.requeue_us = left_us
    return None


def _fail(rules: JobRules, out: JobPass, pods: Sequence[JobPod], active: Sequence[JobPod]) -> None:
    """All active pods are deleted; whatever did not succeed counts as failed."""
    lost = sum(_is_to_count(pod, rules) and pod.phase is not JobPhase.SUCCEEDED for pod in pods)
    out.failed = out.memory.failed + lost
    out.delete = [pod.key for pod in active]
    out.active, out.terminating = 0, out.terminating + len(active)


def _manage(rules: JobRules, out: JobPass, pods: Sequence[JobPod], active: Sequence[JobPod]) -> None:
    wanted = 0 if rules.suspend else _wanted_active(rules, out)
    removed = _for_removal(rules, active, max(0, len(active) - wanted))
    if not rules.suspend:
        removed = removed[:MOST_AT_ONCE]
    if removed or rules.suspend:
        out.delete = [pod.key for pod in removed]
        out.active -= len(removed)
        out.terminating += len(removed)
        return
    missing = wanted - len(active) - (out.terminating if rules.replace_only_failed else 0)
    if missing <= 0:
        return
    left_us = backoff_left_us(out.memory.failures_since_success, out.memory.last_failure_us)
    if left_us > 0:
        wait_us = max(left_us, BATCH_US)
        out.requeue_us = wait_us if out.requeue_us is None else min(out.requeue_us, wait_us)
        out.active = 0
        return
    out.create = min(missing, MOST_AT_ONCE)
    if rules.indexed:
        out.create_indexes = _pending_indexes(rules, out.memory.completed_indexes, pods, out.create)
        out.create = len(out.create_indexes)
    out.active += out.create


def _wanted_active(rules: JobRules, out: JobPass) -> int:
    if rules.completions is None:
        return out.active if out.succeeded > 0 else rules.parallelism
    return max(0, min(rules.parallelism, rules.completions - out.succeeded))


def _for_removal(rules: JobRules, active: Sequence[JobPod], at_least: int) -> list[JobPod]:
    gone: list[JobPod] = []
    left = sorted(active, key=_removal_order)
    if rules.indexed:
        last: dict[int | None, JobPod] = {pod.index: pod for pod in left}
        kept = [pod for pod in last.values() if _is_index(pod.index, rules)]
        gone = [pod for pod in left if all(pod is not other for other in kept)]
        left = [pod for pod in left if any(pod is other for other in kept)]
    return gone + left[: max(0, at_least - len(gone))]


def _is_index(index: int | None, rules: JobRules) -> bool:
    return index is not None and (rules.completions is None or index < rules.completions)


def _removal_order(pod: JobPod) -> tuple[int, ...]:
    ready_us = pod.ready_for_us
    return (pod.assigned, pod.phase, ready_us is not None, ready_us or 0, -pod.restarts, pod.created_us)


def _pending_indexes(rules: JobRules, done: frozenset[int], pods: Iterable[JobPod], count: int) -> list[int]:
    """The lowest indexes that neither succeeded nor have a pod."""
    present = {pod.index for pod in pods if pod.active or (rules.replace_only_failed and pod.terminating)}
    free = (index for index in range(rules.completions or 0) if index not in done and index not in present)
    return [index for index, _ in zip(free, range(count), strict=False)]


def _is_complete(rules: JobRules, out: JobPass) -> bool:
    enough = out.succeeded > 0 if rules.completions is None else out.succeeded >= rules.completions
    return enough and out.active == 0
