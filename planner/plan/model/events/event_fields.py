"""Fields that many events share."""

from typing import Any

from planner.plan.values.fields import required, setting

MAX_COUNT = 15_000


def pool_field(description: str) -> Any:
    """The pool that an event is about."""
    return required("Node pool", description)


def workload_field(description: str) -> Any:
    """The workload that an event is about."""
    return required("Workload", description)


def duration_field(default: str, description: str) -> Any:
    """How long an event lasts."""
    return setting(default, "Duration", description, unit="s")
