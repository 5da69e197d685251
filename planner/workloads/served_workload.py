"""What the load model and the CPU model know of one workload."""

from dataclasses import dataclass
from typing import NamedTuple

from planner.plan.model.demand import Demand
from planner.plan.model.serving import MessageQueue
from planner.plan.model.traffic import LoadProfile, Traffic


@dataclass(frozen=True, slots=True)
class OtherUse:
    """What a workload's pods use over time; its row, cores by a profile, and how much the work of a Job can use."""

    row: int
    cpu: LoadProfile | None = None
    work_milli: int = 0
    """Most CPU that the work can use at once; 0: no work."""


class StartupBurst(NamedTuple):
    """CPU that a pod uses besides for some time after its containers started."""

    cpu_milli: int
    time_us: int


NO_BURST = StartupBurst(0, 0)


@dataclass(frozen=True)
class ServedWorkload:
    """What the model needs of one workload; without traffic, and not called, it has constant use only."""

    row: int
    traffic: Traffic | None
    demand: Demand
    cpu_use_milli: int
    """Of a pod all the time, besides what its template says of its containers."""
    burst: StartupBurst = NO_BURST
    calls: tuple[tuple[int, float], ...] = ()
    """Rows of the workloads that it calls, and calls per served request."""
    waits_for: tuple[tuple[int, float], ...] = ()
    """Those of them for whose responses it waits."""
    over_time: OtherUse | None = None
    """What else its pods use; None where that never changes."""
    queue: MessageQueue | None = None
    """Its requests are messages that its pods fetch; None where they reach the pods by themselves."""
    fetches_from: int | None = None
    """Row of the workload whose queue it shares; None: not another's."""
