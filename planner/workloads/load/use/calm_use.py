"""When pods need not be looked at again: nodes have room for all, and none of them changes with the time."""

from typing import NamedTuple

from planner.workloads.cpu.pod_cpu import KindsCpu
from planner.workloads.load.demand import Floats, Ints


class CalmUse(NamedTuple):
    """A refresh after which nodes have room for all of their pods, and that none of these changes with the time."""

    of_kind: KindsCpu
    reference: Ints
    """Of `NodeRoom`."""
    key: tuple[int, int, int]
    """What it was true of: pods that run, and nodes."""
    most_milli: Floats
    """As long as a pod of each service needs no more besides idle use, the next one would change nothing."""
