"""A cycle's search and choice by the kernel `node_choice`: gathers its inputs and reads its answers.

The twin is the rest of this room; decisions are the same.
"""

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from planner.kernels import switch
from planner.plan.model.scheduler import PluginName
from planner.scheduler.cycle.node_order import NodeSearch, nodes_to_find
from planner.scheduler.cycle.outcome import Choice, FeasibleRows, Outcome
from planner.scheduler.cycle.template_plan import BALANCE, FIT, TemplatePlan
from planner.scheduler.cycle.ties import Ties
from planner.scheduler.feasibility.resource_rules import Ints
from planner.scheduler.feasibility.resource_shapes import ResourceShape
from planner.scheduler.interface import Rows, SchedulerContext
from planner.scheduler.plugins.pod_topology_spread import PodTopologySpread
from planner.scheduler.plugins.registry import Plugins
from planner.scheduler.plugins.taint_toleration import TaintToleration
from planner.state.specs import PodSpec

if TYPE_CHECKING:
    from planner.kernels.placing.counter_columns import CounterColumns
    from planner.kernels.placing.node_choice import NodeChoice
    from planner.kernels.placing.node_columns import Columns
    from planner.scheduler.plugins.hard_terms import HardTerms, Limits
    from planner.scheduler.plugins.soft_terms import LastingTerms, SoftTerms

Bytes = NDArray[np.uint8]
Choices = tuple[tuple[str, ...], list[Choice]]
"""Plugins that gave points, and the choice of each pod."""
SPREAD = PluginName.POD_TOPOLOGY_SPREAD.value
TAINTS = PluginName.TAINT_TOLERATION.value
_ALLOCATION, _BALANCE, _SPREAD, _TAINTS = -1, -2, -3, -4
"""In the layout of the kernel's columns."""


def compiled_choice(
    context: SchedulerContext, search: NodeSearch, ties: Ties, plugins: Plugins
) -> "CompiledChoice | None":
    """None without kernels."""
    if not switch.in_use():
        return None
    from planner.kernels.placing.node_choice import NodeChoice
    from planner.scheduler.plugins.hard_terms import HardTerms
    from planner.scheduler.plugins.soft_terms import SoftTerms

    spread = [plugin for plugin in plugins.scores if isinstance(plugin, PodTopologySpread)]
    soft = SoftTerms(spread[0]) if spread else None
    taints = next((plugin for plugin in plugins.scores if isinstance(plugin, TaintToleration)), None)
    return CompiledChoice(NodeChoice(ties.salt), context, search, ties, (soft, HardTerms(context)), taints)


class _Known(NamedTuple):
    """What was prepared for a template, as long as the nodes and the columns of counts are the same."""

    nodes: tuple[int, int, int]
    """As of these nodes and templates."""
    shape: ResourceShape
    terms: "LastingTerms | None"
    limits: "Limits"
    columns: "Columns"
    plugins: tuple[str, ...]
    uniform: int


