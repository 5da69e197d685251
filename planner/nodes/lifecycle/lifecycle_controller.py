"""The node lifecycle controller of a run. It is active only while some node is unhealthy."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from planner.engine.draws import Draws
from planner.engine.phases import Phase
from planner.engine.queue import EventQueue
from planner.matching.taints import TaintEffect
from planner.nodes.lifecycle.node_health import (
    EXCLUDED,
    HealthSettings,
    Look,
    NodeHealth,
    NodeReport,
    ReadyStatus,
    status_taint,
)
from planner.nodes.lifecycle.zones import ZoneState
from planner.record.decisions import Actor, Decision, Verdict
from planner.record.details.nodes import PodsOnNode, ZoneDisruption
from planner.state.changes import ClusterEvent, ClusterEventKind
from planner.state.cluster import Cluster
from planner.state.nodes import NONE
from planner.units import US_PER_MS, US_PER_S

LEASE_PERIOD_US = 10 * US_PER_S
_STATUSES = (ReadyStatus.FALSE, ReadyStatus.UNKNOWN)
_STATUS_TAINTS = frozenset(
    taint
    for status in _STATUSES
    for effect in (TaintEffect.NO_SCHEDULE, TaintEffect.NO_EXECUTE)
    if (taint := status_taint(status, effect)) is not None
)


@dataclass(frozen=True, slots=True)
class HealthLook:
    """The controller looks at all nodes."""


@dataclass(frozen=True, slots=True)
class TaintTurn:
    """The queues of nodes that wait for their taint are worked off."""


class NodeLifecycleController:
    """Notices silent nodes, marks their pods not Ready, and taints them at the rate of their zone."""

    def __init__(
        self,
        cluster: Cluster,
        events: EventQueue,
        settings: HealthSettings,
        draws: Draws,
        mark_pod_not_ready: Callable[[int], None],
        decide: Callable[[Decision], None],
    ) -> None:
        self._cluster = cluster
        self._events = events
        self._settings = settings
        self._phase_draws = draws.of("nodes/lease phase")
        self._mark_pod_not_ready = mark_pod_not_ready
        self._decide = decide
        self._health = NodeHealth(settings)
        self._phases_us: dict[int, int] = {}
        self._heartbeat_us: dict[int, int] = {}
        """Last heartbeat of nodes that are silent, or that just came back."""
        self._unknown: dict[int, None] = {}
        self._looking = False
        self._turn_us = NONE
        kinds = (ClusterEventKind.NODE_POWER, ClusterEventKind.NODE_GONE)
        cluster.subscribe(self._on_change, kinds)

    def _on_change(self, event: ClusterEvent) -> None:
        if event.kind == ClusterEventKind.NODE_GONE:
            self._health.forget(event.node)
            self._unknown.pop(event.node, None)
            self._heartbeat_us.pop(event.node, None)
            return
        now_us = self._events.now_us
        if self._cluster.nodes.silent[event.node]:
            self._heartbeat_us[event.node] = self._last_renewal_us(event.node, now_us)
            self._begin_looking()
        else:
            self._post_ready(event.node)

    def _begin_looking(self) -> None:
        """Take up the looks, remembering what the ones before would have seen."""
        if self._looking:
            return
        self._looking = True
        period_us, now_us = self._settings.monitor_period_us, self._events.now_us
        last_look_us = now_us // period_us * period_us
        for node in np.flatnonzero(self._cluster.nodes.exists):
            seen_us = self._last_renewal_us(int(node), last_look_us)
            self._health.remember(int(node), seen_us, -(-seen_us // period_us) * period_us)
        self._events.push(last_look_us + period_us, Phase.NODE_STATUS, HealthLook())

    def on_look(self, event: HealthLook) -> None:
        """One look, and the next one if any node is not well."""
        now_us = self._events.now_us
        rows = [int(node) for node in np.flatnonzero(self._cluster.nodes.exists)]
        states = self._health.states
        look = self._health.look(now_us, [self._report(node, now_us) for node in rows])
        self._note_zones(states, look)
        for node in look.became_unknown:
            self._become_unknown(node)
        for node in dict.fromkeys([*look.untainted, *(node for node, _ in look.tainted)]):
            self._show_taints(node)
        self._watch_queues()
        silent = self._cluster.nodes.silent
        unwell = any(silent[node] or self._status(node) is not ReadyStatus.TRUE for node in rows)
        self._looking = unwell or bool(self._health.taints)
        if self._looking:
            self._events.push(now_us + self._settings.monitor_period_us, Phase.NODE_STATUS, event)

    def on_turn(self, event: TaintTurn) -> None:
        """Nodes whose turn has come get their NoExecute taint."""
        for node, _ in self._health.work_queues(self._events.now_us, self._status):
            self._show_taints(node)
            self._record(node, Verdict.TAINTED)
        self._turn_us = NONE
        self._watch_queues()

    # -- what the API server holds ------------------------------------------------------------

    def _report(self, node: int, now_us: int) -> NodeReport:
        heartbeat_us = self._heartbeat_us.get(node, NONE)
        if not self._cluster.nodes.silent[node]:
            heartbeat_us = max(heartbeat_us, self._last_renewal_us(node, now_us))
        region, zone = self._cluster.zones.values[int(self._cluster.nodes.zone[node])]
        excluded = EXCLUDED in self._cluster.node_labels(node)
        return NodeReport(node, f"{region}/{zone}", self._status(node), heartbeat_us, excluded)

    def _status(self, node: int) -> ReadyStatus:
        if node in self._unknown:
            return ReadyStatus.UNKNOWN
        return ReadyStatus.TRUE if self._cluster.nodes.ready[node] else ReadyStatus.FALSE

    def _last_renewal_us(self, node: int, now_us: int) -> int:
        """The last time at or before now at which the kubelet renewed its lease."""
        phase_us = self._phases_us.get(node)
        if phase_us is None:
            key = self._cluster.nodes.draw_key.item(node)
            phase_us = self._phase_draws.below(LEASE_PERIOD_US // US_PER_MS, key) * US_PER_MS
            self._phases_us[node] = phase_us
        renewed_us = (now_us - phase_us) // LEASE_PERIOD_US * LEASE_PERIOD_US + phase_us
        return max(renewed_us, int(self._cluster.nodes.registered_us[node]), 0)

    # -- what follows -------------------------------------------------------------------------

    def _become_unknown(self, node: int) -> None:
        self._unknown[node] = None
        if self._cluster.nodes.ready[node]:
            self._cluster.mark_node_not_ready(node)
        for pod in list(self._cluster.node_pods[node]):
            if self._cluster.pods.ready[pod]:
                self._mark_pod_not_ready(pod)
        self._show_taints(node)
        self._record(node, Verdict.UNREACHABLE)

    def _post_ready(self, node: int) -> None:
        """A kubelet that is back posts its status; the NoSchedule taint goes at once, NoExecute at the next look."""
        self._heartbeat_us[node] = self._events.now_us
        if self._unknown.pop(node, NONE) is None:
            self._cluster.mark_node_ready(node)
            self._show_taints(node)
            self._record(node, Verdict.NODE_READY)

    def _show_taints(self, node: int) -> None:
        """Write the taints that go with the node's status; all others stay."""
        status, executing = self._status(node), self._health.taints.get(node)
        wanted = [taint for taint in self._cluster.node_taints(node) if taint not in _STATUS_TAINTS]
        scheduling = status_taint(status, TaintEffect.NO_SCHEDULE)
        if scheduling is not None:
            wanted.append(scheduling)
        deleting = status_taint(executing, TaintEffect.NO_EXECUTE) if executing is not None else None
        if deleting is not None:
            wanted.append(deleting)
        self._cluster.set_taints(node, tuple(wanted))

    def _watch_queues(self) -> None:
        due_us = self._health.next_turn_us(self._events.now_us)
        if due_us is not None and (self._turn_us == NONE or due_us < self._turn_us):
            self._turn_us = due_us
            self._events.push(due_us, Phase.NODE_STATUS, TaintTurn())

    def _note_zones(self, before: dict[str, ZoneState], look: Look) -> None:
        for zone, state in look.states.items():
            if state is not before.get(zone, ZoneState.NORMAL):
                name, details = zone.rpartition("/")[2] or "no zone", ZoneDisruption(str(state))
                now_us = self._events.now_us
                self._decide(Decision(now_us, Actor.NODE_LIFECYCLE, Verdict.ZONE_STATE, name, details=details))

    def _record(self, node: int, verdict: Verdict) -> None:
        name, pods = self._cluster.node_name(node), len(self._cluster.node_pods[node])
        now_us = self._events.now_us
        self._decide(Decision(now_us, Actor.NODE_LIFECYCLE, verdict, name, details=PodsOnNode(pods)))
