"""The parts of a run that events of the plan act on."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from planner.engine.draws import Draws, Keys
from planner.engine.phases import Phase
from planner.engine.queue import EventQueue
from planner.nodes.cloud.provisioning import Cloud
from planner.nodes.drain.drainer import Drainer
from planner.nodes.drain.node_shutdown import NodeShutdowns
from planner.nodes.drain.upgrade import NodeUpgrades
from planner.plan.model.events.on_control_plane import MetricsApi, RestartedController
from planner.plan.model.events.on_nodes import OnNodes
from planner.plan.model.events.plan_event import PlanEvent
from planner.plan.model.pods.pod_template import PodTemplate
from planner.simulation.plan_events.plan_changes import PlanChanges
from planner.state.cluster import Cluster
from planner.workloads.controllers.pod_lifecycle import PodLifecycle


@dataclass(frozen=True, slots=True)
class EffectEnds:
    """The effect of an event ends."""

    end: Callable[[], None]


@dataclass(frozen=True)
class Reach:
    """The parts of a run that events act on."""

    cluster: Cluster
    events: EventQueue
    cloud: Cloud
    drainer: Drainer
    upgrades: NodeUpgrades
    shutdowns: NodeShutdowns
    lifecycle: PodLifecycle
    pool_rows: Mapping[str, tuple[int, ...]]
    """Group rows of a pool of the plan: several if it has a group per zone."""
    workload_rows: Mapping[str, int]
    restart: Callable[[RestartedController], None]
    set_metrics: Callable[[MetricsApi, bool], None]
    """Whether a metrics API answers."""
    roll_out: Callable[[int, PodTemplate | None], None]
    """Begin a rollout of a workload row; the new template, if it changes."""
    replicas_of: Callable[[str], int]
    """Replicas in the manifest of a workload."""
    interrupt: Callable[[int], bool]
    """Warn Karpenter that the cloud takes a node; whether the node is its own."""
    change_node_class: Callable[[Sequence[int]], None]
    """Nodes of Karpenter have drifted."""
    changes: PlanChanges
    """Of the plan's own numbers."""


@dataclass
class Scene:
    """The run as an effect sees it: its parts, chance, and a way to come back later."""

    reach: Reach
    draws: Draws
    key: int = 0
    """What draws of the present occurrence are keyed by."""
    number: int = 0
    """Of the present event in the plan."""
    outages: dict[MetricsApi, int] = field(default_factory=lambda: dict.fromkeys(MetricsApi, 0))
    """How many outages each metrics API suffers from now."""

    @property
    def cluster(self) -> Cluster:
        """State of the run."""
        return self.reach.cluster

    def later(self, after_us: int, end: Callable[[], None]) -> None:
        """Call `end` after a while; never if that is 0."""
        if after_us > 0:
            self.reach.events.push(self.reach.events.now_us + after_us, Phase.PLAN_ACTIONS, EffectEnds(end))

    def groups(self, pool: str) -> tuple[int, ...]:
        """Group rows of a pool."""
        return self.reach.pool_rows[pool]

    def running(self, pool: str) -> list[int]:
        """Nodes of a pool that run, the oldest first."""
        cluster = self.cluster
        nodes = cluster.nodes
        rows = self.groups(pool)
        mine = [node for row in rows for node in cluster.group_nodes[row]]
        return [n for n in (sorted(mine) if len(rows) > 1 else mine) if nodes.exists[n] and not nodes.silent[n]]

    def named_of(self, nodes: Sequence[int], event: OnNodes) -> list[int] | None:
        """Those of the nodes that the event names; None if it names none."""
        if not event.nodes:
            return None
        return [node for node in nodes if self.cluster.node_name(node) in event.nodes]

    def oldest(self, nodes: Sequence[int], event: OnNodes) -> list[int]:
        """The nodes that the event names, or the first of them."""
        named = self.named_of(nodes, event)
        return list(nodes[: event.count]) if named is None else named

    def anyone(self, event: OnNodes) -> list[int]:
        """Running nodes of the pool: those that the event names, or as many as it says, chosen at random."""
        return self.anyone_of(self.running(event.node_group), event)

    def anyone_of(self, nodes: list[int], event: OnNodes) -> list[int]:
        """Of these nodes those that the event names, or as many as it says, chosen at random."""
        named = self.named_of(nodes, event)
        return self.some(nodes, self.cluster.nodes.draw_key[nodes], event.count) if named is None else named

    def some(self, rows: list[int], keys: Keys, count: int) -> list[int]:
        """At most `count` of them, chosen at random by their keys, in the order given."""
        if count >= len(rows):
            return rows
        return [rows[at] for at in self.draws.of("events/chosen").some(count, self.key, keys)]

    def names(self, nodes: Sequence[int]) -> list[str]:
        """Names of nodes."""
        return [self.cluster.node_name(node) for node in nodes]


Effects = Mapping[type[PlanEvent], Callable[[Scene, Any], list[str]]]
"""What kinds of events do; each effect returns the names of what it hit."""
