"""One scheduling cycle: find feasible nodes, score them, take the best (kube-scheduler 1.36, schedule_one.go).

Results that depend only on templates are cached until a node changes, and resource figures are cached per request
(`resource_shapes`); the outcome is that of a cycle without caches.
"""

from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from planner.scheduler.cycle.compiled_choice import Bytes, Choices, CompiledChoice, compiled_choice
from planner.scheduler.cycle.feasibility import Prepared
from planner.scheduler.cycle.lasting_filter import LastingFilter
from planner.scheduler.cycle.node_answers import AnswerMemory
from planner.scheduler.cycle.node_order import NodeSearch, nodes_to_find
from planner.scheduler.cycle.outcome import NO_ROWS, Choice, FeasibleRows, Outcome
from planner.scheduler.cycle.select import find_feasible
from planner.scheduler.cycle.template_plan import BALANCE, FIT, RESOURCE_SCORES, TemplatePlan
from planner.scheduler.cycle.ties import FirstByName, Ties
from planner.scheduler.feasibility.resource_rules import Ints, Mask
from planner.scheduler.feasibility.resource_shapes import ResourceShape, ResourceShapes
from planner.scheduler.interface import FilterPlugin, Rows, SchedulerContext, SparseRequests
from planner.scheduler.plugins.registry import default_plugins
from planner.scheduler.profile import SchedulerProfile
from planner.state.cluster import Cluster
from planner.state.nodes import NONE
from planner.state.specs import PodSpec

OTHERS_RECORDED = 2
"""Nodes besides the chosen one whose scores an outcome records: enough to see how close it was."""


