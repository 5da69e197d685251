"""Plays the plan of a timeline case with the production engine and writes down what the recordings contain."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from planner.engine.loop import EventLoop
from planner.hpa.controller.shown import HpaSync
from planner.hpa.rules.conditions import ConditionType
from planner.plan.model.plan import Plan
from planner.record.decisions import Decision, Verdict
from planner.record.details.node_groups import ScaleUp
from planner.record.details.nodes import EvictionRefused
from planner.record.details.replicas import Evaluation
from planner.record.details.work import PlanEventEffect
from planner.simulation.options import RunOptions
from planner.simulation.simulation import Simulation
from planner.simulation.wiring import handlers
from planner.state.changes import ClusterEvent, ClusterEventKind
from planner.state.nodes import NONE
from planner.state.pods import EndReason
from planner.units import US_PER_DAY, US_PER_S
from tests.conformance.decision_log import DecisionLog

Row = list[Any]
AS_RECORDED = RunOptions(recorded_stand_ins=True)
CAUSES: Mapping[EndReason, str | None] = {
    EndReason.NONE: None,
    EndReason.SCALE_DOWN: "scale-down",
    EndReason.PREEMPTED: "preempted",
    EndReason.EVICTED: "evicted",
    EndReason.NODE_REMOVED: "node-removed",
}
AUTOSCALER_TAINTS = ("ToBeDeletedByClusterAutoscaler", "DeletionCandidateOfClusterAutoscaler")


@dataclass
class Timeline:
    """The five levels of a recording, and the decisions behind them."""

    states: list[dict[str, Any]] = field(default_factory=list)
    events: list[Row] = field(default_factory=list)
    pods: list[Row] = field(default_factory=list)
    hpa_syncs: list[Row] = field(default_factory=list)
    ca_loops: list[int] = field(default_factory=list)
    decisions: list[Decision] = field(default_factory=list)


def play(plan: Plan) -> Timeline:
    """Run the plan to the end of its last second."""
    # Rows of the report take no part in what is compared.
    quiet = plan.simulation.model_copy(update={"record_interval": US_PER_DAY})
    return _Player(plan.model_copy(update={"simulation": quiet})).play()


class _Player:
    """One run, looked at after every second in which something happened."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._log = DecisionLog()
        self._sim = Simulation(plan, 1, self._log, options=AS_RECORDED)
        self._out = Timeline(decisions=self._log.all)
        self._taints: dict[int, frozenset[str]] = {}
        self._latest_sync: dict[str, Row] = {}
        self._daemons = frozenset(self._sim.world.daemon_rows)
        kinds = (ClusterEventKind.NODE_ADDED, ClusterEventKind.NODE_CHANGED, ClusterEventKind.NODE_GONE)
        self._sim.cluster.subscribe(self._on_node, kinds)

    def play(self) -> Timeline:
        sim, until_s = self._sim, self._plan.simulation.duration // US_PER_S
        loop = EventLoop(sim.events, handlers(sim), sim.settle)
        sim.start()
        while (step := sim.events.peek()) is not None and (t := step[0] // US_PER_S) <= until_s:
            loop.run_until(t * US_PER_S + US_PER_S - 1)
            self._after_second(t)
        self._report_nodes()
        self._report_decisions()
        self._report_pods()
        self._out.events.sort(key=lambda event: event[0])
        return self._out

    def _now_s(self) -> int:
        return self._sim.events.now_us // US_PER_S

    # -- after a second -----------------------------------------------------------------------

    def _after_second(self, t: int) -> None:
        state = {"t": t, "workloads": self._workloads(), "groups": self._groups()}
        last = self._out.states[-1] if self._out.states else None
        if last is None or {**last, "t": t} != state:
            self._out.states.append(state)
        hpa = self._sim.hpa
        if hpa.latest_us // US_PER_S == t and hpa.latest:
            for sync in hpa.latest:
                self._report_sync(t, sync)
        loop_us = self._sim.autoscaler.last_loop_us
        if loop_us is not None and loop_us // US_PER_S == t:
            self._out.ca_loops.append(t)

    def _workloads(self) -> dict[str, Row]:
        table = self._sim.cluster.workloads
        columns = (table.desired, table.active, table.ready, table.unbound, table.terminating)
        return {
            name: [int(column[row]) for column in columns]
            for name, row in self._sim.world.workload_rows.items()
            if not table.absent[row]
        }

    def _groups(self) -> dict[str, Row]:
        table, names = self._sim.cluster.groups, self._sim.cluster.group_names
        columns = (table.target, table.registered, table.ready)
        return {name: [int(column[row]) for column in columns] for row, name in enumerate(names)}

    def _report_sync(self, t: int, sync: HpaSync) -> None:
        reasons = {condition.type: str(condition.reason) for condition in sync.conditions}
        kinds = (ConditionType.ABLE_TO_SCALE, ConditionType.SCALING_ACTIVE, ConditionType.SCALING_LIMITED)
        found = [reasons.get(kind, "") for kind in kinds]
        row = [sync.name, sync.before, sync.after, sync.observed, *found, "error" if sync.failed else ""]
        if self._latest_sync.get(sync.name) != row:
            self._latest_sync[sync.name] = row
            self._out.hpa_syncs.append([t, *row])

    # -- as it happens ------------------------------------------------------------------------

    def _on_node(self, event: ClusterEvent) -> None:
        node, cluster = event.node, self._sim.cluster
        if event.kind == ClusterEventKind.NODE_GONE:
            self._taints.pop(node, None)
            return
        before = self._taints.get(node, frozenset())
        after = frozenset(taint.key for taint in cluster.node_taints(node) if taint.key in AUTOSCALER_TAINTS)
        self._taints[node] = after
        for kind, keys in (("TaintAdded", after - before), ("TaintRemoved", before - after)):
            self._out.events.extend([self._now_s(), kind, cluster.node_name(node), key] for key in sorted(keys))

    # -- at the end ---------------------------------------------------------------------------

    def _report_nodes(self) -> None:
        cluster, nodes = self._sim.cluster, self._sim.cluster.nodes
        for node in range(nodes.count):
            group = int(nodes.group[node])
            names = [cluster.node_name(node), cluster.group_names[group]]
            times = {"NodeDeleteRequested": nodes.delete_requested_us[node]}
            if nodes.requested_us[node] > 0:
                times["NodeRegistered"] = nodes.registered_us[node]
                if self._plan.node_groups[group].ready_delay:
                    times["NodeReady"] = nodes.ready_us[node]
            if nodes.registered_us[node] != NONE:
                times["NodeRemoved"] = nodes.removed_us[node]
            happened = [[int(at) // US_PER_S, kind, *names] for kind, at in times.items() if at != NONE]
            self._out.events.extend(happened)

    def _report_decisions(self) -> None:
        for decision in self._log.all:
            row = _as_event(decision)
            if row is not None:
                self._out.events.append([decision.time_us // US_PER_S, *row])

    def _report_pods(self) -> None:
        cluster, pods = self._sim.cluster, self._sim.cluster.pods
        for pod in range(pods.count):
            name = cluster.pod_name(pod)
            node = None if pods.last_node[pod] == NONE else cluster.node_name(pods.last_node[pod])
            ended_us, reason = int(pods.ended_us[pod]), EndReason(pods.end_reason[pod])
            deletion_us = int(pods.deletion_us[pod]) if pods.deletion_us[pod] != NONE else ended_us
            times_us = (int(pods.created_us[pod]), int(pods.bound_us[pod]), int(pods.running_us[pod]))
            created, bound, running, deleted, ended = map(_second, (*times_us, deletion_us, ended_us))
            self._out.pods.append([name, created, bound, node, running, deleted, CAUSES[reason], ended])
            if reason in (EndReason.PREEMPTED, EndReason.EVICTED):
                kind = "PodPreempted" if reason is EndReason.PREEMPTED else "PodEvicted"
                self._out.events.append([deleted, kind, name, node])


def _second(time_us: int) -> int | None:
    return None if time_us == NONE else time_us // US_PER_S


def _as_event(decision: Decision) -> Row | None:
    """The recordings' form of a decision; None where they have none."""
    details = decision.details
    match decision.verdict, details:
        case Verdict.SCALED, Evaluation(current=current, desired=desired):
            return ["HPARescale", decision.subject, current, desired]
        case Verdict.NOMINATED, _:
            return ["Nominated", decision.subject, decision.target]
        case Verdict.TRIGGERED, ScaleUp(added=added, new_target=new_target):
            return ["TriggeredScaleUp", decision.subject, added, new_target]
        case Verdict.REFUSED, EvictionRefused(budget=budget):
            return ["EvictionRefused", decision.subject, budget]
        case Verdict.HAPPENED, PlanEventEffect(what="setReplicas", before=before, after=after):
            return ["ManualScale", decision.subject, before, after]
    return None
