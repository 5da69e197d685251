"""A cycle's search and choice by the kernel `node_choice`: gathers its inputs and reads its answers.

The twin is the rest of this room; decisions are the same.
"""

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from planner.kernels import switch
from planner.plan.model.scheduler import PluginName
from planner.scheduler.cycle.node_order import NodeSearch, nodes_to_find
from planner.scheduler.cycle.outcome import FeasibleRows, Outcome
from planner.scheduler.cycle.template_plan import BALANCE, FIT, TemplatePlan
from planner.scheduler.cycle.ties import Ties
from planner.scheduler.feasibility.resource_rules import Ints
from planner.scheduler.feasibility.resource_shapes import ResourceShape
from planner.scheduler.interface import Rows
from planner.scheduler.plugins.pod_topology_spread import PodTopologySpread
from planner.scheduler.plugins.registry import Plugins
from planner.state.cluster import Cluster
from planner.state.specs import PodSpec

if TYPE_CHECKING:
    from planner.kernels.node_choice import NodeChoice
    from planner.scheduler.plugins.soft_terms import SoftTerms

Bytes = NDArray[np.uint8]


def compiled_choice(cluster: Cluster, search: NodeSearch, ties: Ties, plugins: Plugins) -> "CompiledChoice | None":
    """None without kernels."""
    if not switch.in_use():
        return None
    from planner.kernels.node_choice import NodeChoice
    from planner.scheduler.plugins.soft_terms import SoftTerms

    spread = [plugin for plugin in plugins.scores if isinstance(plugin, PodTopologySpread)]
    return CompiledChoice(NodeChoice(), cluster, search, ties, SoftTerms(spread[0]) if spread else None)


class CompiledChoice:
    """The kernel of one profile. `rows` and `partial` are those of the last decision."""

    def __init__(
        self, kernel: "NodeChoice", cluster: Cluster, search: NodeSearch, ties: Ties, soft: "SoftTerms | None"
    ) -> None:
        self._kernel = kernel
        self._cluster = cluster
        self._search = search
        self._ties = ties
        self._soft = soft
        self._nodes = -1

    @property
    def rows(self) -> Rows:
        """Feasible nodes that were found."""
        return self._kernel.found_rows()

    @property
    def partial(self) -> Ints:
        """Their totals without points that all get alike."""
        return self._kernel.found_totals()

    def find(self, passes: Bytes, fits: Bytes, percentage: int) -> int:
        """Search the nodes of both masks from where the last search ended; how many were found."""
        search, nodes = self._search, self._cluster.nodes.count
        total = len(search.order)
        if total == 0:
            return 0
        if nodes != self._nodes:
            self._kernel.reserve(nodes, np.array([math.log(count) for count in range(2, nodes + 4)]))
            self._nodes = nodes
        start = search.start % total  # nodes may have gone since it was noted
        found = self._kernel.search(search.order.twice, passes, fits, start, nodes_to_find(total, percentage))
        search.start = (search.start + self._kernel.looked_at) % total
        return found

    def only(self) -> Outcome:
        """The one node that was found."""
        return Outcome(self._kernel.row(0), 1, found=FeasibleRows(self.rows))

    def best(self, pod: int, spec: PodSpec, shape: ResourceShape, plan: TemplatePlan, others_recorded: int) -> Outcome:
        """The node with the most points of those found."""
        kernel, uniform = self._kernel, 0
        kernel.points(shape.points)
        by_name: dict[str, Ints | int] = {}
        for plugin, name, weight in plan.scores:
            same = plugin.uniform(spec)
            if same is not None:
                by_name[name] = same * weight
                uniform += same * weight
            elif name == PluginName.POD_TOPOLOGY_SPREAD and self._soft is not None:
                kernel.spread(*self._soft.of(spec), weight)
            else:
                points = plugin.score(spec, kernel.found_rows())
                if points is not None:
                    by_name[name] = points = points * weight
                    kernel.add(points)
        node = kernel.choose(self._ties.keys(), self._ties.factor(pod))
        figures = self._figures(plan, shape, by_name, kernel.place)
        others = tuple(
            (kernel.row(place), tuple(self._figures(plan, shape, by_name, place).values()))
            for place in (kernel.runners_up(others_recorded) if others_recorded else ())
        )
        names, points_of_node = tuple(figures), tuple(figures.values())
        return Outcome(node, kernel.found, names, points_of_node, uniform, kernel.tied, others, found=self)

    def _figures(
        self, plan: TemplatePlan, shape: ResourceShape, by_name: dict[str, Ints | int], place: int
    ) -> dict[str, int]:
        """Scores of one node, in the order of the plugins."""
        out: dict[str, int] = {}
        node = self._kernel.row(place)
        for name in plan.score_order:
            points = by_name.get(name)
            if points is not None:
                out[name] = points if isinstance(points, int) else points.item(place)
            elif name == FIT:
                out[name] = shape.allocation.item(node) * shape.allocation_weight
            elif name == BALANCE:
                if shape.has_balance:
                    out[name] = shape.balance.item(node) * shape.balance_weight
            elif name == PluginName.POD_TOPOLOGY_SPREAD:
                out[name] = self._kernel.spread_points(place)
        return out