class SchedulingCycle:
    """One profile at work on a cluster."""

    def __init__(
        self,
        cluster: Cluster,
        profile: SchedulerProfile,
        search: NodeSearch | None = None,
        context: SchedulerContext | None = None,
        ties: Ties | None = None,
    ) -> None:
        """`search`, `context` and `ties` are given where several profiles share them."""
        self.context = SchedulerContext.of(cluster, profile) if context is None else context.with_profile(profile)
        self._shapes = ResourceShapes(cluster, profile)
        self.plugins = default_plugins(self.context, self._shapes)
        self._other_scores = tuple(plugin for plugin in self.plugins.scores if plugin.name not in RESOURCE_SCORES)
        self._with_pods = tuple(p for p in self.plugins.filters if p.looks_at_pods)
        self._filters: tuple[FilterPlugin, ...] = tuple(
            plugin if plugin.looks_at_pods else LastingFilter(plugin, self.context) for plugin in self.plugins.filters
        )
        self._without_pods = tuple(p for p in self._filters if not p.looks_at_pods)
        self.search = search or NodeSearch(cluster)
        self.ties = ties or FirstByName(self.search.names)
        self._sparse = SparseRequests()
        self._answers = AnswerMemory(self.context)
        self._cluster = cluster
        self._plans: dict[int, TemplatePlan] = {}
        self._prepared: Prepared | None = None
        self._prepared_at = (NONE, NONE, NONE, NONE)
        """Of which pod, as of which changes and nodes."""
        self._static: dict[int, tuple[int, int, Mask, Bytes]] = {}
        self._compiled = compiled_choice(self.context, self.search, self.ties, self.plugins)

    def decide(self, pod: int, *, knows_nomination: bool = True, others_recorded: int = OTHERS_RECORDED) -> Outcome:
        """The node for a pending pod. Changes nothing but the start of the next search.

        `knows_nomination`: whether the pod carries its nomination, so that this node is tried first.
        `others_recorded`: how many of the best nodes besides the one taken have their points recorded.
        """
        cluster = self._cluster
        spec = cluster.pod_specs[cluster.pods.spec[pod]]
        if cluster.nominated_pods and knows_nomination:
            nominated = int(cluster.pods.nominated[pod])
            if nominated != NONE and self._nominated_fits(pod, spec, nominated):
                return Outcome(nominated, 1, nominated=True, found=FeasibleRows(np.array([nominated])))
        pinned = cluster.pods.pinned.item(pod) != NONE
        plan = self._plan(spec)
        is_searched = not plan.names_nodes and not pinned
        if self._compiled is not None and is_searched:
            return self._compiled_decision(self._compiled, pod, spec, plan, others_recorded)
        rows = self._found(pod, spec, plan, self.feasible(pod, spec, plan))
        if not len(rows):
            return self._refusal(pod, spec, is_searched)
        if len(rows) == 1:
            return Outcome(int(rows[0]), 1, found=FeasibleRows(rows))
        return self.best(pod, rows, others_recorded, plan)

    def choose(self, pod: int, spec: PodSpec, others_recorded: int) -> tuple[tuple[str, ...], Choice] | None:
        """Plugins and choice of `decide` where that is known to be simple; None: `decide` says."""
        cluster = self._cluster
        if self._compiled is None or cluster.nominated_pods or cluster.pods.pinned.item(pod) != NONE:
            return None
        return self._compiled.choose(pod, spec, others_recorded)

    def choose_in_turn(self, pods: Rows, spec: PodSpec, others_recorded: tuple[int, int]) -> Choices | None:
        """The same for several pods, not pinned while none is nominated, see `CompiledChoice.choose_in_turn`."""
        return None if self._compiled is None else self._compiled.choose_in_turn(pods, spec, others_recorded)

    def can_choose_in_turn(self, spec: PodSpec) -> bool:
        """Whether `choose_in_turn` knows a template."""
        return self._compiled is not None and self._compiled.counters_of(spec) is not None

    def _compiled_decision(
        self, choice: CompiledChoice, pod: int, spec: PodSpec, plan: TemplatePlan, others_recorded: int
    ) -> Outcome:
        shape = self._shapes.of(spec)
        if not self._cluster.nominated_pods:
            if choice.keep(spec, plan, self._static_mask(spec)[3], shape):
                outcome = choice.decide(pod, spec, others_recorded)
            else:
                passes = self.feasible(pod, spec, plan).view(np.uint8)
                masks = passes, passes
                outcome = choice.search(pod, spec, plan, shape, masks, others_recorded) if passes.any() else None
            if outcome is not None:
                return outcome
        prepare = partial(self.prepare, pod, spec)
        if plan.is_node_local or prepare().is_node_local:
            own = self._answers.only_one(pod, spec, prepare)
            if own != NONE:  # whose victims have gone; the search would look at all nodes
                self.search.looked_at_all()
                return Outcome(own, 1, found=FeasibleRows(np.array([own])))
            answers = self._answers.of(pod, spec, prepare)
            if not answers.feasible:
                self.search.looked_at_all()
                return Outcome(prepared=prepare(), verdicts=answers)
            passes = answers.passes.view(np.uint8)
        else:
            passes = self.feasible(pod, spec, plan).view(np.uint8)
        outcome = choice.search(pod, spec, plan, shape, (passes, passes), others_recorded)
        return outcome or Outcome(prepared=prepare(), verdicts=prepare().verdicts())

    def _refusal(self, pod: int, spec: PodSpec, is_searched: bool) -> Outcome:
        """`is_searched`: whether all nodes were looked at, and not only some by name."""
        prepare = partial(self.prepare, pod, spec)
        if is_searched and prepare().is_node_local:
            return Outcome(prepared=prepare(), verdicts=self._answers.of(pod, spec, prepare))
        return Outcome(prepared=prepare(), verdicts=prepare().verdicts())

    def prepare(self, pod: int, spec: PodSpec) -> Prepared:
        """All filters that may refuse, ready to be asked about single nodes and reasons."""
        present = pod, self._cluster.node_changes.cursor, self.context.nodes_version(), self._cluster.nodes.count
        if present != self._prepared_at or self._prepared is None:
            filters = self._plan(spec).filters
            self._prepared = Prepared(self.context, self._sparse, pod, spec, filters)
            self._prepared_at = present
        return self._prepared

    def feasible(self, pod: int, spec: PodSpec, plan: TemplatePlan | None = None) -> Mask:
        """Nodes that pass every filter, the double check with nominated pods included."""
        plan = plan or self._plan(spec)
        mask = self._static_mask(spec)[2]
        for plugin in plan.with_pods:
            prepared = plugin.prepare(spec)
            if prepared is not None:
                mask = mask & prepared.passes
        if self._cluster.nominated_pods or plan.names_nodes or self._cluster.pods.pinned[pod] != NONE:
            prepared_all = self.prepare(pod, spec)
            allowed = prepared_all.allowed()
            mask = mask.copy() if allowed is None else mask & allowed
            mask[list(prepared_all.nominated_refusals(mask))] = False
        return mask

    def asks_for_room_alone(self, spec: PodSpec) -> bool:
        """Whether of all that pods change only the room for its request may refuse pods of a template."""
        return all(plugin.name == FIT for plugin in self._plan(spec).with_pods)

    def _plan(self, spec: PodSpec) -> TemplatePlan:
        """Which plugins matter for a template; made again when others may say something new about it."""
        version = self.context.rules.version()
        known, weights = self._plans.get(spec.index), self.context.profile.weights
        if known is None or known.version != version:
            with_pods = tuple(plugin for plugin in self._with_pods if plugin.may_refuse(spec))
            known = self._plans[spec.index] = TemplatePlan(
                version,
                tuple(one for one in self._filters if not one.looks_at_pods or one in with_pods),
                with_pods,
                tuple(plugin.name.value for plugin in self.plugins.scores if plugin.may_score(spec)),
                tuple((one, one.name.value, weights[one.name]) for one in self._other_scores if one.may_score(spec)),
                any(term.match_fields for term in spec.placement.required_terms),
                all(plugin.is_node_local for plugin in with_pods),
            )
        return known

    def best(self, pod: int, rows: Rows, others_recorded: int, plan: TemplatePlan | None = None) -> Outcome:
        """The node with the most points of those of `rows`."""
        spec = self._cluster.pod_specs[self._cluster.pods.spec[pod]]
        plan = plan or self._plan(spec)
        uniform, shape = 0, self._shapes.of(spec)
        totals = shape.points.take(rows)
        scores: dict[str, Ints | int] = {}
        for plugin, name, weight in plan.scores:
            same = plugin.uniform(spec)
            if same is not None:
                scores[name] = same * weight
                uniform += same * weight
                continue
            points = plugin.score(spec, rows)
            if points is not None:
                scores[name] = points = points * weight
                totals += points
        top = totals[totals.argmax()]
        best = (totals == top).nonzero()[0]
        place = int(best[self.ties.choose(pod, rows.take(best)) if len(best) > 1 else 0])
        node = int(rows[place])
        figures = self._figures(plan.score_order, shape, scores, node, place)
        others = [
            (other, tuple(self._figures(plan.score_order, shape, scores, other, at).values()))
            for at, other in (_runners_up(rows, totals, best, place, others_recorded) if others_recorded else ())
        ]
        found = FeasibleRows(rows, totals)
        return Outcome(
            node, len(rows), tuple(figures), tuple(figures.values()), uniform, len(best), others, found=found
        )

    def _figures(
        self,
        order: Sequence[str],
        shape: ResourceShape,
        scores: Mapping[str, Ints | int],
        node: int,
        place: int,
    ) -> dict[str, int]:
        """Scores of one node, at index `place` of the feasible ones, in the order of the plugins."""
        out: dict[str, int] = {}
        for name in order:
            points = scores.get(name)
            if points is not None:
                out[name] = points if isinstance(points, int) else points.item(place)
            elif name == FIT:
                out[name] = shape.allocation.item(node) * shape.allocation_weight
            elif name == BALANCE and shape.has_balance:
                out[name] = shape.balance.item(node) * shape.balance_weight
        return out

    def _found(self, pod: int, spec: PodSpec, plan: TemplatePlan, feasible: Mask) -> Rows:
        total = len(self.search.order)
        if total == 0:
            return NO_ROWS
        percentage = self.context.profile.percentage_of_nodes_to_score
        if plan.names_nodes or self._cluster.pods.pinned[pod] != NONE:
            return self._found_by_name(pod, spec, feasible, percentage)
        start = self.search.start % total  # nodes may have gone since it was noted
        sample = find_feasible(self.search.order.twice, start, feasible, nodes_to_find(total, percentage))
        self.search.start = (self.search.start + sample.looked_at) % total
        return sample.rows

    def _found_by_name(self, pod: int, spec: PodSpec, feasible: Mask, percentage: int) -> Rows:
        """Only the named nodes are searched; the start moves on as if they were the list."""
        allowed = self.prepare(pod, spec).allowed()
        rows = self.search.order.rows if allowed is None else self.search.order.rows[allowed[self.search.order.rows]]
        if not len(rows):
            return NO_ROWS
        twice: NDArray[np.int64] = np.concatenate([rows, rows])
        sample = find_feasible(twice, self.search.start % len(rows), feasible, nodes_to_find(len(rows), percentage))
        self.search.start = (self.search.start + sample.looked_at) % len(self.search.order)
        return sample.rows

    def _nominated_fits(self, pod: int, spec: PodSpec, node: int) -> bool:
        if not self._cluster.nodes.exists[node]:
            return False
        prepared = self.prepare(pod, spec)
        allowed = prepared.allowed()
        if allowed is not None and not allowed[node]:
            return False
        return prepared.refuse_with_nominated(node, pod) is None

    def _static_mask(self, spec: PodSpec) -> tuple[int, int, Mask, Bytes]:
        """Existing nodes that pass the filters no pod can change, also as bytes; kept until a node changes."""
        count, version = self._cluster.nodes.count, self.context.nodes_version()
        rules = self.context.rules.of_nodes(spec)
        known = self._static.get(rules)
        if known is not None and known[0] == version and known[1] == count:
            return known
        mask: Mask = self._cluster.nodes.exists.copy()
        for plugin in self._without_pods:
            prepared = plugin.prepare(spec)
            if prepared is not None:
                mask &= prepared.passes
        known = self._static[rules] = (version, count, mask, mask.view(np.uint8))
        return known


def _runners_up(rows: Rows, totals: Ints, best: Ints, taken: int, wanted: int) -> list[tuple[int, int]]:
    """Positions and rows of the best nodes besides the one taken, best first; equal ones in order of search."""
    if len(best) > wanted:
        places = [at for at in best[: wanted + 1].tolist() if at != taken][:wanted]
    else:
        places, left = [], totals.copy()
        left[taken] = -1
        for _ in range(min(wanted, len(rows) - 1)):
            places.append(at := int(left.argmax()))
            left[at] = -1
    return [(at, int(rows[at])) for at in places]
