"""The nodes of an imagined cluster by position: existing ones, then placeholders of those on their way."""

from collections.abc import Callable, Hashable, Sequence

import numpy as np
from numpy.typing import NDArray

from planner.autoscaler.groups.templates import GroupTemplate, TemplateFits
from planner.autoscaler.snapshot.domain_counts import Mask
from planner.scheduler.feasibility.static_fit import StaticFit
from planner.state.cluster import Cluster
from planner.state.specs import HOSTNAME_LABEL, PodSpec

Rows = NDArray[np.int64]
NOWHERE = -1
_LATE_KEY = -(1 << 60)
"""Keys of nodes that join after the list was made begin below this."""


class ListedNodes:
    """What the nodes are called from loop to loop, and which pod templates they accept."""

    def __init__(
        self,
        cluster: Cluster,
        rows: Rows,
        upcoming: Sequence[tuple[GroupTemplate, int]],
        static: StaticFit,
        template_fits: TemplateFits,
        placeholder_keys: Sequence[int],
    ) -> None:
        self._cluster = cluster
        self._static = static
        self._template_fits = template_fits
        self.real_count = len(rows)
        self.rows = rows
        """Node row by position, real nodes only."""
        self.upcoming = [template for template, count in upcoming for _ in range(count)]
        """Template of every placeholder."""
        self._planned = list(upcoming)
        self._placeholder_keys = list(placeholder_keys)
        self._forget()

    def _forget(self) -> None:
        self._accepts: dict[int, Mask] = {}
        self._accepts_like: dict[Hashable, Mask] = {}
        """By what of a template decides about a node that has room."""
        self._names: tuple[Rows, dict[int, int], list[int]] | None = None

    def position(self, key: int) -> int | None:
        """Position of a node (by row) or placeholder (by key)."""
        [found] = self.positions_of([key])
        return None if found == NOWHERE else found

    def positions_of(self, keys: Sequence[int | None]) -> list[int]:
        """The same for several; NOWHERE for what has no position."""
        by_row, by_key, _ = self.names()
        real = by_row.item
        return [NOWHERE if key is None else real(key) if key >= 0 else by_key.get(key, NOWHERE) for key in keys]

    def keys_of(self, positions: Sequence[int]) -> list[int]:
        """What names each of the positions in the next loop: node rows, or negative numbers for placeholders."""
        _, _, keys = self.names()
        return [keys[position] for position in positions]

    def names(self) -> tuple[Rows, dict[int, int], list[int]]:
        """Positions by node row, NOWHERE for nodes that are not listed, and by key of a placeholder; all keys."""
        if self._names is None:
            by_row = np.full(self._cluster.nodes.count, NOWHERE, dtype=np.int64)
            by_row[self.rows] = np.arange(self.real_count)
            by_key = {key: at for at, key in enumerate(self._placeholder_keys, self.real_count)}
            self._names = by_row, by_key, [*self.rows.tolist(), *self._placeholder_keys]
        return self._names

    def key(self, position: int) -> int:
        """The same for one."""
        return self.keys_of([position])[0]

    def accepts(self, spec: PodSpec) -> Mask:
        """Positions the template may go to, whatever is free there. Nodes that are not ready refuse by their taints."""
        known = self._accepts.get(spec.index)
        if known is None:
            kind = _what_nodes_read(spec)
            known = self._accepts_like.get(kind)
            if known is None:
                real = self._static.node_mask(spec)[self.rows]
                known = self._accepts_like[kind] = self._and_planned(
                    real, lambda each: self._template_fits(spec, each)[0]
                )
            self._accepts[spec.index] = known
        return known

    def affinity_mask(self, spec: PodSpec) -> Mask:
        """Positions that match node selector and required node affinity."""
        real = self._static.affinity_mask(spec)[self.rows]
        return self._and_planned(real, lambda each: self._template_fits(spec, each)[1])

    def taint_mask(self, spec: PodSpec) -> Mask:
        """Positions whose hard taints are tolerated."""
        real = self._static.taint_mask(spec)[self.rows]
        return self._and_planned(real, lambda each: self._template_fits(spec, each)[2])

    def label_values(self, key: str) -> list[str | None]:
        """Value of a label at every position."""
        cluster = self._cluster
        if key == HOSTNAME_LABEL:
            values = [cluster.node_labels(row).get(key) for row in self.rows.tolist()]
            return [*values, *(f"upcoming{each}" for each in self._placeholder_keys)]
        by_set = [dict(labels).get(key) for labels in cluster.label_sets.values]
        values = [by_set[number] for number in cluster.nodes.label_set[self.rows].tolist()]
        return [*values, *(each.node.labels.get(key) for each in self.upcoming)]

    def list_more(self, template: GroupTemplate, count: int) -> None:
        """More nodes are on their way: they are listed last."""
        first = self.real_count + len(self.upcoming)
        self._placeholder_keys += (_LATE_KEY - at for at in range(first, first + count))
        self._planned.append((template, count))
        self.upcoming += [template] * count
        self._forget()

    def _and_planned(self, real: Mask, answer: Callable[[GroupTemplate], bool]) -> Mask:
        """An answer for every position; placeholders of a template share theirs."""
        if not self._planned:
            return real
        planned = np.array([answer(template) for template, _ in self._planned], dtype=np.bool_)
        return np.concatenate([real, np.repeat(planned, [count for _, count in self._planned])])


def _what_nodes_read(spec: PodSpec) -> Hashable:
    """What of a template decides about a node that has room."""
    rules = spec.placement
    return rules.tolerations, tuple(sorted(rules.node_selector.items())), rules.required_terms, rules.volume_zone
