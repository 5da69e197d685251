"""How pods serve requests: classes, order, balancing, retries, warm-up, calls."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Self

from pydantic import model_validator

from planner.language.translation import tr
from planner.plan.values.fields import DurationUs, Misfit, Name, PlanModel, required, setting

_ROUNDING = 1e-6


class Discipline(StrEnum):
    """How the requests of a pod share its CPU."""

    SHARING = "sharing"
    """All at once, equally: a request takes the longer the more CPU it needs."""
    QUEUE = "queue"
    """Fixed workers, first come first served: variability lengthens the wait."""


class Balancer(StrEnum):
    """How a Service spreads requests over its pods."""

    RANDOM = "random"
    ROUND_ROBIN = "round-robin"
    LEAST_OF_TWO = "least-of-two"
    SHARED_QUEUE = "shared-queue"


class RequestClass(PlanModel):
    """Requests that cost about the same CPU time."""

    share: float = required("Share", "Share of the requests; the shares of all classes add up to 1.", gt=0, le=1)
    cost: float = setting(
        1.0, "Cost", "CPU time of such a request in relation to the other classes; the mean over all classes is the "
        "CPU per request.", gt=0, le=1e6,
    )  # fmt: skip
    cv: float = setting(
        0.5, "Variability", "Standard deviation of the CPU time over its mean within the class.", ge=0, le=20
    )


def check_shares(classes: Sequence[RequestClass], field: str) -> None:
    """Raises Misfit at the last of `classes` if their shares do not add up to 1."""
    total = sum(one.share for one in classes)
    if classes and abs(total - 1.0) > _ROUNDING:
        others = total - classes[-1].share
        cure = tr("set the last one to {rest:g}", rest=1.0 - others) if others < 1.0 else tr("lower them")
        raise Misfit(
            (field, len(classes) - 1, "share"),
            tr("the shares of the classes add up to {total:g}, not 1", total=total),
            cure,
        )


class Retries(PlanModel):
    """What clients do about rejected or timed-out requests."""

    attempts: int = setting(
        0, "Attempts", "Attempts after the first one; 0 means the request is lost at once.", ge=0, le=10
    )
    back_off: DurationUs = setting(
        "1s", "Back-off", "Wait before the first retry; doubles with each further one.", unit="s", ge=1_000
    )


class WarmUp(PlanModel):
    """A pod that has just become ready is slow: empty caches, cold compilers, new connections."""

    duration: DurationUs = setting(
        "0s", "Duration", "How long it lasts after the pod becomes ready; 0 means none.", unit="s"
    )
    slow_down: float = setting(
        1.0, "Slow-down", "Factor on the CPU of a request at its beginning; it falls evenly to 1.", ge=1, le=100
    )

    @model_validator(mode="after")
    def _acts(self) -> Self:
        if self.duration and self.slow_down == 1.0:
            problem = tr("a warm-up with a slow-down of 1 slows nothing")
            raise Misfit(("slow_down",), problem, tr("give a factor above 1, or a duration of 0s"))
        return self


class Call(PlanModel):
    """Requests that a workload sends to another one while serving its own."""

    workload: Name = required("Workload", "Name of the workload that is called.")
    per_request: float = setting(1.0, "Per request", "Calls per served request, on average.", gt=0, le=1_000)
    is_async: bool = setting(
        False, "Asynchronous", "The caller does not wait: the call adds load but no latency.", alias="async"
    )


class MessageQueue(PlanModel):
    """Requests of a workload are messages of a queue: its pods fetch them when they have room."""

    batch_size: int = setting(
        1, "Batch size", "Messages that a pod holds at once: its prefetch, or the batch it fetches.", ge=1, le=100_000
    )
    visibility_timeout: DurationUs = setting(
        "0s", "Visibility timeout", "A message that is not done after this time is delivered again, and its work is "
        "done twice; 0 means never.", unit="s",
    )  # fmt: skip
    partitions: int | None = setting(
        None, "Partitions", "Only so many pods have something to do at once (Kafka); empty means no bound.",
        ge=1, le=100_000,
    )  # fmt: skip
    backlog: int = setting(
        0, "Backlog", "Messages that wait when the run begins.", unit="messages", ge=0, le=1_000_000_000
    )
    shared_with: Name | None = setting(
        None, "Shared with", "Workload whose messages these pods fetch besides its own pods; empty means that the "
        "queue belongs to this workload.",
    )  # fmt: skip
    priority: int = setting(
        0, "Priority", "Of several workloads that fetch from one queue those with a lower priority get what the others "
        "have no room for.", ge=-1_000, le=1_000,
    )  # fmt: skip

    @model_validator(mode="after")
    def _waits_where_it_belongs(self) -> Self:
        if self.shared_with is not None and self.backlog:
            problem = tr("the messages of a shared queue wait with the workload to which it belongs")
            raise Misfit(("backlog",), problem, tr("give the backlog to {name}", name=self.shared_with))
        return self
