"""The node lifecycle controller: silent nodes become Unknown, dead nodes get NoExecute taints.

Source: Kubernetes 1.36, pkg/controller/nodelifecycle/node_lifecycle_controller.go, monitorNodeHealth.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from planner.matching.taints import NodeTaint, TaintEffect
from planner.nodes.lifecycle.taint_queue import TaintQueue
from planner.nodes.lifecycle.zones import ZoneSettings, ZoneState, zone_rates
from planner.plan.model.control_plane import NodeLifecycleSettings
from planner.units import US_PER_MS, US_PER_S

QUEUE_PERIOD_US = 100 * US_PER_MS

NOT_READY = "node.kubernetes.io/not-ready"
UNREACHABLE = "node.kubernetes.io/unreachable"
EXCLUDED = "node.kubernetes.io/exclude-disruption"
"""Label of nodes that do not count when the state of a zone is judged."""


class ReadyStatus(StrEnum):
    """Status of the condition Ready."""

    TRUE = "True"
    FALSE = "False"
    UNKNOWN = "Unknown"


_TAINT_KEYS = {ReadyStatus.FALSE: NOT_READY, ReadyStatus.UNKNOWN: UNREACHABLE}


def status_taint(ready: ReadyStatus, effect: TaintEffect) -> NodeTaint | None:
    """The taint that goes with a status; None for a node that is ready."""
    key = _TAINT_KEYS.get(ready)
    return None if key is None else NodeTaint(key, "", effect)


@dataclass(frozen=True)
class HealthSettings:
    """Flags of the controller manager; microseconds."""

    monitor_period_us: int = 5 * US_PER_S
    grace_us: int = 50 * US_PER_S
    zones: ZoneSettings = field(default_factory=ZoneSettings)
    taints_a_look_later: bool = False
    """Taints follow the status from before a look (before 1.34)."""

    @classmethod
    def from_plan(cls, plan: NodeLifecycleSettings, taints_a_look_later: bool = False) -> "HealthSettings":
        """The flags of a plan, and what its version does."""
        zones = ZoneSettings(
            plan.node_eviction_rate,
            plan.secondary_node_eviction_rate,
            plan.unhealthy_zone_threshold,
            plan.large_cluster_size_threshold,
        )
        return cls(plan.node_monitor_period, plan.node_monitor_grace_period, zones, taints_a_look_later)


@dataclass(frozen=True, slots=True)
class NodeReport:
    """What the API server holds of a node."""

    node: int
    zone: str
    ready: ReadyStatus
    heartbeat_us: int
    """When its kubelet last renewed the lease or posted a status."""
    excluded: bool = False
    """Its label keeps it out of the disruption checks of its zone."""


@dataclass
class Look:
    """What one look of the controller did; rows of nodes."""

    became_unknown: list[int] = field(default_factory=list)
    pods_not_ready: list[int] = field(default_factory=list)
    """Nodes that were Ready: their pods are marked not Ready."""
    tainted: list[tuple[int, ReadyStatus]] = field(default_factory=list)
    """Nodes whose NoExecute taint was swapped for the other one."""
    untainted: list[int] = field(default_factory=list)
    states: dict[str, ZoneState] = field(default_factory=dict)


class NodeHealth:
    """The controller's memory: probe times, taints it has set, queues and states of zones."""

    def __init__(self, settings: HealthSettings) -> None:
        self._settings = settings
        self._seen_us: dict[int, int] = {}
        self._probe_us: dict[int, int] = {}
        self._queues: dict[str, TaintQueue] = {}
        self.states: dict[str, ZoneState] = {}
        self.taints: dict[int, ReadyStatus] = {}
        """Nodes with a NoExecute taint, and the status that the taint shows."""

    def look(self, now_us: int, reports: Iterable[NodeReport]) -> Look:
        """One pass over all nodes, then over all zones."""
        look = Look()
        counts: dict[str, list[int]] = {}
        queue_of: dict[int, TaintQueue] = {}
        for report in reports:
            queue = queue_of[report.node] = self._queue(report.zone)
            ready = self._examine(report, now_us, look)
            known = report.ready if self._settings.taints_a_look_later else ready
            self._follow(report.node, known, queue, look)
            if report.excluded:
                continue
            count = counts.setdefault(report.zone, [0, 0])
            count[0] += 1
            count[1] += ready is not ReadyStatus.TRUE
        self._judge_zones(now_us, {zone: (total, down) for zone, (total, down) in counts.items()}, queue_of, look)
        left = set(queue_of.values())
        self._queues = {zone: queue for zone, queue in self._queues.items() if queue in left}
        return look

    def remember(self, node: int, heartbeat_us: int, probe_us: int) -> None:
        """Start from a node that was watched before: its last heartbeat seen, and the look that saw it."""
        self._seen_us[node], self._probe_us[node] = heartbeat_us, probe_us

    def forget(self, node: int) -> None:
        """The Node object is gone."""
        self._seen_us.pop(node, None)
        self._probe_us.pop(node, None)
        self.taints.pop(node, None)
        for queue in self._queues.values():
            queue.remove(node)

    def next_turn_us(self, now_us: int) -> int | None:
        """When the queues have to be worked off next: a multiple of their period, or None."""
        turns = [turn for queue in self._queues.values() if (turn := queue.next_turn_us(now_us)) is not None]
        return -(-min(turns) // QUEUE_PERIOD_US) * QUEUE_PERIOD_US if turns else None

    def work_queues(self, now_us: int, ready: Callable[[int], ReadyStatus]) -> list[tuple[int, ReadyStatus]]:
        """Taints whose turn has come; `ready`: status of a node now. A node that is ready again wastes its turn."""
        done: list[tuple[int, ReadyStatus]] = []

        def taint(node: int) -> None:
            status = ready(node)
            if status is not ReadyStatus.TRUE and self.taints.get(node) is not status:
                self.taints[node] = status
                done.append((node, status))

        for queue in self._queues.values():
            queue.work(now_us, taint)
        return done

    def _queue(self, zone: str) -> TaintQueue:
        if zone not in self._queues:
            self._queues[zone] = TaintQueue(self._settings.zones.eviction_rate)
        return self._queues[zone]

    def _examine(self, report: NodeReport, now_us: int, look: Look) -> ReadyStatus:
        """Steps 1 and 2: the node's status after this look."""
        node = report.node
        if node not in self._seen_us or report.heartbeat_us > self._seen_us[node]:
            self._seen_us[node], self._probe_us[node] = report.heartbeat_us, now_us
        if report.ready is ReadyStatus.UNKNOWN or now_us <= self._probe_us[node] + self._settings.grace_us:
            return report.ready
        look.became_unknown.append(node)
        if report.ready is ReadyStatus.TRUE:
            look.pods_not_ready.append(node)
        return ReadyStatus.UNKNOWN

    def _follow(self, node: int, ready: ReadyStatus, queue: TaintQueue, look: Look) -> None:
        """Step 3: taints as the status says."""
        if ready is ReadyStatus.TRUE:
            self._clear(node, queue, look)
        elif self.taints.get(node, ready) is not ready:
            self.taints[node] = ready
            look.tainted.append((node, ready))
        else:
            queue.add(node, again=node not in self.taints)

    def _clear(self, node: int, queue: TaintQueue, look: Look) -> None:
        queue.remove(node)
        if self.taints.pop(node, None) is not None:
            look.untainted.append(node)

    def _clear_all(self, queue_of: Mapping[int, TaintQueue], look: Look) -> None:
        """Remove the taints that the look found; one that it has just swapped is not seen and stays."""
        swapped = {node for node, _ in look.tainted}
        for node, queue in queue_of.items():
            if node in swapped:
                queue.remove(node)
            else:
                self._clear(node, queue, look)

    def _judge_zones(
        self, now_us: int, counts: Mapping[str, tuple[int, int]], queue_of: Mapping[int, TaintQueue], look: Look
    ) -> None:
        rates = zone_rates(self.states, counts, self._settings.zones)
        if rates.all_taints_removed:
            self._clear_all(queue_of, look)
        if rates.probe_times_reset:
            self._probe_us.update(dict.fromkeys(queue_of, now_us))
        for zone, rate in rates.new_rates.items():
            self._queue(zone).set_rate(rate, now_us)
        self.states = look.states = rates.states
