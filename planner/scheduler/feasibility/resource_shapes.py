"""Fit and resource scores per request, kept up to date row by row.

Pods with equal requests share one shape. After a placement only one node's inputs changed, so only that row is
computed again; the result equals a fresh computation (property test).
"""

from typing import TYPE_CHECKING, Any

import numpy as np

from planner.kernels import switch
from planner.plan.model.scheduler import PluginName, StrategyType
from planner.scheduler.feasibility.one_node_rules import balance_score_one, fits_one, least_allocated_one
from planner.scheduler.feasibility.resource_rules import (
    Ints,
    Mask,
    allocation_scores,
    balance_scores,
    never_enough,
    placed_balance,
    shortages,
)
from planner.scheduler.profile import SchedulerProfile
from planner.state.cluster import Cluster
from planner.state.resources import EPHEMERAL, Amounts, ResourceAxis
from planner.state.specs import PodSpec

if TYPE_CHECKING:
    from planner.kernels.placing.resource_scores import ResourceScores

FEW_ROWS = 4
"""Up to so many changed rows plain numbers are faster than arrays."""
NATIVE_DOMAIN = "kubernetes.io/"
"""Resources with this in their name are native (Kubernetes 1.36, pkg/apis/core/v1/helper)."""


class ResourceShape:
    """What one request means on every node."""

    def __init__(self, cluster: Cluster, profile: SchedulerProfile, spec: PodSpec) -> None:
        self._cluster = cluster
        self._strategy = profile.scoring
        self.request = spec.request
        self.counted = counted_columns(cluster.axis, profile)
        asked = spec.placement.score_request
        if asked is None:
            asked = spec.request.copy()
            asked[:2] = spec.nonzero
        self._asked = asked
        weights = {name: weight or 1 for name, weight in profile.scoring.resources}
        self._score_columns = _columns(cluster, tuple(weights), asked)
        self._weights = np.array([weights[cluster.axis.names[c]] for c in self._score_columns], dtype=np.int64)
        configured = _columns(cluster, profile.balanced_resources, None)
        self.has_balance = profile.balances_best_effort or bool((spec.request[configured] != 0).any())
        self._balance_scores = balance_scores if profile.scores_balance_change else placed_balance
        self._balance_columns = _columns(cluster, profile.balanced_resources, spec.request)
        self._asked_entries = [(c, int(v)) for c, v in enumerate(spec.request) if v > 0 and self.counted[c]]
        self._scored = [
            (column, int(asked[column]), int(weight))
            for column, weight in zip(self._score_columns, self._weights, strict=True)
        ]
        self._scores_more = any(column >= 2 for column in self._score_columns)
        self._balanced = [(column, int(spec.request[column])) for column in self._balance_columns]
        self._has_twins = (
            profile.scalar_twins
            and profile.scores_balance_change
            and profile.scoring.type == StrategyType.LEAST_ALLOCATED
            and len(self._balance_columns) == 2
        )
        fit, balance = PluginName.NODE_RESOURCES_FIT, PluginName.NODE_RESOURCES_BALANCED_ALLOCATION
        self.allocation_weight = 0 if fit in profile.disabled else profile.weights[fit]
        self.balance_weight = 0 if balance in profile.disabled or not self.has_balance else profile.weights[balance]
        self.points: Ints = np.zeros(0, dtype=np.int64)
        """Weighted sum of both scores."""
        self._requests = spec.request, spec.nonzero
        """What a pod takes of all resources, and of CPU and memory with the scoring defaults."""
        self._cursor = self._short_cursor = -1
        self._short: tuple[Mask, Mask] = np.zeros((0, 0), np.bool_), np.zeros((0, 0), np.bool_)
        self.kernel = self._made_kernel()
        """Writes the columns; None where that is done here."""
        self.fits: Mask = np.zeros(0, dtype=np.bool_)
        self.fit_bytes = self.fits.view(np.uint8)
        """The same as bytes."""
        self.allocation: Ints = np.zeros(0, dtype=np.int64)
        self.balance: Ints = np.zeros(0, dtype=np.int64)

    def __getstate__(self) -> dict[str, Any]:
        """Copies write their own columns."""
        return vars(self) | {"kernel": None, "_cursor": -1}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self.kernel = self._made_kernel()

    def refresh(self) -> "ResourceShape":
        """Redo the rows that changed since last time; all of them at first and when there are new rows."""
        cluster = self._cluster
        log = cluster.node_changes
        if self._cursor == log.cursor and len(self.fits) == cluster.nodes.count:
            return self
        changed = None if self._cursor < 0 or len(self.fits) != cluster.nodes.count else log.since(self._cursor)
        if changed is None:
            self.fits = np.zeros(cluster.nodes.count, dtype=np.bool_)
            self.fit_bytes = self.fits.view(np.uint8)
            self.allocation = np.zeros(cluster.nodes.count, dtype=np.int64)
            self.balance = np.zeros(cluster.nodes.count, dtype=np.int64)
            self.points = np.zeros(cluster.nodes.count, dtype=np.int64)
            if self.kernel is not None:
                nodes = cluster.nodes
                self.kernel.read(nodes.requested, nodes.allocatable, nodes.nonzero)
                self.kernel.write(self.fit_bytes, self.allocation, self.balance, self.points)
                self.kernel.redo_all()
            else:
                self._redo(slice(None))
        elif self.kernel is not None:
            self.kernel.redo(changed)
        else:
            rows = list(dict.fromkeys(changed))
            if self._has_twins and len(rows) <= FEW_ROWS:
                for row in rows:
                    self._redo_one(row)
            else:
                self._redo(np.array(rows, dtype=np.int64))
        self._cursor = log.cursor
        return self

    def _made_kernel(self) -> "ResourceScores | None":
        """The compiled twin, where there are kernels and it knows the strategy."""
        if not self._has_twins or not switch.in_use():
            return None
        from planner.kernels.placing.resource_scores import ResourceScores

        balanced = self._balanced if self.has_balance else ()
        weights = self.allocation_weight, self.balance_weight
        return ResourceScores(self._asked_entries, self._scored, balanced, weights, self._requests)

    def _redo(self, rows: slice | Ints) -> None:
        nodes = self._cluster.nodes
        requested, allocatable = nodes.requested[rows], nodes.allocatable[rows]
        self.fits[rows] = ~shortages(requested, allocatable, self.request, self.counted).any(axis=1)
        columns = self._score_columns
        used = requested[:, columns]
        for place, column in enumerate(columns):
            if column < 2:
                used[:, place] = nodes.nonzero[rows, column]
        self.allocation[rows] = allocation_scores(
            self._strategy.type,
            used + self._asked[columns],
            allocatable[:, columns],
            self._weights,
            self._strategy.shape,
        )
        if self.has_balance:
            columns = self._balance_columns
            scored = self._balance_scores(requested[:, columns], allocatable[:, columns], self.request[columns])
            self.balance[rows] = scored
        self.points[rows] = self.allocation[rows] * self.allocation_weight + self.balance[rows] * self.balance_weight

    def _redo_one(self, row: int) -> None:
        nodes = self._cluster.nodes
        requested, allocatable = nodes.requested[row].tolist(), nodes.allocatable[row].tolist()
        self.fits[row] = fits_one(requested, allocatable, self._asked_entries)
        seen = nodes.nonzero[row].tolist()
        if self._scores_more:
            seen += requested[2:]
        allocation = least_allocated_one(seen, allocatable, self._scored)
        self.allocation[row] = allocation
        points = allocation * self.allocation_weight
        if self.has_balance:
            balance = balance_score_one(requested, allocatable, self._balanced)
            self.balance[row] = balance
            points += balance * self.balance_weight
        self.points[row] = points

    def shortages(self) -> tuple[Mask, Mask]:
        """What is short and what is short even on an empty node, shape (nodes, resources); not to be changed."""
        nodes, log = self._cluster.nodes, self._cluster.node_changes
        short, never = self._short
        changed = log.since(self._short_cursor) if len(short) == nodes.count else None
        if changed is None or len(changed) > nodes.count:
            self._short = (
                shortages(nodes.requested, nodes.allocatable, self.request, self.counted),
                never_enough(nodes.allocatable, self.request, self.counted),
            )
        elif changed:
            rows = np.array(changed, dtype=np.int64)
            allocatable = nodes.allocatable[rows]
            short[rows] = shortages(nodes.requested[rows], allocatable, self.request, self.counted)
            never[rows] = never_enough(allocatable, self.request, self.counted)
        self._short_cursor = log.cursor
        return self._short


