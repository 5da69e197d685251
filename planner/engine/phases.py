"""Order of work within one instant (docs/rules/cluster-model.md).

The engine knows only that phases are integers; the names are kept here because every event of the
program carries one.
"""

from enum import IntEnum


class Phase(IntEnum):
    """Steps of one instant, in order. After each step everything settles."""

    NODE_STATUS = 0
    SCHEDULER_TIMERS = 1
    POD_ENDS = 2
    CLOUD = 3
    POD_READY = 4
    PLAN_ACTIONS = 5
    LOAD = 6
    METRICS = 7
    HPA = 8
    AUTOSCALER_TIMERS = 9
    AUTOSCALER = 10
    RECORD = 11
