"""When the Cluster Autoscaler's loops and timers run, and how its evictions are carried out."""

from collections.abc import Sequence

import numpy as np

from planner.autoscaler.loop.static_autoscaler import StaticAutoscaler
from planner.autoscaler.loop.timing import LoopTimes, NextLoop, next_fixed_loop, next_frequent_loop
from planner.engine.phases import Phase
from planner.engine.queue import EventQueue
from planner.plan.model.autoscalers.cluster_autoscaler import ClusterAutoscalerSettings
from planner.simulation.ticks import AutoscalerLoop, AutoscalerTimer
from planner.state.changes import ClusterEvent, ClusterEventKind, PodChanges
from planner.state.cluster import Cluster
from planner.state.nodes import NONE
from planner.units import US_PER_S
from planner.workloads.disruption.eviction_api import EvictionApi

AFTER_OTHERS_US = 500
"""The autoscaler acts half a millisecond after everything else of its second."""
FRESH_MARK_S = 10
"""A change of a waiting pod wakes the autoscaler while its mark is at most this old."""
_NEVER_US = -1


class Evictor:
    """Evicts pods for the autoscaler through the eviction API, so that budgets count."""

    def __init__(self, api: EvictionApi, longest_grace_us: int) -> None:
        self._api = api
        self._longest_grace_us = longest_grace_us

    def evict(self, pod: int) -> bool:
        """Delete the pod with its own grace period, capped by the autoscaler's, unless a budget refuses."""
        return self._api.evict(pod, "cluster-autoscaler", self._longest_grace_us).allowed


class AutoscalerDriver:
    """Turns loop timing into events; a pod that is marked unschedulable wakes a waiting loop.

    One such signal is remembered. The loop it wakes consumes it; a loop that runs anyway consumes only what came
    before its moment, because it never waited for the signals of that moment.
    """

    def __init__(
        self,
        cluster: Cluster,
        events: EventQueue,
        autoscaler: StaticAutoscaler,
        settings: ClusterAutoscalerSettings,
    ) -> None:
        self._cluster = cluster
        self._events = events
        self._autoscaler = autoscaler
        self._settings = settings
        self._next = NextLoop(0, 0)
        self.last_loop_us: int | None = None
        """Start of the last loop."""
        self._serial = 0
        self._due_us = -1
        self._timer_us = -1
        self._signal_us = _NEVER_US
        self._from_us = 0
        """Signals before it are lost, since no loop waits yet."""
        if settings.enabled and settings.frequent_loops_enabled:
            cluster.subscribe(self._on_marked, (ClusterEventKind.POD_UNSCHEDULABLE,), self._on_many_marked)

    def start(self) -> None:
        """The first loop comes one scan interval after the start of the run, or as the phase says."""
        if not self._settings.enabled:
            return
        phase_us, scan_us = self._settings.phase, self._settings.scan_interval
        if phase_us is not None and self._settings.frequent_loops_enabled:
            self._from_us = phase_us
            self._next = NextLoop(phase_us, phase_us + scan_us + AFTER_OTHERS_US)
        else:
            first_us = (phase_us or scan_us) + AFTER_OTHERS_US
            self._next = NextLoop(first_us, first_us)
        self._schedule(self._next.latest_us)

    def restart(self, autoscaler: StaticAutoscaler) -> None:
        """A new process takes over, without timers and back-off; its first loop removes leftover taints from nodes."""
        for node in np.flatnonzero(self._cluster.nodes.deleting & (self._cluster.nodes.delete_requested_us == NONE)):
            self._cluster.abandon_node_deletion(int(node))
        self._autoscaler.close()
        self._autoscaler = autoscaler
        self._timer_us = -1

    def _on_marked(self, event: ClusterEvent) -> None:
        self._look_at([event.pod])

    def _on_many_marked(self, changes: PodChanges) -> None:
        self._look_at(changes.pods)

    def _look_at(self, marked: Sequence[int]) -> None:
        """A fresh mark among them ends the wait; further ones of the same instant add nothing."""
        if self._due_us < 0 or self._events.now_us < self._from_us or not self._is_any_fresh(marked):
            return
        soonest_us = self._soonest_us()
        if self._signal_us != soonest_us:
            self._signal_us = soonest_us
            woken_us = max(self._next.earliest_us, self._signal_us)
            if woken_us < self._due_us:
                self._schedule(woken_us)

    def _is_any_fresh(self, pods: Sequence[int]) -> bool:
        """Whole seconds, as the API keeps them."""
        marked_us = self._cluster.pods.unschedulable_us[list(pods)].max()
        return bool(self._events.now_us // US_PER_S - marked_us // US_PER_S <= FRESH_MARK_S)

    def _soonest_us(self) -> int:
        """After everything else of this second; from the autoscaler's own moment, in the next second."""
        now_us = self._events.now_us
        is_own_moment = now_us % US_PER_S == AFTER_OTHERS_US
        return now_us + (US_PER_S if is_own_moment else AFTER_OTHERS_US)

    def _schedule(self, at_us: int) -> None:
        self._serial += 1
        self._due_us = at_us
        self._events.push(at_us, Phase.AUTOSCALER, AutoscalerLoop(self._serial))

    def on_loop(self, event: AutoscalerLoop) -> None:
        """Run a loop, unless an earlier one has taken its place."""
        if event.serial != self._serial:
            return
        start_us = self._events.now_us
        was_woken = start_us < self._next.latest_us
        if was_woken or self._signal_us < start_us:
            self._signal_us = _NEVER_US
        self._autoscaler.run_once(start_us)
        self._next = self._next_loop(start_us)
        self.last_loop_us = start_us
        is_signalled = self._signal_us != _NEVER_US
        self._schedule(max(self._next.earliest_us, self._signal_us) if is_signalled else self._next.latest_us)
        self._watch_timers()

    def _next_loop(self, start_us: int) -> NextLoop:
        settings = self._settings
        if not settings.frequent_loops_enabled:
            return next_fixed_loop(start_us, settings.scan_interval)
        times = LoopTimes(
            start_us, self.last_loop_us, self._autoscaler.last_scale_up_us, self._autoscaler.last_deletion_us
        )
        return next_frequent_loop(times, settings.scan_interval, settings.loop_duration)

    def on_timer(self, event: AutoscalerTimer) -> None:
        """Carry removals on."""
        self._autoscaler.run_timers(self._events.now_us)
        self._timer_us = -1
        self._watch_timers()

    def _watch_timers(self) -> None:
        due_us = self._autoscaler.next_timer_us()
        if due_us is not None and (self._timer_us < 0 or due_us < self._timer_us):
            self._timer_us = max(due_us, self._events.now_us)
            self._events.push(self._timer_us, Phase.AUTOSCALER_TIMERS, AutoscalerTimer())
