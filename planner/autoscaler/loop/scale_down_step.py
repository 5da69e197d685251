"""The scale-down part of a loop: judge the nodes, wait, start removals."""

import itertools
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from planner.autoscaler.groups.group_options import GroupOptions
from planner.autoscaler.loop.records import LoopRecords
from planner.autoscaler.quiet import earliest_us
from planner.autoscaler.scaledown.actuation import Actuator, RemovalFailure
from planner.autoscaler.scaledown.eligibility import ScaleDownView
from planner.autoscaler.scaledown.planner import ScaleDownPlanner
from planner.autoscaler.scaledown.reasons import NodeVerdict
from planner.autoscaler.scaledown.removal_budget import Going, within_removal_budget
from planner.autoscaler.scaledown.soft_taints import SoftTaints
from planner.autoscaler.scaledown.unneeded import cooldown_until_us
from planner.autoscaler.snapshot.round_robin import SearchCursor
from planner.autoscaler.snapshot.snapshot import Snapshot
from planner.plan.model.autoscalers.cluster_autoscaler import ClusterAutoscalerSettings
from planner.state.cluster import Cluster
from planner.state.nodes import NONE
from planner.units import US_PER_H


@dataclass(frozen=True, slots=True, eq=False)
class ScaleDownOutcome:
    """What scale-down found and started in one loop."""

    rows: NDArray[np.int64]
    """The nodes looked at, in the order of `view`."""
    view: ScaleDownView
    removal: Mapping[int, NodeVerdict]
    """Whether each unneeded node may be removed now; empty while removals have to wait."""
    started: Going = Going()
    in_cooldown: bool = False
    """Nothing may be removed in this loop."""
    unneeded: tuple[int, ...] = ()

    @property
    def deleting(self) -> tuple[int, ...]:
        """Nodes whose removal started."""
        return (*self.started.empty, *self.started.drain)


