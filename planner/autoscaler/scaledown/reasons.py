"""Why a node is or is not removed, in the words of the Cluster Autoscaler."""

from enum import IntEnum
from functools import lru_cache


class NodeVerdict(IntEnum):
    """What scale-down says of a node; codes go into arrays and decisions, `text` is the upstream word."""

    NOT_CANDIDATE = 0
    """Not looked at: no node group, group at its minimum, in deletion, or not started."""
    SIMULATE = 1
    """Passed the cheap checks: whether its pods fit elsewhere is to be simulated."""
    RECENTLY_UNREMOVABLE = 2
    CURRENTLY_BEING_DELETED = 3
    SCALE_DOWN_DISABLED_ANNOTATION = 4
    SCALE_DOWN_UNREADY_DISABLED = 5
    NOT_UNDERUTILIZED = 6
    UNNEEDED = 7
    NO_PLACE_TO_MOVE_PODS = 8
    BLOCKED_BY_POD = 9
    NOT_UNNEEDED_LONG_ENOUGH = 10
    NOT_UNREADY_LONG_ENOUGH = 11
    NODE_GROUP_MIN_SIZE_REACHED = 12
    MINIMAL_RESOURCE_LIMIT_EXCEEDED = 13
    BLOCKED_BY_ON_COMPLETION_POD = 14
    REMOVABLE = 15
    ATOMIC_SCALE_DOWN_FAILED = 16
    """The group goes as a whole or not at all, and not all of it may go."""

    @property
    def text(self) -> str:
        """The word the autoscaler uses, for example NotUnderutilized."""
        return _NODE_TEXT.get(self, _camel(self.name))


_NODE_TEXT = {
    NodeVerdict.NOT_CANDIDATE: "notCandidate",
    NodeVerdict.UNNEEDED: "unneeded",
    NodeVerdict.REMOVABLE: "removable",
}


class BlockingReason(IntEnum):
    """Why a pod keeps its node from being removed."""

    CONTROLLER_NOT_FOUND = 0
    MIN_REPLICAS_REACHED = 1
    NOT_REPLICATED = 2
    UNMOVABLE_KUBE_SYSTEM_POD = 3
    NOT_SAFE_TO_EVICT_ANNOTATION = 4
    LOCAL_STORAGE_REQUESTED = 5
    NOT_ENOUGH_PDB = 6

    @property
    def text(self) -> str:
        """The word the autoscaler uses, for example NotEnoughPdb."""
        return _camel(self.name)


@lru_cache
def _camel(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("_"))
