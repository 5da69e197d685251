"""The filters of all pod templates that depend on other pods, over the positions of a snapshot."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from planner.autoscaler.groups.templates import GroupTemplate
from planner.autoscaler.snapshot.domain_counts import DomainCounts, Mask, Topology
from planner.autoscaler.snapshot.domain_rules import DomainRule, FarRule, NearRule, SpreadRule
from planner.scheduler.plugins.node_ports import PortsMatcher
from planner.scheduler.profile import SchedulerProfile
from planner.scheduler.reasons import Reason
from planner.scheduler.topology.matchers import Matcher
from planner.scheduler.topology.pod_terms import (
    AllTermsMatcher,
    NamespaceLabels,
    PodTerm,
    TemplateMatcher,
    compile_terms,
)
from planner.scheduler.topology.spread_constraints import Spread, compile_spreads
from planner.state.specs import HOSTNAME_LABEL, PodSpec

_PROFILE = SchedulerProfile()
_EACH_POSITION = ""
"""A key in place of a label that has its own value on every node."""


def hard_spreads(spec: PodSpec) -> tuple[Spread, ...]:
    """The DoNotSchedule constraints of a template; defaults only give points."""
    return compile_spreads(spec, _PROFILE).hard if spec.placement.spread_constraints else ()


class Positions(Protocol):
    """What the rules ask about the nodes of the imagined cluster."""

    def __len__(self) -> int: ...

    def label_values(self, key: str) -> list[str | None]:
        """Value of a label at every position."""

    def affinity_mask(self, spec: PodSpec) -> Mask:
        """Positions that match node selector and required node affinity."""

    def taint_mask(self, spec: PodSpec) -> Mask:
        """Positions whose hard taints are tolerated."""

    def pods_there(self, matcher: Matcher) -> Iterable[tuple[int, int]]:
        """(position, number) of the chosen pods that are there now; a position may be repeated."""


class TemplateRules:
    """The filters of one pod template."""

    def __init__(self, spec: PodSpec, rules: Sequence[DomainRule]) -> None:
        self.spec = spec
        self.rules = tuple(rules)
        self.spreads = tuple(rule for rule in rules if isinstance(rule, SpreadRule))

    def passes(self) -> Mask | None:
        """Positions that all filters let pass; None if there is no filter."""
        if not self.rules:
            return None
        passes: Mask = np.logical_and.reduce([rule.passes() for rule in self.rules])
        return passes

    def refusal(self, position: int) -> Reason | None:
        """The first filter's reason against one position."""
        for rule in self.rules:
            reason = rule.refusal(position)
            if reason is not None:
                return reason
        return None


@dataclass
class _Made:
    """The filters made so far, over label values that their counts share."""

    topologies: dict[str, Topology] = field(default_factory=dict)
    known: dict[int, TemplateRules] = field(default_factory=dict)
    """By template."""
    new_nodes: int = 0
    """Nodes added so far; each has its own name."""
    in_use: bool = False
    """Whether any template has a filter."""

    def copy(self) -> "_Made":
        """A copy whose pods and positions change by themselves."""
        copies = {id(each): each.copy() for each in self.topologies.values()}
        known = {
            index: TemplateRules(each.spec, [rule.copy(copies) for rule in each.rules])
            for index, each in self.known.items()
        }
        topologies = {key: copies[id(each)] for key, each in self.topologies.items()}
        return _Made(topologies, known, self.new_nodes, self.in_use)


