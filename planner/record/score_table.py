"""The scores of the best nodes as details of a placement's decision: a code, read back for sentences and tables."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from planner.record.decisions import Decision

OTHERS = "others"
"""Detail of a placement: the best nodes besides the one taken."""
NO_PLUGINS = ("score", "feasible", "tied")
"""Figures of a placement that are no plugin's points."""


@dataclass(frozen=True)
class ScoredNode:
    """A feasible node and its weighted points by plugin, in the order of `plugins_of`."""

    node: str
    points: tuple[int, ...]

    @property
    def total(self) -> int:
        """What nodes are compared by."""
        return sum(self.points)


def scores_code(nodes: Iterable[tuple[str, Sequence[int]]]) -> str:
    """For example "blue-0001:200:88 green-0001:200:40": names with the points of the plugins."""
    return " ".join([f"{name}:{':'.join(map(str, points))}" for name, points in nodes])


def plugins_of(decision: Decision) -> tuple[str, ...]:
    """Plugins that gave points to the nodes of a placement, in their order."""
    return tuple(str(name) for name in decision.figures if name not in NO_PLUGINS)


def scored_nodes(decision: Decision) -> tuple[ScoredNode, ...]:
    """The node taken and the best of the others, best first; empty where nothing was scored."""
    if "score" not in decision.figures:
        return ()
    taken = ScoredNode(decision.target, tuple(int(decision.figures[name]) for name in plugins_of(decision)))
    return (taken, *map(_read, decision.details.get(OTHERS, "").split()))


def _read(code: str) -> ScoredNode:
    name, *points = code.split(":")
    return ScoredNode(name, tuple(map(int, points)))