class ResourceShapes:
    """The shapes in use, by request."""

    def __init__(self, cluster: Cluster, profile: SchedulerProfile) -> None:
        self._cluster = cluster
        self._profile = profile
        self._by_request: dict[tuple[bytes, bytes, bytes], ResourceShape] = {}
        self._by_spec: dict[int, ResourceShape] = {}

    def of(self, spec: PodSpec) -> ResourceShape:
        """The shape of a template, up to date."""
        shape = self._by_spec.get(spec.index)
        if shape is None:
            asked = spec.placement.score_request
            score = b"" if asked is None else asked.tobytes()
            key = (spec.request.tobytes(), spec.nonzero.tobytes(), score)
            shape = self._by_request.get(key)
            if shape is None:
                shape = self._by_request[key] = ResourceShape(self._cluster, self._profile, spec)
            self._by_spec[spec.index] = shape
        return shape.refresh()


def _columns(cluster: Cluster, names: tuple[str, ...], asked: Amounts | None) -> list[int]:
    """Columns of the named resources; extended ones only if asked for (`asked` None: all)."""
    columns = [cluster.axis.index(name) for name in names if name in cluster.axis.names]
    return [c for c in columns if c <= EPHEMERAL or asked is None or asked[c] != 0]


def counted_columns(axis: ResourceAxis, profile: SchedulerProfile) -> Mask:
    """Columns the filter looks at: all but ignored extended resources and volumes."""
    counted = np.array([not _is_ignored(name, profile) for name in axis.names], dtype=np.bool_)
    counted[axis.first_volume :] = False
    return counted


def _is_ignored(name: str, profile: SchedulerProfile) -> bool:
    """Whether the arguments leave out a resource; only extended ones can be, which those of Kubernetes are not."""
    if "/" not in name or NATIVE_DOMAIN in name:
        return False
    return name in profile.ignored_resources or name.split("/")[0] in profile.ignored_resource_groups
