"""Which of several equally good nodes is chosen, which kube-scheduler leaves open (docs/decisions/ties.md)."""

from typing import Protocol

from planner.engine.draws import Draws, Keys
from planner.scheduler.cycle.select import NameOrder
from planner.scheduler.interface import Rows
from planner.state.cluster import Cluster


class Ties(Protocol):
    """Chooses among equals."""

    def choose(self, pod: int, rows: Rows) -> int:
        """Position of one of the node rows, which are in the order of the search."""

    @property
    def salt(self) -> int | None:
        """Of the draws; None where nothing is drawn and the node with the smallest key is chosen."""

    def keys(self) -> Keys:
        """By which nodes are told apart, by node row."""

    def offset(self, pod: int, count: int) -> int:
        """Where a pod's search among so many candidates begins."""


class FirstByName:
    """The smallest name wins, and lists are begun at their start: the same whatever the seed."""

    salt = None

    def __init__(self, names: NameOrder) -> None:
        self._names = names

    def choose(self, pod: int, rows: Rows) -> int:
        """The position of the smallest name."""
        return int(self.keys().take(rows).argmin())

    def keys(self) -> Keys:
        """Ranks of the names."""
        return self._names.ranks()

    def offset(self, pod: int, count: int) -> int:
        """Always at the start."""
        return 0


class Drawn:
    """Every pod prefers some nodes to others, by its key and theirs, whichever they are and however often it is tried.

    So a node that comes or goes moves only the pods that prefer it to all others.
    """

    def __init__(self, cluster: Cluster, draws: Draws) -> None:
        self._pods, self._nodes = cluster.pods, cluster.nodes
        self._node_draws, self._offset_draws = draws.of("scheduler/ties"), draws.of("scheduler/preemption offset")
        self.salt = self._node_draws.salt

    def choose(self, pod: int, rows: Rows) -> int:
        """Any position with the same chance."""
        return self._node_draws.first(self._pods.draw_key.item(pod), self._nodes.draw_key.take(rows))

    def keys(self) -> Keys:
        """Those of the nodes' draws."""
        return self._nodes.draw_key

    def offset(self, pod: int, count: int) -> int:
        """Any position with the same chance."""
        return self._offset_draws.below(count, self._pods.draw_key.item(pod))
