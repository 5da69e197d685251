"""Filters that depend on other pods while an estimate adds nodes: a copy of the snapshot's rules that grows."""

from collections.abc import Iterable
from typing import Protocol

import numpy as np

from planner.autoscaler.groups.templates import GroupTemplate
from planner.autoscaler.snapshot.domain_counts import Mask
from planner.autoscaler.snapshot.position_rules import PositionRules
from planner.scheduler.reasons import Reason
from planner.state.resources import Amounts, pod_amounts
from planner.state.specs import HOSTNAME_LABEL, PodSpec

SPREAD_REASONS = (Reason.SPREAD, Reason.SPREAD_MISSING_LABEL)


class OldNodes(Protocol):
    """The nodes that exist before the estimate."""

    free: np.ndarray[tuple[int, int], np.dtype[np.int64]]
    rules: PositionRules

    def __len__(self) -> int: ...

    def accepts(self, spec: PodSpec) -> Mask:
        """Positions the template may go to, whatever is there."""


class NewNodeRules:
    """Counts pods on old and new nodes; new nodes are numbered from 0."""

    def __init__(self, old: OldNodes, template: GroupTemplate, specs: Iterable[PodSpec]) -> None:
        for spec in specs:
            old.rules.of(spec)
        self._old = old
        self._rules = old.rules.fork()
        self._template = template
        self._first = len(old)
        self._taken: dict[int, Amounts] = {}

    def is_plain(self, spec: PodSpec) -> bool:
        """Whether only room decides where pods of the template may go."""
        return not self._rules.of(spec).rules

    def uses_hostname_spread(self, spec: PodSpec) -> bool:
        """Whether a spread constraint of the pods, even a soft one, is over single nodes."""
        return any(each.topology_key == HOSTNAME_LABEL for each in spec.placement.spread_constraints)

    def add_nodes(self, count: int) -> None:
        """Nodes of the template join."""
        self._rules.add_nodes(self._template, count)

    def put(self, spec: PodSpec, node: int, count: int) -> None:
        """Pods come to a new node."""
        self._rules.change(spec, self._first + node, count)

    def counts_any(self, spec: PodSpec) -> bool:
        """Whether it matters for any rule where these pods go."""
        return self._rules.counts_any(spec)

    def refusal(self, spec: PodSpec, node: int) -> Reason | None:
        """Why a new node does not take one more pod, room aside."""
        return self._rules.of(spec).refusal(self._first + node)

    @property
    def old_nodes_used(self) -> int:
        """Old nodes that took pods of the estimate."""
        return len(self._taken)

    def put_on_old(self, spec: PodSpec, position: int) -> bool:
        """Put a pod on an old node if it fits there."""
        need = pod_amounts(spec.request)
        free = self._old.free[position] - self._taken.get(position, 0)
        if not self._old.accepts(spec)[position] or ((need > free) & (need > 0)).any():
            return False
        if self._rules.of(spec).refusal(position) is not None:
            return False
        self._taken[position] = self._taken.get(position, np.zeros_like(need)) + need
        self._rules.change(spec, position, 1)
        return True
