"""A pod as Karpenter sees it.

Source: Karpenter 1.13, pkg/utils/pod/scheduling.go.
"""

from abc import abstractmethod
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from planner.karpenter.requirements.requirements import Requirements
from planner.karpenter.taints import DISRUPTED_TAINT
from planner.matching.taints import tolerated
from planner.state.specs import PodSpec

_created_us, _name = attrgetter("created_us"), attrgetter("uid", "row")
PodName = tuple[str, int]
"""Its uid, and its row where two have the same."""
_COST_PER_DELETION = 2**27
_COST_PER_PRIORITY = 2**25
_MOST_COST = 10.0


@dataclass(frozen=True, slots=True, eq=False)
class PodView:
    """A pod."""

    row: int
    """Identity for the caller."""
    uid: str
    spec: PodSpec
    created_us: int
    is_active: bool = True
    """Neither ended nor being deleted."""
    is_terminal: bool = False
    is_ready: bool = True
    is_stateful: bool = False
    """Of a StatefulSet: such a pod is moved even while it is being deleted, for it keeps its name."""
    is_static: bool = False
    """A mirror pod of a kubelet."""
    keeps_node: bool = False
    """The annotation karpenter.sh/do-not-disrupt is in force."""
    is_stuck: bool = False
    """Still there a minute after its grace period."""
    deletion_cost: float = 0
    """Annotation controller.kubernetes.io/pod-deletion-cost."""
    volumes: tuple[Requirements, ...] = ()
    """Alternatives of where its volumes can be reached."""

    @property
    def is_reschedulable(self) -> bool:
        """Whether it needs another node if its node goes."""
        return (self.is_active or (self.is_stateful and not self.is_terminal)) and not (
            self.spec.is_daemon or self.is_static
        )

    @property
    def is_evictable(self) -> bool:
        """Whether a drain evicts it through the API."""
        return self.is_active and not (self.is_static or self.keeps_node or self.tolerates_disruption)

    @property
    def eviction_cost(self) -> float:
        """1 for an ordinary pod, more or less by deletion cost and priority (pkg/utils/disruption/disruption.go)."""
        cost = 1.0 + self.deletion_cost / _COST_PER_DELETION + self.spec.priority / _COST_PER_PRIORITY
        return min(max(cost, -_MOST_COST), _MOST_COST)

    @property
    def tolerates_disruption(self) -> bool:
        """Whether it may stay on a node that is about to go."""
        return tolerated(self.spec.placement.tolerations, DISRUPTED_TAINT)


class PlainPods(NamedTuple):
    """The pods of a node where each costs 1 to evict, and no annotation, volume or controller sets one apart."""

    number: int
    """Of all of them."""
    movers: NDArray[np.int64]
    """Templates (index) of those that need another node if this one goes, in the order of the pods."""
    created_us: NDArray[np.int64]
    """When each of these was created, in whole seconds."""
    specs: Sequence[PodSpec]
    """All templates there are."""

    def counts_of_movers(self) -> Iterable[tuple[PodSpec, int]]:
        """Templates of those that need another node, and how many there are of each."""
        specs = self.specs
        return [(specs[index], number) for index, number in Counter(self.movers.tolist()).items()]


class BoundViews(Sequence[PodView]):
    """The pods of a node, which need not be looked at one by one where they are plain."""

    @property
    @abstractmethod
    def plain(self) -> PlainPods | None:
        """What tells of plain pods without a look at each; None if some are not plain."""


class NamedPod(Protocol):
    """What a pod tells of itself wherever it is in a round."""

    @property
    def uid(self) -> str:
        """Its UID."""

    @property
    def row(self) -> int:
        """Identity for the caller."""

    @property
    def created_us(self) -> int:
        """When it was created."""


def ages_of(pods: Sequence[NamedPod]) -> NDArray[np.int64]:
    """When pods were created, in microseconds."""
    return np.fromiter(map(_created_us, pods), np.int64, len(pods))


def names_of(pods: Sequence[NamedPod]) -> Sequence[PodName]:
    """The names of pods, in the same order."""
    return list(map(_name, pods))
