"""Events and faults of the plan: when they happen, and what they do to the run."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial, singledispatchmethod
from typing import TYPE_CHECKING, Any

import numpy as np

from planner.engine.phases import Phase
from planner.engine.queue import EventQueue
from planner.nodes.drainer import Drainer
from planner.nodes.node_shutdown import NodeShutdowns
from planner.nodes.provisioning import Cloud, Trouble
from planner.nodes.upgrade import NodeUpgrades
from planner.plan import faults
from planner.record.decisions import Actor, Decision, Verdict
from planner.state.cluster import Cluster
from planner.state.nodes import NONE
from planner.state.specs import ZONE_LABEL, Taint
from planner.units import US_PER_H
from planner.workloads.lifecycle import PodLifecycle

if TYPE_CHECKING:
    from collections.abc import Mapping

REMOVAL_DELAY_US = 60_000_000
"""Time from the deletion of a Node object until its pods are collected (spec/node-lifecycle.md section 11)."""


@dataclass(frozen=True, slots=True)
class PlanEventDue:
    """An event of the plan happens; its number in the plan."""

    number: int


@dataclass(frozen=True, slots=True)
class EffectEnds:
    """The effect of an event ends."""

    end: Callable[[], None]


def occurrences_us(event: faults.PlanEvent, until_us: int, draws: np.random.Generator) -> Iterator[int]:
    """When an event happens: once at its time, or at the moments of a Poisson process from then on."""
    if event.per_hour <= 0:
        if event.at <= until_us:
            yield event.at
        return
    at_us: float = event.at
    while (at_us := at_us + draws.exponential(US_PER_H / event.per_hour)) <= until_us:
        yield round(at_us / 1000) * 1000


@dataclass(frozen=True)
class Reach:
    """What events of the plan act on."""

    cluster: Cluster
    events: EventQueue
    cloud: Cloud
    drainer: Drainer
    upgrades: NodeUpgrades
    shutdowns: NodeShutdowns
    lifecycle: PodLifecycle
    workload_rows: "Mapping[str, int]"
    restart: Callable[[faults.RestartedController], None]
    set_metrics: Callable[[faults.MetricsApi, bool], None]
    """Whether a metrics API answers."""
    roll_out: Callable[[int], None]
    """Begin a rollout of a workload row."""
    replicas_of: Callable[[str], int]
    """Replicas in the manifest of a workload."""


class PlanEvents:
    """Lets the events of the plan happen."""

    def __init__(
        self,
        planned: tuple[faults.PlanEvent, ...],
        reach: Reach,
        draws: np.random.Generator,
        decide: Callable[[Decision], None],
    ) -> None:
        self._planned = planned
        self._reach = reach
        self._draws = draws
        self._decide = decide
        self._outages = dict.fromkeys(faults.MetricsApi, 0)

    def start(self, until_us: int) -> None:
        """Put all occurrences into the queue."""
        for number, event in enumerate(self._planned):
            for at_us in occurrences_us(event, until_us, self._draws):
                self._reach.events.push(at_us, Phase.PLAN_ACTIONS, PlanEventDue(number))

    def on_due(self, due: PlanEventDue) -> None:
        """An event happens; what it hit is recorded."""
        event = self._planned[due.number]
        figures = self._replicas(event) if isinstance(event, faults.SetReplicas) else {}
        hit = self._happen(event)
        now_us, name = self._reach.events.now_us, _subject(event)
        details = {"what": event.type, **({"on": ", ".join(hit)} if hit else {})}
        self._decide(Decision(now_us, Actor.PLAN_EVENT, Verdict.HAPPENED, name, figures=figures, details=details))

    def _replicas(self, event: faults.SetReplicas) -> dict[str, float]:
        before = self._reach.cluster.workloads.desired[self._reach.workload_rows[event.workload]]
        return {"before": float(before), "after": float(event.replicas)}

    def on_ends(self, ends: EffectEnds) -> None:
        """Undo what an event did."""
        ends.end()

    def _later(self, after_us: int, end: Callable[[], None]) -> None:
        """Call `end` after a while; never if that is 0."""
        if after_us > 0:
            self._reach.events.push(self._reach.events.now_us + after_us, Phase.PLAN_ACTIONS, EffectEnds(end))

    # -- which nodes --------------------------------------------------------------------------

    def _nodes(self, group: str) -> list[int]:
        """Nodes of a pool that run, the oldest first."""
        cluster = self._reach.cluster
        nodes = cluster.nodes
        row = cluster.group_names.index(group)
        return [node for node in cluster.group_nodes[row] if nodes.exists[node] and not nodes.silent[node]]

    def _some(self, rows: list[int], count: int) -> list[int]:
        """At most `count` of them, chosen at random, in order of row."""
        if count >= len(rows):
            return rows
        return sorted(rows[int(at)] for at in self._draws.choice(len(rows), size=count, replace=False))

    def _named(self, nodes: list[int]) -> list[str]:
        return [self._reach.cluster.node_name(node) for node in nodes]

    # -- what happens -------------------------------------------------------------------------

    @singledispatchmethod
    def _happen(self, event: Any) -> list[str]:
        raise TypeError(f"no effect is known for {type(event).__name__}")

    @_happen.register
    def _node_loss(self, event: faults.NodeLoss) -> list[str]:
        lost = self._some(self._nodes(event.node_group), event.count)
        self._silence(lost, event.duration)
        comes_back_first = 0 < event.duration <= event.node_removed_after
        if event.node_removed_after and not comes_back_first:
            self._later(event.node_removed_after + REMOVAL_DELAY_US, lambda: self._remove_dead(lost))
        return self._named(lost)

    @_happen.register
    def _zone_outage(self, event: faults.ZoneOutage) -> list[str]:
        cluster = self._reach.cluster
        nodes = cluster.nodes
        running = [int(node) for node in np.flatnonzero(nodes.exists & ~nodes.silent)]
        lost = [node for node in running if cluster.node_labels(node).get(ZONE_LABEL) == event.zone]
        self._silence(lost, event.duration)
        groups = [at for at, spec in enumerate(cluster.node_specs) if spec.labels.get(ZONE_LABEL) == event.zone]
        for row in groups:
            self._disturb(row, Trouble(available=0, down=True), event.duration)
        return self._named(lost)

    @_happen.register
    def _spot_reclaim(self, event: faults.SpotReclaim) -> list[str]:
        taken = self._some(self._nodes(event.node_group), event.count)
        for node in taken:
            if event.drain:
                self._reach.drainer.start(node, "spot reclaim", event.notice, lambda _node, _done: None)
            else:
                self._reach.cluster.set_unschedulable(node, True)
        self._later(max(event.notice, 1), lambda: self._reclaim(taken))
        return self._named(taken)

    @_happen.register
    def _stock_out(self, event: faults.StockOut) -> list[str]:
        row = self._reach.cluster.group_names.index(event.node_group)
        self._disturb(row, Trouble(available=event.available), event.duration)
        return []

    @_happen.register
    def _slow_provisioning(self, event: faults.SlowProvisioning) -> list[str]:
        row = self._reach.cluster.group_names.index(event.node_group)
        self._disturb(row, Trouble(factor=event.factor, failure_ratio=event.failure_ratio), event.duration)
        return []

    @_happen.register
    def _image_pull(self, event: faults.ImagePullDelay) -> list[str]:
        delays, row = self._reach.lifecycle.pull_delay_us, self._reach.workload_rows[event.workload]
        delays[row] = delays.get(row, 0) + event.delay

        def end() -> None:
            delays[row] -= event.delay

        self._later(event.duration, end)
        return []

    @_happen.register
    def _metrics_outage(self, event: faults.MetricsOutage) -> list[str]:
        every = (faults.MetricsApi.RESOURCE, faults.MetricsApi.CUSTOM, faults.MetricsApi.EXTERNAL)
        hit = every if event.api is faults.MetricsApi.ALL else (event.api,)
        for api in hit:
            self._outages[api] += 1
            self._reach.set_metrics(api, False)

        def end() -> None:
            for api in hit:
                self._outages[api] -= 1
                self._reach.set_metrics(api, self._outages[api] == 0)

        self._later(event.duration, end)
        return []

    @_happen.register
    def _drain(self, event: faults.DrainNodes) -> list[str]:
        nodes = self._uncordoned(event.node_group)[: event.count]

        def ended(node: int, done: bool) -> None:
            self._later(event.uncordon_after, lambda: self._uncordon([node]))

        for node in nodes:
            self._reach.drainer.start(node, "kubectl drain", event.timeout, ended)
        return self._named(nodes)

    @_happen.register
    def _cordon(self, event: faults.CordonNodes) -> list[str]:
        nodes = self._uncordoned(event.node_group)[: event.count]
        for node in nodes:
            self._reach.cluster.set_unschedulable(node, True)
        self._later(event.duration, lambda: self._uncordon(nodes))
        return self._named(nodes)

    @_happen.register
    def _upgrade(self, event: faults.NodeUpgrade) -> list[str]:
        row = self._reach.cluster.group_names.index(event.node_group)
        self._reach.upgrades.start(row, event.max_surge, event.max_unavailable, event.drain_timeout)
        return []

    @_happen.register
    def _taint(self, event: faults.TaintNodes) -> list[str]:
        taint = Taint(event.taint.key, event.taint.value, event.taint.effect)
        free = [node for node in self._nodes(event.node_group) if taint not in self._reach.cluster.node_taints(node)]
        nodes = free[: event.count]
        for node in nodes:
            self._reach.cluster.set_taints(node, (*self._reach.cluster.node_taints(node), taint))
        self._later(event.duration, lambda: self._untaint(nodes, taint))
        return self._named(nodes)

    @_happen.register
    def _rollout(self, event: faults.Rollout) -> list[str]:
        self._reach.roll_out(self._reach.workload_rows[event.workload])
        return []

    @_happen.register
    def _flap(self, event: faults.ReadinessFlap) -> list[str]:
        cluster, row = self._reach.cluster, self._reach.workload_rows[event.workload]
        ready = [pod for pod in cluster.workload_pods[row] if cluster.pods.ready[pod]]
        hit = self._some(ready, event.count)
        for pod in hit:
            self._reach.lifecycle.mark_not_ready(pod, for_us=event.duration)
        return [cluster.pod_name(pod) for pod in hit]

    @_happen.register
    def _restart(self, event: faults.ControllerRestart) -> list[str]:
        self._reach.restart(event.controller)
        return []

    @_happen.register
    def _resize(self, event: faults.ResizePool) -> list[str]:
        row = self._reach.cluster.group_names.index(event.node_group)
        self._reach.cluster.set_group_limits(row, event.min_size, event.max_size)
        return []

    @_happen.register
    def _create(self, event: faults.CreateWorkload) -> list[str]:
        row = self._reach.workload_rows[event.workload]
        self._reach.cluster.set_absent(row, False)
        self._reach.cluster.set_replicas(row, self._reach.replicas_of(event.workload))
        return []

    @_happen.register
    def _delete(self, event: faults.DeleteWorkload) -> list[str]:
        row = self._reach.workload_rows[event.workload]
        self._reach.cluster.set_replicas(row, 0)
        self._reach.cluster.set_absent(row, True)
        return []

    @_happen.register
    def _set_replicas(self, event: faults.SetReplicas) -> list[str]:
        self._reach.cluster.set_replicas(self._reach.workload_rows[event.workload], event.replicas)
        return []

    # -- effects ------------------------------------------------------------------------------

    def _silence(self, nodes: list[int], duration_us: int) -> None:
        for node in nodes:
            self._reach.cluster.set_node_silent(node, True)

        def end() -> None:
            for node in nodes:
                if self._reach.cluster.nodes.exists[node]:
                    self._reach.cluster.set_node_silent(node, False)

        self._later(duration_us, end)

    def _remove_dead(self, nodes: list[int]) -> None:
        for node in nodes:
            if self._reach.cluster.nodes.silent[node]:
                self._reach.cloud.lose_node(node)

    def _reclaim(self, nodes: list[int]) -> None:
        """The machines shut down and go; the pool's target stays, so the cloud looks for others."""
        for node in nodes:
            if self._reach.cluster.nodes.removed_us[node] == NONE:
                self._reach.shutdowns.start(node, partial(self._replace, node))

    def _replace(self, node: int) -> None:
        if self._reach.cluster.nodes.removed_us[node] == NONE:
            self._reach.cloud.lose_node(node)
            self._reach.cloud.increase_size(int(self._reach.cluster.nodes.group[node]), 1)

    def _disturb(self, row: int, trouble: Trouble, duration_us: int) -> None:
        troubles = self._reach.cloud.troubles
        troubles[row] = trouble

        def end() -> None:
            if troubles.get(row) is trouble:
                del troubles[row]

        self._later(duration_us, end)

    def _uncordoned(self, group: str) -> list[int]:
        return [node for node in self._nodes(group) if not self._reach.cluster.nodes.unschedulable[node]]

    def _uncordon(self, nodes: list[int]) -> None:
        for node in nodes:
            if self._reach.cluster.nodes.exists[node] and not self._reach.cluster.nodes.deleting[node]:
                self._reach.cluster.set_unschedulable(node, False)

    def _untaint(self, nodes: list[int], taint: Taint) -> None:
        for node in nodes:
            if self._reach.cluster.nodes.exists[node]:
                kept = tuple(other for other in self._reach.cluster.node_taints(node) if other != taint)
                self._reach.cluster.set_taints(node, kept)


def _subject(event: faults.PlanEvent) -> str:
    """Name of what an event is about."""
    for field in ("node_group", "workload", "zone", "controller"):
        name = getattr(event, field, None)
        if name is not None:
            return str(name)
    return "metrics"
