"""Upgrades of node pools: every existing node is drained, deleted and replaced by a new one."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from planner.engine.queue import EventQueue
from planner.language.translation import marked
from planner.nodes.drain.drainer import Drainer
from planner.record.decisions import Actor, Decision, Verdict
from planner.record.details.work import UpgradeEnded
from planner.state.changes import ClusterEvent, ClusterEventKind
from planner.state.cluster import Cluster
from planner.state.nodes import NONE
from planner.units import US_PER_S


class Machines(Protocol):
    """The cloud."""

    def increase_size(self, group: int, count: int) -> None:
        """Ask for more instances."""
        ...

    def delete_node(self, node: int) -> None:
        """Delete an instance."""
        ...


@dataclass
class _Upgrade:
    """One upgrade in progress."""

    group: int
    started_us: int
    surge: int
    unavailable: int
    timeout_us: int
    waiting: list[int]
    """Old nodes whose turn has not come, the oldest first."""
    draining: list[int] = field(default_factory=list)
    booting: list[int] = field(default_factory=list)
    """New nodes that are not Ready yet."""
    spare: int = 0
    """New nodes that are Ready and for which no old node has gone yet."""
    owed: int = 0
    """Old nodes gone for which no new node is Ready yet."""
    done: int = 0


class NodeUpgrades:
    """Carries out upgrades: at most `surge` nodes more and `unavailable` nodes fewer than before."""

    def __init__(
        self,
        cluster: Cluster,
        events: EventQueue,
        drainer: Drainer,
        machines: Machines,
        decide: Callable[[Decision], None],
    ) -> None:
        self._cluster = cluster
        self._events = events
        self._drainer = drainer
        self._machines = machines
        self._decide = decide
        self._upgrades: dict[int, _Upgrade] = {}
        kinds = (ClusterEventKind.NODE_CHANGED, ClusterEventKind.NODE_GONE)
        cluster.subscribe(self._on_change, kinds)

    def start(self, group: int, surge: int, unavailable: int, timeout_us: int) -> None:
        """Begin with the nodes that are there; an upgrade of the pool that is under way goes on instead."""
        if group in self._upgrades:
            return
        nodes = [node for node in self._cluster.group_nodes[group] if self._cluster.nodes.exists[node]]
        upgrade = _Upgrade(group, self._events.now_us, surge, unavailable, timeout_us, nodes)
        self._upgrades[group] = upgrade
        self._advance(upgrade)

    def _on_change(self, event: ClusterEvent) -> None:
        if not self._upgrades:
            return
        upgrade = self._upgrades.get(int(self._cluster.nodes.group[event.node]))
        if upgrade is None or event.node not in upgrade.booting:
            return
        if event.kind == ClusterEventKind.NODE_GONE:
            upgrade.booting.remove(event.node)
        elif self._cluster.nodes.ready[event.node]:
            upgrade.booting.remove(event.node)
            if upgrade.owed > 0:
                upgrade.owed -= 1
            else:
                upgrade.spare += 1
        self._advance(upgrade)

    def _advance(self, upgrade: _Upgrade) -> None:
        """Start as many drains and boots as the limits allow, and record the end."""
        upgrade.waiting = [node for node in upgrade.waiting if self._is_there(node)]
        free = upgrade.spare + upgrade.unavailable - upgrade.owed - len(upgrade.draining)
        while upgrade.waiting and free > 0:
            self._drain(upgrade, upgrade.waiting.pop(0))
            free -= 1
        replacing = len(upgrade.waiting) + len(upgrade.draining) + upgrade.owed
        wanted = min(upgrade.surge + upgrade.owed, replacing) - upgrade.spare - len(upgrade.booting)
        if wanted > 0:
            self._machines.increase_size(upgrade.group, wanted)
            upgrade.booting += range(self._cluster.nodes.count - wanted, self._cluster.nodes.count)
        if not upgrade.waiting and not upgrade.draining and not upgrade.booting and not upgrade.owed:
            self._finish(upgrade)

    def _drain(self, upgrade: _Upgrade, node: int) -> None:
        def ended(node: int, done: bool) -> None:
            upgrade.draining.remove(node)
            upgrade.done += 1
            if upgrade.spare > 0:
                upgrade.spare -= 1
            else:
                upgrade.owed += 1
            if self._is_there(node):
                self._machines.delete_node(node)
            self._advance(upgrade)

        upgrade.draining.append(node)
        self._drainer.start(node, marked("node upgrade"), upgrade.timeout_us, ended)

    def _is_there(self, node: int) -> bool:
        nodes = self._cluster.nodes
        return bool(nodes.exists[node] and nodes.delete_requested_us[node] == NONE)

    def _finish(self, upgrade: _Upgrade) -> None:
        del self._upgrades[upgrade.group]
        now_us, name = self._events.now_us, self._cluster.group_names[upgrade.group]
        details = UpgradeEnded(upgrade.done, took_s=(now_us - upgrade.started_us) / US_PER_S)
        self._decide(Decision(now_us, Actor.DRAIN, Verdict.ENDED, name, details=details))
