"""What a scheduling cycle found."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np

from planner.scheduler.cycle.feasibility import Prepared, Verdicts
from planner.scheduler.cycle.node_answers import NodeAnswers
from planner.scheduler.feasibility.resource_rules import Ints
from planner.scheduler.interface import Rows
from planner.state.nodes import NONE

NO_ROWS: Rows = np.zeros(0, dtype=np.int64)
Choice = tuple[int, int, tuple[int, ...] | None, int, tuple[tuple[int, tuple[int, ...]], ...]]
"""Node, how many feasible ones were found, points by plugin, how many nodes had as many, and the best others with
theirs: `node`, `feasible`, `points`, `tied` and `others` of an outcome."""


class FeasibleNodes(Protocol):
    """Feasible nodes in order of the search."""

    @property
    def rows(self) -> Rows:
        """Their rows."""

    @property
    def partial(self) -> Ints | None:
        """Their total scores without points that all get alike; None if none was computed."""


class FeasibleRows(NamedTuple):
    """Feasible nodes as columns."""

    rows: Rows = NO_ROWS
    partial: Ints | None = None


NOTHING = FeasibleRows()


@dataclass(slots=True)
class Outcome:
    """What a cycle found. `node` is -1 if no node is feasible; then `verdicts` says why."""

    node: int = NONE
    feasible: int = 0
    """How many feasible nodes were found."""
    plugins: tuple[str, ...] = ()
    """Plugins that gave points."""
    points: tuple[int, ...] | None = None
    """Weighted points of the node taken, by plugin; None where nothing was scored."""
    same_for_all: int = 0
    """Points that every node got."""
    tied: int = 1
    """How many nodes had the most points."""
    others: Sequence[tuple[int, tuple[int, ...]]] = ()
    """The best nodes besides, best first, with their points by plugin."""
    nominated: bool = False
    """The node was taken because the pod was nominated to it."""
    prepared: Prepared | None = None
    verdicts: Verdicts | NodeAnswers | None = None
    """Why there is none; to be read before the next decision, too."""
    found: FeasibleNodes = NOTHING
    """To be read before the next decision."""

    @property
    def scores(self) -> Mapping[str, int]:
        """Weighted scores of the node taken."""
        return dict(zip(self.plugins, self.points or (), strict=True))

    @property
    def rows(self) -> Rows:
        """Feasible nodes that were found."""
        return self.found.rows

    @property
    def totals(self) -> Ints | None:
        """Total scores of `rows`; None if none was computed."""
        partial = None if self.points is None else self.found.partial
        return None if partial is None else partial + self.same_for_all