class ScaleDownStep:
    """Step 13 of a loop (Cluster Autoscaler 1.36.1, core/static_autoscaler.go)."""

    def __init__(
        self,
        cluster: Cluster,
        settings: ClusterAutoscalerSettings,
        options: Sequence[GroupOptions],
        planner: ScaleDownPlanner,
        actuator: Actuator,
        records: LoopRecords,
        cursor: SearchCursor,
    ) -> None:
        self._cluster = cluster
        self._settings = settings
        self._options = options
        self._planner = planner
        self._actuator = actuator
        self._records = records
        self._cursor = cursor
        self._soft_taints = SoftTaints(cluster, settings.max_bulk_soft_taint_count)
        self.last_deletion_us: int | None = None
        self._before_us = cluster.clock.now_us - US_PER_H
        """A new process takes it that the last of everything was an hour ago."""
        self._group_deletion_us: dict[int, int] = {}
        self._group_failure_us: dict[int, int] = {}

    def run_timers(self, now_us: int) -> None:
        """Carry removals on; before a loop of the same instant."""
        ends = self._actuator.run_timers(now_us)
        for end in ends:
            group = int(self._cluster.nodes.group[end.node])
            if end.failure is None:
                self._group_deletion_us[group] = now_us
            elif end.failure is RemovalFailure.CLOUD_REFUSED:
                self._group_failure_us[group] = now_us
        self._records.ended(ends, now_us)

    def run(
        self,
        snapshot: Snapshot,
        last_scale_up_us: int | None,
        group_scale_up_us: Mapping[int, int],
        now_us: int,
        *,
        pods_are_new: bool,
    ) -> ScaleDownOutcome:
        """Judge the nodes and start what may start; nothing starts while pods are too new to be judged."""
        is_going = self._going_nodes()
        destinations = np.zeros(len(snapshot), dtype=np.bool_)
        destinations[: snapshot.real_count] = ~is_going[snapshot.rows]
        shrinkable = self._shrinkable(group_scale_up_us, now_us)
        view = self._planner.update(snapshot, destinations, shrinkable, self._cursor, now_us)
        self._records.node_verdicts(snapshot, view, now_us)
        unneeded = tuple(self._planner.unneeded_by_name())
        removal: Mapping[int, NodeVerdict] = {}
        started = Going()
        waits = pods_are_new or self._in_cooldown(last_scale_up_us, now_us)
        if not waits and unneeded:
            whole = self._whole_groups(snapshot)
            removable = self._planner.removable_now(snapshot, self._in_progress_by_group(), whole, now_us)
            removal = removable.verdicts
            started = self._start_removals(Going(removable.empty, removable.drain), whole, now_us)
        staying = snapshot.rows[~(is_going | self._cluster.nodes.deleting)[snapshot.rows]]
        self._soft_taints.update(staying, self._planner.unneeded_by_name())
        return ScaleDownOutcome(snapshot.rows, view, removal, started, waits, unneeded)

    def rests_until_us(
        self,
        found: ScaleDownOutcome,
        last_scale_up_us: int | None,
        group_scale_up_us: Mapping[int, int],
        now_us: int,
    ) -> int:
        """When this step may next find or do something else, as long as the cluster stays as it is."""
        unneeded, settings = self._planner.unneeded, self._settings
        moments_us = [self._cooldown_until_us(last_scale_up_us)]
        moments_us += [(unneeded.since_us(node) or 0) + wait_us + 1 for node, wait_us in found.view.wait_us.items()]
        if settings.scale_down_delay_type_local:
            moments_us += [
                at_us + delay_us for last_us, delay_us in self._delays(group_scale_up_us) for at_us in last_us.values()
            ]
        return min(self._planner.rests_until_us(now_us), earliest_us(moments_us, now_us))

    def _shrinkable(self, group_scale_up_us: Mapping[int, int], now_us: int) -> NDArray[np.bool_]:
        """Groups above their minimum size and, where delays are per group, past their delay."""
        groups, settings = self._cluster.groups, self._settings
        shrinkable = np.asarray((groups.target + self._unseen_deletions() > groups.min_size) & ~groups.foreign)
        if not settings.scale_down_delay_type_local:
            return shrinkable
        for last_us, delay_us in self._delays(group_scale_up_us):
            for group, at_us in last_us.items():
                if at_us + delay_us > now_us:
                    shrinkable[group] = False
        return shrinkable

    def _delays(self, group_scale_up_us: Mapping[int, int]) -> Sequence[tuple[Mapping[int, int], int]]:
        """When something last happened by group, and for how long the group stays as it is after that."""
        settings = self._settings
        return (
            (group_scale_up_us, settings.scale_down_delay_after_add),
            (self._group_deletion_us, settings.scale_down_delay_after_delete),
            (self._group_failure_us, settings.scale_down_delay_after_failure),
        )

    def _in_cooldown(self, last_scale_up_us: int | None, now_us: int) -> bool:
        if self._settings.scale_down_delay_type_local:
            return False
        return now_us < self._cooldown_until_us(last_scale_up_us)

    def _cooldown_until_us(self, last_scale_up_us: int | None) -> int:
        before_us = self._before_us
        last_up_us = before_us if last_scale_up_us is None else last_scale_up_us
        last_deletion_us = before_us if self.last_deletion_us is None else self.last_deletion_us
        return cooldown_until_us(last_up_us, last_deletion_us, before_us, self._settings)

    def _going_nodes(self) -> NDArray[np.bool_]:
        """By node row whether it is being removed, as this loop sees it."""
        is_going = np.asarray(self._cluster.nodes.deleting)
        ended = self._actuator.just_ended()
        if ended:
            is_going = is_going.copy()
            is_going[ended] = True
        return is_going

    def _unseen_deletions(self) -> NDArray[np.int64]:
        """By group the deletions of this very moment that lowered the target after the loop looked."""
        nodes = self._cluster.nodes
        ended = [node for node in self._actuator.just_ended() if nodes.delete_requested_us[node] != NONE]
        return np.bincount(nodes.group[ended], minlength=self._cluster.groups.count)

    def _in_progress_by_group(self) -> dict[int, int]:
        """Nodes in removal whose instance still counts in the target."""
        unseen = self._unseen_deletions()
        in_progress = {group: -int(unseen[group]) for group in np.flatnonzero(unseen).tolist()}
        for node in itertools.chain(*self._actuator.in_progress()):
            group = int(self._cluster.nodes.group[node])
            in_progress[group] = in_progress.get(group, 0) + 1
        return in_progress

    def _whole_groups(self, snapshot: Snapshot) -> dict[int, tuple[int, int]]:
        """Of each group that goes as a whole, how many nodes are all of it: those it should have, or those it has.

        Source: Cluster Autoscaler 1.36.1, processors/nodes/scale_down_set_processor.go, core/scaledown/budgets.
        """
        groups = [group for group, options in enumerate(self._options) if options.zero_or_max]
        if not groups:
            return {}
        registered = np.bincount(self._cluster.nodes.group[snapshot.rows], minlength=len(self._options))
        return {group: (int(self._cluster.groups.target[group]), int(registered[group])) for group in groups}

    def _start_removals(self, going: Going, whole: Mapping[int, Collection[int]], now_us: int) -> Going:
        empty_going, drain_going = self._actuator.in_progress()
        in_progress = Going(tuple(empty_going), tuple(drain_going))
        started = within_removal_budget(going, in_progress, self._settings, self._cluster.nodes.group.item, whole)
        if not started.empty and not started.drain:
            return started
        since_us = {node: self._planner.unneeded.since_us(node) or 0 for node in (*started.empty, *started.drain)}
        moves = {node: self._planner.expected_moves(node) for node in started.drain}
        self._actuator.start(started.empty, started.drain, now_us)
        self._records.removing(since_us, moves, now_us)
        self.last_deletion_us = now_us
        return started
