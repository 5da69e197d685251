"""The loop of the Cluster Autoscaler: its steps, in order.

Source: Cluster Autoscaler 1.36.1, core/static_autoscaler.go.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto

from planner.autoscaler.cloud import CloudProvider, PodEvictor
from planner.autoscaler.groups.cluster_state import ClusterState
from planner.autoscaler.groups.group_options import group_options
from planner.autoscaler.groups.node_readiness import NodeReadiness
from planner.autoscaler.groups.template_source import TemplateSource
from planner.autoscaler.loop.instance_care import InstanceCare
from planner.autoscaler.loop.records import LoopRecords
from planner.autoscaler.loop.scale_down_step import ScaleDownOutcome, ScaleDownStep
from planner.autoscaler.loop.scale_up_step import ScaleUpStep
from planner.autoscaler.loop.status import StatusBoard
from planner.autoscaler.quiet import AT_ONCE_US, QuietWatch, earliest_us
from planner.autoscaler.scaledown.actuation import Actuator
from planner.autoscaler.scaledown.drain.budgets import DisruptionBudgets, NoBudgets
from planner.autoscaler.scaledown.planner import ScaleDownPlanner
from planner.autoscaler.scaledown.taints import remove_stale_taints
from planner.autoscaler.scaleup.gather import ScaleUpGatherer
from planner.autoscaler.scaleup.result import ScaleUpPlan, ScaleUpResult
from planner.autoscaler.snapshot.nodes_by_name import NodesByName
from planner.autoscaler.snapshot.round_robin import SearchCursor
from planner.autoscaler.snapshot.snapshot_source import SnapshotSource
from planner.engine.draws import Draws
from planner.plan.model.autoscalers.cluster_autoscaler import ClusterAutoscalerSettings
from planner.plan.model.scaling_marks import NodeGroupOptions
from planner.record.details.node_groups import ScaleUpEvent
from planner.record.recorder import Recorder
from planner.scheduler.feasibility.static_fit import StaticFit
from planner.state.cluster import Cluster
from planner.state.specs import NodeSpec, PodSpec
from planner.units import US_PER_MIN

_NO_OPTIONS = NodeGroupOptions()
START_GRACE_US = 10 * US_PER_MIN
"""So long nodes may take to be ready after the start of the program before that is worth an event."""


class EarlyEnd(Enum):
    """Why a loop ended before it looked at pods."""

    NO_READY_NODE = auto()
    UNHEALTHY = auto()
    TARGET_FIXED = auto()


@dataclass(frozen=True, slots=True, eq=False)
class LoopOutcome:
    """What a loop did."""

    attempts: tuple[ScaleUpPlan, ...] = ()
    """Attempts to scale up; empty when the loop ended before."""
    scaled_up: bool = False
    scale_down: ScaleDownOutcome | None = None
    ended: EarlyEnd | None = None


class StaticAutoscaler:
    """The Cluster Autoscaler of one cluster. `node_specs`: the cloud's description of a new node, by group."""

    def __init__(
        self,
        cluster: Cluster,
        recorder: Recorder,
        settings: ClusterAutoscalerSettings,
        static_fit: StaticFit,
        cloud: CloudProvider,
        evictor: PodEvictor,
        node_specs: Sequence[NodeSpec],
        daemon_specs: Sequence[PodSpec] = (),
        draws: Draws | None = None,
        *,
        group_settings: Mapping[int, NodeGroupOptions] | None = None,
        budgets: DisruptionBudgets | None = None,
        reuse_simulations: bool = True,
    ) -> None:
        self._cluster = cluster
        self._settings = settings
        self._records = records = LoopRecords(cluster, recorder)
        own = group_settings or {}
        options = [group_options(settings, own.get(group, _NO_OPTIONS)) for group in range(cluster.groups.count)]
        self._readiness = readiness = NodeReadiness(cluster, settings)
        self.group_state = ClusterState(cluster, settings, options, readiness)
        by_group = {spec.group: spec for spec in node_specs}
        self.templates = TemplateSource(cluster, settings, by_group, tuple(daemon_specs), static_fit, readiness)
        cutoff = settings.expendable_pods_priority_cutoff
        self._order = order = NodesByName(cluster)
        self._source = SnapshotSource(cluster, order, static_fit, self.templates, cutoff)
        self._care = InstanceCare(cluster, cloud, settings, options, self.group_state, records)
        cursor = SearchCursor()
        lots = None if draws is None else draws.of("autoscaler/expander")
        gatherer = ScaleUpGatherer(cluster, settings, self.templates, self.group_state, options, lots)
        self._scale_up = ScaleUpStep(cluster, settings, cloud, gatherer, self.group_state, readiness, records, cursor)
        self.planner = ScaleDownPlanner(
            cluster, order, settings, options, readiness, budgets or NoBudgets(), reuse=reuse_simulations
        )
        self.actuator = Actuator(cluster, cloud, evictor, settings, self.planner.pods_now, options)
        self._scale_down = ScaleDownStep(cluster, settings, options, self.planner, self.actuator, records, cursor)
        self._status = StatusBoard(cluster, self.group_state, self.planner.unneeded, recorder)
        self._is_first_loop, self._started_us = True, cluster.clock.now_us
        self._reuse = reuse_simulations
        self._quiet = QuietWatch(cluster, reuse_simulations)
        self._last_outcome = LoopOutcome()

    def close(self) -> None:
        """End this process: it stops listening to the cluster."""
        for part in (self._order, self._scale_up, self.planner, self._quiet):
            part.close()

    # -- timers -------------------------------------------------------------------------------

    @property
    def last_scale_up_us(self) -> int | None:
        """When a scale-up was last started."""
        return self._scale_up.last_scale_up_us

    @property
    def last_deletion_us(self) -> int | None:
        """When a removal was last started."""
        return self._scale_down.last_deletion_us

    def next_timer_us(self) -> int | None:
        """When `run_timers` is due next: removals in progress wait, evict and poll."""
        return self.actuator.next_timer_us()

    def run_timers(self, now_us: int) -> None:
        """Carry removals on; before a loop of the same instant."""
        self._scale_down.run_timers(now_us)

    # -- the loop -----------------------------------------------------------------------------

    def run_once(self, now_us: int) -> LoopOutcome:
        """One loop at this moment; one that would only repeat the last is not computed (see `quiet`)."""
        if self._may_repeat(now_us):
            self._scale_up.repeat()
            if self._settings.scale_down_enabled:
                self.planner.repeat(now_us)
            self._quiet.go_on()
            return self._last_outcome
        self._quiet.begin()
        self._last_outcome = outcome = self._run(now_us)
        self._status.note(outcome.scale_down, now_us)
        if self._reuse and not self._quiet.is_stirred():
            self._quiet.rest_until(self._rests_until_us(outcome, now_us))
        return outcome

    def _may_repeat(self, now_us: int) -> bool:
        if not self._quiet.only_pods_moved(now_us) or self.group_state.instances.reads_now(now_us):
            return False
        scales_down = self._settings.scale_down_enabled
        if scales_down and not self.planner.may_repeat(now_us):
            return False
        if not self._quiet.is_stirred():
            return True
        changed = self._quiet.changed_nodes()
        if changed is None or self._scale_up.has_waiting_pods() or not self.templates.stay(changed):
            return False
        return not scales_down or self.planner.stays(changed)

    def _rests_until_us(self, outcome: LoopOutcome, now_us: int) -> int:
        """Until when loops repeat this one, as long as nothing happens."""
        step, settings, groups = self._scale_up, self._settings, self._cluster.groups
        is_under_way = any(self.actuator.in_progress()) or not step.is_idle or not self.group_state.is_settled()
        is_small = settings.enforce_node_group_min_size and bool((groups.target < groups.min_size).any())
        if outcome.ended is not None or is_under_way or is_small or self.actuator.just_ended():
            return AT_ONCE_US
        backoff_us = earliest_us(self.group_state.backoff.moments_us(), now_us)
        until_us = min(self.templates.rests_until_us(now_us), backoff_us)
        found = outcome.scale_down
        if found is None:
            return until_us
        down_us = self._scale_down.rests_until_us(found, step.last_scale_up_us, step.group_scale_up_us, now_us)
        return min(until_us, down_us)

    def _run(self, now_us: int) -> LoopOutcome:
        if self._is_first_loop:
            self._is_first_loop = False
            remove_stale_taints(self._cluster)
        if not self._settings.scale_up_from_zero and not self._readiness.listed().any():
            self.planner.forget_all()
            if not self._cluster.nodes.exists.any() or now_us > self._started_us + START_GRACE_US:
                self._records.cluster_event(ScaleUpEvent.CLUSTER_UNHEALTHY, now_us)
            return LoopOutcome(ended=EarlyEnd.NO_READY_NODE)
        self.templates.refresh(now_us)
        self._care.report(self.group_state.update(now_us), now_us)
        self._care.delete_unregistered(now_us)
        if not self.group_state.is_healthy():
            self.planner.forget_all()
            self._records.cluster_event(ScaleUpEvent.CLUSTER_UNHEALTHY, now_us)
            return LoopOutcome(ended=EarlyEnd.UNHEALTHY)
        self._care.delete_failed(now_us)
        if self._care.close_gaps(now_us):
            return LoopOutcome(ended=EarlyEnd.TARGET_FIXED)
        return self._scale(now_us)

    def _scale(self, now_us: int) -> LoopOutcome:
        """The second half of a loop: scale-up for pending pods, then scale-down of unneeded nodes."""
        settings, step = self._settings, self._scale_up
        snapshot = self._source.build(self.group_state, now_us)
        pods = step.pods_to_help(snapshot, self.actuator.in_progress()[1], now_us)
        attempts = step.run(pods, snapshot, now_us)
        scale_down = None
        if settings.scale_down_enabled:
            all_new = attempts[0].result is ScaleUpResult.IN_COOLDOWN
            scale_down = self._scale_down.run(
                snapshot, step.last_scale_up_us, step.group_scale_up_us, now_us, pods_are_new=all_new
            )
        if settings.enforce_node_group_min_size:
            attempts = (*attempts, step.raise_to_minimum(snapshot, now_us))
        return LoopOutcome(attempts, step.last_scale_up_us == now_us, scale_down)
