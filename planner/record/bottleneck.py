"""What limited a service at its busiest moment."""

from enum import StrEnum
from typing import NamedTuple

from planner.language.translation import marked, tr
from planner.language.values import clock, percent
from planner.units import US_PER_S


class LimitedBy(StrEnum):
    """Where the limit is."""

    POD_CPU = "pod CPU"
    QUOTA = "quota"
    WORKERS = "workers"
    NODE = "node"
    CALLEE = "callee"
    FRONT_DOOR = "front door"


_CURES = {
    LimitedBy.POD_CPU: marked("the CPU limit of its pods: more pods or a higher limit help"),
    LimitedBy.QUOTA: marked(
        "the CPU quota, which throttles bursts long before it is used up on average: a higher limit helps"
    ),
    LimitedBy.WORKERS: marked("its workers: more pods or workers help, a higher CPU limit does not"),
    LimitedBy.NODE: marked("the CPU of its nodes, which other pods use too: more nodes or larger requests help"),
    LimitedBy.CALLEE: marked(
        "{callee}, for which it waits longer than it takes itself: more of its own pods do not help"
    ),
    LimitedBy.FRONT_DOOR: marked(
        "{callee}, the front door that its load comes through: more of its own pods do not help"
    ),
}


class Bottleneck(NamedTuple):
    """Of one workload."""

    workload: str
    limit: LimitedBy
    busy: float
    """Share of what its ready pods could do that was asked of them; above 1 in overload."""
    at_us: int
    callee: str = ""

    @property
    def sentence(self) -> str:
        """For the summary."""
        cure = tr(_CURES[self.limit]).format(callee=self.callee)
        return tr(
            "{workload} was {busy} busy at {at}, limited by {cure}.",
            workload=self.workload,
            busy=percent(self.busy),
            at=clock(self.at_us / US_PER_S),
            cure=cure,
        )
