"""Rolling updates of Deployments as arithmetic on sizes of ReplicaSets.

Source: Kubernetes 1.36, pkg/controller/deployment/rolling.go, sync.go and util/deployment_util.go.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from planner.plan.values.portions import Portion, portion_of


@dataclass(frozen=True, slots=True)
class RolloutRoom:
    """How far a rolling update may leave the wanted number of pods."""

    replicas: int
    surge: int
    unavailable: int
    """As resolved; may exceed the replicas."""

    @property
    def max_unavailable(self) -> int:
        """Pods that may be missing."""
        return min(self.unavailable, self.replicas)

    @property
    def min_available(self) -> int:
        """Pods that must be available."""
        return self.replicas - self.max_unavailable

    @property
    def max_pods(self) -> int:
        """Pods there may be, terminating ones left out."""
        return self.replicas + self.surge


def rollout_room(replicas: int, max_surge: Portion, max_unavailable: Portion) -> RolloutRoom:
    """Surge rounds up, unavailable down; with both 0 one pod may be missing. Raises ValueError for a bad portion."""
    surge = portion_of(max_surge, replicas, round_up=True)
    unavailable = portion_of(max_unavailable, replicas, round_up=False)
    return RolloutRoom(replicas, surge, 1 if surge == 0 and unavailable == 0 else unavailable)


@dataclass(frozen=True, slots=True)
class SetSize:
    """One ReplicaSet of a Deployment."""

    replicas: int
    available: int
    created_us: int
    max_replicas: int = 0
    """Wanted pods plus surge when it was last scaled (annotation max-replicas); 0: unknown."""


class RollAction(StrEnum):
    """What a pass does."""

    SCALE_NEW_UP = "scaleNewUp"
    SCALE_NEW_DOWN = "scaleNewDown"
    SCALE_OLD_DOWN = "scaleOldDown"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class RollStep:
    """Sizes after one pass; the old sets in the given order."""

    action: RollAction
    new: int
    old: tuple[int, ...]


def roll_step(room: RolloutRoom, new: SetSize, old: Sequence[SetSize]) -> RollStep:
    """One pass of a rolling update."""
    sizes = tuple(part.replicas for part in old)
    if new.replicas > room.replicas:
        return RollStep(RollAction.SCALE_NEW_DOWN, room.replicas, sizes)
    grow = min(room.max_pods - new.replicas - sum(sizes), room.replicas - new.replicas)
    if grow > 0:
        return RollStep(RollAction.SCALE_NEW_UP, new.replicas + grow, sizes)
    after = _shrink_old(room, new, old)
    return RollStep(RollAction.NONE if after == sizes else RollAction.SCALE_OLD_DOWN, new.replicas, after)


def _shrink_old(room: RolloutRoom, new: SetSize, old: Sequence[SetSize]) -> tuple[int, ...]:
    """Unavailable pods of old sets go first, then available ones that are not needed; the oldest set first.

    The pass ends at a set with more available pods than it should have: its surplus is not gone yet.
    """
    sizes = [part.replicas for part in old]
    left = new.replicas + sum(sizes) - room.min_available - (new.replicas - new.available)
    if left <= 0 or sum(sizes) == 0:
        return tuple(sizes)
    oldest_first = sorted(range(len(old)), key=lambda at: old[at].created_us)
    for at in oldest_first:
        if left > 0 and 0 < sizes[at] < old[at].available:
            return tuple(sizes)
        gone = max(0, min(left, sizes[at] - old[at].available))
        sizes[at] -= gone
        left -= gone
    spare = new.available + sum(part.available for part in old) - room.min_available
    for at in oldest_first:
        gone = max(0, min(sizes[at], spare))
        sizes[at] -= gone
        spare -= gone
    return tuple(sizes)


def proportion(room: RolloutRoom, size: SetSize, status_replicas: int, to_add: int, added: int) -> int:
    """Share of one set in a change of `to_add` pods, of which `added` are given to other sets already.

    `status_replicas`: pods of the Deployment, used where the set does not know its former maximum.
    """
    if size.replicas == 0 or to_add in (0, added):
        return 0
    if room.replicas == 0:
        share = -size.replicas
    else:
        before = size.max_replicas or status_replicas
        share = _round(size.replicas * room.max_pods / before) - size.replicas if before else 0
    left = to_add - added
    return min(share, left) if to_add > 0 else max(share, left)


def scaled_sizes(room: RolloutRoom, sets: Sequence[SetSize]) -> tuple[int, ...]:
    """Sizes of the active sets after the Deployment was scaled in the middle of a rollout, in the given order.

    Larger sets come first, equal ones newer first when growing, older first when shrinking; what rounding leaves
    goes to the first.
    """
    if len(sets) == 1:
        return (room.replicas,)
    total = sum(part.replicas for part in sets)
    to_add = (room.max_pods if room.replicas > 0 else 0) - total
    sign = -1 if to_add > 0 else 1
    order = sorted(range(len(sets)), key=lambda at: (-sets[at].replicas, sign * sets[at].created_us))
    sizes, added = [part.replicas for part in sets], 0
    for at in order:
        delta = proportion(room, sets[at], total, to_add, added)
        sizes[at] += delta
        added += delta
    if order:
        sizes[order[0]] = max(0, sizes[order[0]] + to_add - added)
    return tuple(sizes)


def _round(value: float) -> int:
    """Half away from zero."""
    return math.floor(value + 0.5) if value >= 0 else math.ceil(value - 0.5)
