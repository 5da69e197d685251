"""A pod in the scheduling queue, and the pools where it may be."""

from dataclasses import dataclass
from enum import StrEnum

from planner.scheduler.queue.wake_facts import Waiting
from planner.state.nodes import NONE


class QueuePlace(StrEnum):
    """Where a queued pod is."""

    ACTIVE = "active"
    BACKOFF = "backoff"
    UNSCHEDULABLE = "unschedulable"
    IN_FLIGHT = "in flight"


@dataclass(slots=True)
class QueuedPod:
    """A pod's standing in the queue."""

    pod: int
    priority: int
    serial: int
    """Order of (re)entry; kept when the pod only moves between the pools."""
    entered_us: int
    place: QueuePlace = QueuePlace.ACTIVE
    attempts: int = 0
    """Refused attempts in the pod's life."""
    tries_at_once: int = 0
    """Those of them at the moment of the last one."""
    errors: int = 0
    """Errors in a row."""
    backoff_end_us: int = -1
    failed: bool = False
    """It waits because of an error, so an idle scheduler does not fetch it early."""
    waiting: Waiting | None = None
    nomination: int = NONE
    """The nominated node as the queue's own copy of the pod has it, see `refused`."""
    name: str = ""
    """Its name, if it was refused before."""