class PositionRules:
    """The filters of all templates, each made on first use; `fork` gives a copy to try things on."""

    def __init__(
        self,
        positions: Positions,
        all_specs: Sequence[PodSpec],
        labels: NamespaceLabels,
        template_fits: Callable[[PodSpec, GroupTemplate], tuple[bool, bool]],
        made: _Made | None = None,
    ) -> None:
        self._positions = positions
        self._all_specs = all_specs
        self._labels = labels
        self._template_fits = template_fits
        self._made = made or _Made()
        self._counting: dict[int, list[DomainCounts]] = {}
        self._dropped: list[int] = []
        self._repelling: list[tuple[int, PodTerm]] | None = None

    # -- asking -------------------------------------------------------------------------------

    def of(self, spec: PodSpec) -> TemplateRules:
        """The filters of a template; most templates have none."""
        known = self._made.known.get(spec.index)
        if known is None:
            known = self._made.known[spec.index] = TemplateRules(spec, self._compile(spec))
            if known.rules:
                self._made.in_use = True
                self._counting.clear()
        return known

    @property
    def in_use(self) -> bool:
        """Whether any template used so far has a filter."""
        return self._made.in_use

    def counts_any(self, spec: PodSpec) -> bool:
        """Whether any filter made so far counts pods of a template."""
        return bool(self._counters(spec))

    # -- pods come and go ---------------------------------------------------------------------

    def change(self, spec: PodSpec, position: int, count: int, *, terminating: bool = False) -> None:
        """Pods of a template come to a position, or leave it."""
        for counts in self._counters(spec):
            assert counts.matcher is not None
            if not terminating or counts.matcher.counts_terminating:
                counts.change(position, count)

    def drop(self, position: int) -> None:
        """A node is taken as gone: spread constraints no longer see it."""
        self._dropped.append(position)
        for known in self._made.known.values():
            for rule in known.spreads:
                rule.drop(position)

    # -- trying -------------------------------------------------------------------------------

    def fork(self) -> "PositionRules":
        """A copy that keeps everything computed so far."""
        return PositionRules(self._positions, self._all_specs, self._labels, self._template_fits, self._made.copy())

    def add_nodes(self, template: GroupTemplate, count: int) -> None:
        """New nodes join a fork at the end, with the DaemonSet pods they start with."""
        if not any(known.rules for known in self._made.known.values()):
            return
        first = 0
        for key, topology in self._made.topologies.items():
            first = len(topology.numbers)
            if key in (HOSTNAME_LABEL, _EACH_POSITION):
                topology.add(f"new-{self._made.new_nodes + at}" for at in range(count))
            else:
                topology.add([template.node.labels.get(key)] * count)
        self._made.new_nodes += count
        for known in self._made.known.values():
            if known.rules:
                self._grow(known, template, count)
        for position in range(first, first + count):
            for daemon in template.daemons:
                self.change(daemon, position, 1)

    def _grow(self, known: TemplateRules, template: GroupTemplate, count: int) -> None:
        affinity, taints = self._template_fits(known.spec, template)
        has_keys = all(rule.is_hostname or rule.spread.key in template.node.labels for rule in known.spreads)
        for rule in known.rules:
            counts = has_keys
            if isinstance(rule, SpreadRule):
                counts &= affinity or not rule.spread.honor_affinity
                counts &= taints or not rule.spread.honor_taints
            rule.grow(np.full(count, counts, dtype=np.bool_))

    # -- making -------------------------------------------------------------------------------

    def _counters(self, spec: PodSpec) -> list[DomainCounts]:
        known = self._counting.get(spec.index)
        if known is None:
            every = [counts for each in self._made.known.values() for rule in each.rules for counts in rule.counts]
            known = [each for each in every if each.matcher is not None and each.matcher.matches(spec)]
            self._counting[spec.index] = known
        return known

    def _compile(self, spec: PodSpec) -> list[DomainRule]:
        rules: list[DomainRule] = []
        if spec.placement.host_ports:
            rules.append(
                FarRule([self._counts(PortsMatcher(spec.placement.host_ports), _EACH_POSITION)], Reason.NODE_PORTS)
            )
        rules += self._spreads(spec)
        terms = compile_terms(spec)
        if terms.affinity:
            matcher = AllTermsMatcher(terms.affinity, self._labels)
            near = [self._counts(matcher, term.key) for term in terms.affinity]
            rules.append(NearRule(near, matcher.matches(spec)))
        if terms.anti_affinity:
            far = [self._counts(AllTermsMatcher((term,), self._labels), term.key) for term in terms.anti_affinity]
            rules.append(FarRule(far, Reason.POD_ANTI_AFFINITY))
        repelled = [(index, term) for index, term in self._repelling_terms() if term.matches(spec, self._labels)]
        if repelled:
            old = [self._counts(TemplateMatcher(index), term.key) for index, term in repelled]
            rules.append(FarRule(old, Reason.EXISTING_ANTI_AFFINITY))
        return rules

    def _repelling_terms(self) -> list[tuple[int, PodTerm]]:
        if self._repelling is None:
            self._repelling = [
                (spec.index, term)
                for spec in self._all_specs
                if spec.placement.required_anti_affinity
                for term in compile_terms(spec).anti_affinity
            ]
        return self._repelling

    def _spreads(self, spec: PodSpec) -> list[SpreadRule]:
        hard = hard_spreads(spec)
        if not hard:
            return []
        has_keys = np.logical_and.reduce([self._topology(spread.key).has for spread in hard])
        dropped = np.zeros(len(self._positions), dtype=np.bool_)
        dropped[self._dropped] = True
        rules = []
        for spread in hard:
            counted = has_keys
            if spread.honor_affinity:
                counted = counted & self._positions.affinity_mask(spec)
            if spread.honor_taints:
                counted = counted & self._positions.taint_mask(spec)
            matcher = None if spread.matcher is None or spread.matcher.is_empty else spread.matcher
            rules.append(SpreadRule.over(spread, self._counts(matcher, spread.key, counted), dropped))
        return rules

    def _counts(self, matcher: Matcher | None, key: str, counted: Mask | None = None) -> DomainCounts:
        counts = DomainCounts(matcher, self._topology(key), counted)
        if matcher is not None:
            for position, number in self._positions.pods_there(matcher):
                counts.change(position, number)
        return counts

    def _topology(self, key: str) -> Topology:
        known = self._made.topologies.get(key)
        if known is None:
            if key == _EACH_POSITION:
                known = Topology.of(str(at) for at in range(len(self._positions)))
            else:
                known = Topology.of(self._positions.label_values(key))
            self._made.topologies[key] = known
        return known
