"""Conditions of kubelets under pressure reach the API at their next status sync, and with them the taints."""

from collections.abc import Callable
from dataclasses import dataclass

from planner.engine.draws import Draws
from planner.engine.phases import Phase
from planner.engine.queue import EventQueue
from planner.matching.taints import NodeTaint, TaintEffect
from planner.nodes.kubelet.pressure import Pressure
from planner.record.decisions import Actor, Decision, Verdict
from planner.record.details.nodes import PressureChange
from planner.state.cluster import Cluster
from planner.units import US_PER_MS, US_PER_S

SYNC_US = 10 * US_PER_S
PRESSURE_TAINTS = {
    Pressure.MEMORY: NodeTaint("node.kubernetes.io/memory-pressure", "", TaintEffect.NO_SCHEDULE),
    Pressure.DISK: NodeTaint("node.kubernetes.io/disk-pressure", "", TaintEffect.NO_SCHEDULE),
    Pressure.PID: NodeTaint("node.kubernetes.io/pid-pressure", "", TaintEffect.NO_SCHEDULE),
}


@dataclass(frozen=True, slots=True)
class StatusSync:
    """A kubelet writes changed conditions; the taint follows at once."""

    node: int


class PressureTaints:
    """What kubelets report, and which of it is shown as taints."""

    def __init__(self, cluster: Cluster, events: EventQueue, draws: Draws, decide: Callable[[Decision], None]) -> None:
        self._cluster = cluster
        self._events = events
        self._sync_draws = draws.of("kubelet/status sync")
        self._changes: dict[int, int] = {}
        """How often the conditions of each node have changed."""
        self._decide = decide
        self._reported: dict[int, tuple[str, ...]] = {}
        self._shown: dict[int, tuple[str, ...]] = {}
        """Conditions whose taints are set, by node."""

    def conditions_of(self, node: int) -> tuple[str, ...]:
        """Pressure conditions as the node's kubelet knows them."""
        return self._reported.get(node, ())

    def report(self, node: int, conditions: tuple[str, ...]) -> None:
        """What the kubelet found in a pass."""
        if conditions == self.conditions_of(node):
            return
        self._reported[node] = conditions
        change = self._changes[node] = self._changes.get(node, 0) + 1
        wait_ms = 1 + self._sync_draws.below(SYNC_US // US_PER_MS - 1, self._cluster.nodes.draw_key.item(node), change)
        self._events.push(self._events.now_us + wait_ms * US_PER_MS, Phase.NODE_STATUS, StatusSync(node))

    def forget(self, node: int) -> None:
        """The node is gone."""
        self._changes.pop(node, None)
        self._reported.pop(node, None)
        self._shown.pop(node, None)

    def on_sync(self, event: StatusSync) -> None:
        """Set or remove the taint of the condition."""
        node = event.node
        known, shown = self._reported.get(node), self._shown.get(node, ())
        if known is None or known == shown:
            return
        self._shown[node] = known
        marks = tuple(PRESSURE_TAINTS.values())
        kept = tuple(taint for taint in self._cluster.node_taints(node) if taint not in marks)
        added = tuple(taint for name, taint in PRESSURE_TAINTS.items() if name in known)
        self._cluster.set_taints(node, (*kept, *added))
        verdict = Verdict.PRESSURE if known else Verdict.PRESSURE_OVER
        details = PressureChange(known or tuple(name for name in shown if name not in known))
        name = self._cluster.node_name(node)
        self._decide(Decision(self._events.now_us, Actor.KUBELET, verdict, name, details=details))
