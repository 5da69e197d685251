"""What limited a service at its busiest moment."""

from enum import StrEnum
from typing import NamedTuple

from planner.units import format_duration


class Limit(StrEnum):
    """Where the limit is."""

    POD_CPU = "pod CPU"
    QUOTA = "quota"
    WORKERS = "workers"
    NODE = "node"
    CALLEE = "callee"


_CURES = {
    Limit.POD_CPU: "the CPU limit of its pods: more pods or a higher limit help",
    Limit.QUOTA: "the CPU quota, which throttles bursts long before it is used up on average: a higher limit helps",
    Limit.WORKERS: "its workers: more pods or workers help, a higher CPU limit does not",
    Limit.NODE: "the CPU of its nodes, which other pods use too: more nodes or larger requests help",
    Limit.CALLEE: "{callee}, for which it waits longer than it takes itself: more of its own pods do not help",
}


class Bottleneck(NamedTuple):
    """Of one workload."""

    workload: str
    limit: Limit
    busy: float
    """Share of what its ready pods could do that was asked of them; above 1 in overload."""
    at_us: int
    callee: str = ""

    @property
    def sentence(self) -> str:
        """For the summary."""
        cure = _CURES[self.limit].format(callee=self.callee)
        return f"{self.workload} was {self.busy:.0%} busy at {format_duration(self.at_us)}, limited by {cure}."