class CompiledChoice:
    """The kernel of one profile. `rows` and `partial` are those of the last decision."""

    def __init__(
        self,
        kernel: "NodeChoice",
        context: SchedulerContext,
        search: NodeSearch,
        ties: Ties,
        terms: "tuple[SoftTerms | None, HardTerms]",
        taints: TaintToleration | None,
    ) -> None:
        self._kernel = kernel
        self._cluster = context.cluster
        self._changes, self._rules, self._counts = context.changes, context.rules, context.counts
        self._pods = context.cluster.pods
        self._search = search
        self._ties = ties
        self._soft, self._hard = terms
        self._taints = taints
        self._percentage = context.profile.percentage_of_nodes_to_score
        self._ready = (-1, -1, -1)
        self._total = self._wanted = 0
        self._known: dict[int, _Known] = {}

    def __getstate__(self) -> dict[str, Any]:
        """Copies read their own columns."""
        return vars(self) | {"_kernel": self._ties.salt, "_ready": (-1, -1, -1), "_known": {}}

    def __setstate__(self, state: dict[str, Any]) -> None:
        from planner.kernels.placing.node_choice import NodeChoice

        vars(self).update(state, _kernel=NodeChoice(state["_kernel"]))

    @property
    def rows(self) -> Rows:
        """Feasible nodes that were found."""
        return self._kernel.found_rows()

    @property
    def partial(self) -> Ints:
        """Their totals without points that all get alike."""
        return self._kernel.found_totals()

    def choose(self, pod: int, spec: PodSpec, others_recorded: int) -> tuple[tuple[str, ...], Choice] | None:
        """Plugins that gave points and the choice, by what `keep` has kept; None if nothing was kept that still holds,
        or if no node is feasible."""
        known = self._kept(spec)
        if known is None:
            return None
        total, search, kernel = self._get_ready(known.nodes), self._search, self._kernel
        if total == 0:
            return None
        known.shape.refresh()
        key = self._pods.draw_key.item(pod)
        choice = kernel.decide(known.columns, search.start % total, self._wanted, key, others_recorded)
        if choice is None:  # the slow way says why
            return None
        search.start = (search.start + kernel.looked_at) % total
        return known.plugins, choice

    def counters_of(self, spec: PodSpec) -> "tuple[CounterColumns, ...] | None":
        """Counts that pods of a template are in; None where the kernel does not know all that a binding changes."""
        known = self._kept(spec)
        return None if known is None or known.shape.kernel is None else self._counts.moved_by(spec.index)

    def choose_in_turn(self, pods: Rows, spec: PodSpec, others_recorded: tuple[int, int]) -> Choices | None:
        """`choose` for pods of a template one after the other, as far as there are nodes, as if each was bound at once.

        `others_recorded`: for how many of them, and how many.
        """
        counters, known = self.counters_of(spec), self._known.get(spec.index)
        if counters is None or known is None or known.shape.kernel is None:
            return None
        total, search = self._get_ready(known.nodes), self._search
        if total == 0:
            return None
        known.shape.refresh()
        choices, start = self._kernel.decide_in_turn(
            known.columns, search.start % total, self._wanted, self._pods.draw_key[pods], others_recorded,
            known.shape.kernel, counters,
        )  # fmt: skip
        if not choices:
            return None
        search.start = start
        return known.plugins, choices

    def _kept(self, spec: PodSpec) -> _Known | None:
        """What was kept for a template, if it still holds."""
        known = self._known.get(spec.index)
        if known is None or known.nodes != self._present():
            return None
        if known.terms is not None and not known.terms.follow(known.nodes[1]):
            return None
        for limit in known.limits:
            if not limit.follows():
                return None
        return known

    def decide(self, pod: int, spec: PodSpec, others_recorded: int) -> Outcome | None:
        """The same as an outcome."""
        chosen = self.choose(pod, spec, others_recorded)
        if chosen is None:
            return None
        plugins, (node, feasible, points, tied, others) = chosen
        if points is None:
            return self._only()
        return Outcome(node, feasible, plugins, points, self._known[spec.index].uniform, tied, others, found=self)

    def search(
        self,
        pod: int,
        spec: PodSpec,
        plan: TemplatePlan,
        shape: ResourceShape,
        masks: tuple[Bytes, Bytes],
        others_recorded: int,
    ) -> Outcome | None:
        """The outcome for nodes of both masks, with plugins asked for points of those found; None if there are none."""
        total, search, kernel = self._get_ready(self._present()), self._search, self._kernel
        if total == 0:
            return None
        found = kernel.search(*masks, search.start % total, self._wanted)
        search.start = (search.start + kernel.looked_at) % total
        if found < 2:
            return self._only() if found else None
        return self._best(pod, spec, shape, plan, others_recorded)

    def _present(self) -> tuple[int, int, int]:
        """Changes of nodes, node rows, and of what templates say about others."""
        return self._changes.version, self._cluster.nodes.count, self._rules.version()

    def _get_ready(self, present: tuple[int, int, int]) -> int:
        """Let the kernel read what there is; the number of nodes to search."""
        if present != self._ready:
            nodes, order = present[1], self._search.order
            if self._ready[1] != nodes:
                self._kernel.reserve(nodes, np.array([math.log(count) for count in range(2, nodes + 4)]))
            self._kernel.read(order.twice, self._ties.keys())
            self._ready, self._total = present, len(order)
            self._wanted = nodes_to_find(self._total, self._percentage)
        return self._total

    def _only(self) -> Outcome:
        return Outcome(self._kernel.row(0), 1, found=FeasibleRows(self.rows))

    def keep(self, spec: PodSpec, plan: TemplatePlan, passes: Bytes, shape: ResourceShape) -> bool:
        """Prepare a template of which room and domains alone depend on pods, if the kernel knows these and its scores;
        whether it does.

        Nothing is done where what was kept still holds.

        `passes`: nodes that the other filters let pass.
        """
        if self._kept(spec) is not None:
            return True
        fixed = {name: plugin.uniform(spec) for plugin, name, _ in plan.scores}
        terms = self._soft.lasting(spec) if self._soft is not None and SPREAD in fixed else None
        soft_taints = None
        if self._taints is not None and TAINTS in fixed and fixed[TAINTS] is None:
            soft_taints = self._taints.soft_taints(spec)
        known = {SPREAD: terms is not None, TAINTS: soft_taints is not None}
        if any(same is None and not known.get(name, False) for name, same in fixed.items()):
            return False
        limits = self._hard.lasting(spec, plan.with_pods)
        if limits is None:
            return False
        weights = {name: weight for _, name, weight in plan.scores}
        points = {name: same * weights[name] for name, same in fixed.items() if same is not None}
        codes = {FIT: _ALLOCATION, BALANCE: _BALANCE, SPREAD: _SPREAD, TAINTS: _TAINTS} | points
        names = tuple(name for name in plan.score_order if name != BALANCE or shape.has_balance)
        from planner.kernels.placing.node_columns import Columns

        columns = Columns(
            passes,
            shape.fit_bytes,
            (shape.points, shape.allocation, shape.balance),
            (shape.allocation_weight, shape.balance_weight, weights.get(SPREAD, 0), weights.get(TAINTS, 0)),
            *(((), False) if terms is None else terms.terms),
            soft_taints,
            tuple(codes[name] for name in names),
            tuple(each.limit for each in limits),
        )
        self._known[spec.index] = _Known(self._present(), shape, terms, limits, columns, names, sum(points.values()))
        return True

    def _best(self, pod: int, spec: PodSpec, shape: ResourceShape, plan: TemplatePlan, others_recorded: int) -> Outcome:
        """The node with the most points of those found."""
        kernel, uniform = self._kernel, 0
        kernel.points(shape.points)
        by_name: dict[str, Ints | int] = {}
        for plugin, name, weight in plan.scores:
            same = plugin.uniform(spec)
            if same is not None:
                by_name[name] = same * weight
                uniform += same * weight
            elif name == SPREAD and self._soft is not None:
                kernel.spread(*self._soft.of(spec), weight)
            else:
                points = plugin.score(spec, kernel.found_rows())
                if points is not None:
                    by_name[name] = points = points * weight
                    kernel.add(points)
        node = kernel.choose(self._pods.draw_key.item(pod))
        figures = self._figures(plan, shape, by_name, kernel.place)
        others = [
            (kernel.row(place), tuple(self._figures(plan, shape, by_name, place).values()))
            for place in (kernel.runners_up(others_recorded) if others_recorded else ())
        ]
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
            elif name == SPREAD:
                out[name] = self._kernel.spread_points(place)
        return out
