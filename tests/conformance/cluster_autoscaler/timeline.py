"""Cluster Autoscaler vectors over many loops: the recorded world is replayed, the production loop decides."""

from collections.abc import Callable, Mapping
from typing import Any

from planner.autoscaler.cloud import CloudRefusal
from planner.autoscaler.scaledown.taints import TO_BE_DELETED
from planner.autoscaler.scaleup.result import ScaleUpResult
from planner.matching.taints import NodeTaint, TaintEffect
from planner.record.decisions import Verdict
from planner.record.details.node_groups import GroupProblem, ScaleUpEvent
from planner.state.nodes import NONE
from planner.state.pods import EndReason
from planner.units import US_PER_S
from tests.conformance.cluster_autoscaler.loop import attempt, with_resizes_in_order
from tests.conformance.cluster_autoscaler.world import NOT_READY, T0_US, CaseWorld
from tests.conformance.decision_log import DecisionLog
from tests.conformance.listing_orders import Orders, explaining_orders, list_in_order

Json = dict[str, Any]
Outcome = tuple[bool, object]
SILENT = (ScaleUpResult.NOT_NEEDED, ScaleUpResult.NOT_TRIED, ScaleUpResult.IN_COOLDOWN)
EVENTS = tuple(event for event in ScaleUpEvent if event is not ScaleUpEvent.CLUSTER_UNHEALTHY)


class Replay(CaseWorld):
    """One case, moved through its recorded changes."""

    def __init__(self, given: Json, orders: Orders | None = None) -> None:
        super().__init__(given)
        self.tainted: dict[str, None] = {}
        self.log = DecisionLog()
        self.recorder = self.log
        self.autoscaler = self._autoscaler()
        if orders:
            list_in_order(self.autoscaler, lambda: orders.get(self.t, 0))
        self.specs = {name: self.cluster.pods.spec[row] for name, row in self.pod_rows.items()}
        self.calls: list[Json] = []
        self.loops: list[Json] = []
        self.backoff: list[Json] = []
        self.evicted = {(change["pod"], change["t"]) for change in given["changes"] if change.get("evicted")}
        self._unneeded: list[str] = []
        self._backed_off = dict.fromkeys(range(len(self.groups)), False)

    # -- time ---------------------------------------------------------------------------------

    @property
    def t(self) -> float:
        """Seconds since t = 0."""
        seconds = (self.now_us - T0_US) / US_PER_S
        return int(seconds) if seconds == int(seconds) else seconds

    def run(self) -> None:
        """All changes and loops in their order."""
        given = self.given
        loops = {T0_US + at * US_PER_S for at in range(0, given["until"] + 1, given["interval"])}
        by_time: dict[int, list[Json]] = {}
        for change in given["changes"]:
            by_time.setdefault(T0_US + round(change["t"] * US_PER_S), []).append(change)
        times = sorted(loops | by_time.keys())
        for at_us in times:
            self._timers_until(at_us)
            self.now_us = at_us
            changes = by_time.get(at_us, [])
            for change in changes:
                if not change.get("after"):
                    self.apply(change)
            if at_us in loops:
                self._loop()
                self._timers_until(at_us)
            for change in changes:
                if change.get("after"):
                    self.apply(change)
            if at_us in loops:
                self._follow_removals()

    def _timers_until(self, at_us: int) -> None:
        while (due_us := self.autoscaler.next_timer_us()) is not None and due_us <= at_us:
            self.now_us = max(due_us, self.now_us)
            self.autoscaler.run_timers(self.now_us)

    def _loop(self) -> None:
        outcome = self.autoscaler.run_once(self.now_us)
        entry: Json = {}
        plan = outcome.attempts[0] if outcome.attempts else None
        if plan is not None and plan.result not in SILENT:
            entry["scaleUp"] = attempt(self, plan, with_remaining=False)
            if plan.choice is not None and plan.options:
                entry["expanderBest"] = sorted(each.group_id for each in plan.choice.finalists)
        unneeded = sorted(map(self.cluster.node_name, self.autoscaler.planner.unneeded_by_name()))
        if unneeded != self._unneeded:
            self._unneeded = entry["unneeded"] = unneeded
        if outcome.scale_down is not None and outcome.scale_down.deleting:
            drained = outcome.scale_down.started.drain
            entry["deleted"] = sorted(
                (
                    {"node": self.cluster.node_name(node), "how": "drain" if node in drained else "empty"}
                    for node in outcome.scale_down.deleting
                ),
                key=lambda each: str(each["node"]),
            )
        if entry:
            self.loops.append({"t": self.t, **entry})
        for row, group in enumerate(self.groups):
            backed_off = self.autoscaler.group_state.backoff.is_backed_off(row, self.now_us)
            if backed_off != self._backed_off[row]:
                self._backed_off[row] = backed_off
                self.backoff.append({"t": self.t, "group": group, "backedOff": backed_off})

    def _follow_removals(self) -> None:
        """Where the real program chose other nodes than this one, go on with its choice."""
        cluster, actuator = self.cluster, self.autoscaler.actuator
        marked = [
            row
            for row in self.rows.values()
            if cluster.nodes.exists[row] and TO_BE_DELETED.key in [taint.key for taint in cluster.node_taints(row)]
        ]
        recorded = [row for row in marked if cluster.node_name(row) in self.tainted]
        going = [node for nodes in actuator.in_progress() for node in nodes if cluster.nodes.exists[node]]
        for node in going:
            if node not in recorded and cluster.nodes.deleting[node]:
                self._cancel(node)
        for node in recorded:
            if node not in going:
                self._take_over(node)

    def _cancel(self, node: int) -> None:
        """Stop a removal: the node is free again."""
        actuator = self.autoscaler.actuator
        removal = actuator._removals[node]
        if removal.batch is not None:
            removal.batch.size -= 1
        actuator._end(removal)
        actuator._release(node)

    def _take_over(self, node: int) -> None:
        """Remove a node that the real program has marked for deletion."""
        pods = self.autoscaler.planner.pods_now(node, self.now_us)
        is_drain = pods.is_filled or pods.is_kept
        self.autoscaler.actuator.start(() if is_drain else (node,), (node,) if is_drain else (), self.now_us)

    # -- changes ------------------------------------------------------------------------------

    def apply(self, change: Json) -> None:
        """One fact of the recorded world."""
        getattr(self, f"_{change['change']}")(change)

    def _podsCreated(self, change: Json) -> None:
        raw, name = change["object"], change["object"]["metadata"]["name"]
        entry = {"pod": raw, "count": change["count"]}
        self.add_pods(entry)
        for copy in range(change["count"]):
            row = self.pod_rows[f"{name}-{copy}"]
            self.specs[f"{name}-{copy}"] = self.cluster.pods.spec[row]

    def _podCreated(self, change: Json) -> None:
        origin = change["copyOf"]
        self.specs[change["pod"]] = spec = self.specs[origin]
        self.create_pod(self.cluster.pod_specs[spec], self.set_of[self.pod_rows[origin]], change["pod"])

    def _podBound(self, change: Json) -> None:
        row = self.pod_rows[change["pod"]]
        self.cluster.bind(row, self.rows[change["node"]])
        self.cluster.mark_running(row)

    def _podUnschedulable(self, change: Json) -> None:
        self.cluster.mark_unschedulable([self.pod_rows[change["pod"]]], [None])

    def _podGone(self, change: Json) -> None:
        row = self.pod_rows[change["pod"]]
        if self.cluster.pods.ended_us[row] == NONE:
            self.cluster.remove_pod(row, EndReason.EVICTED)

    def _target(self, change: Json) -> None:
        self.cluster.set_target(self.groups.index(change["group"]), change["size"])

    def _instance(self, change: Json) -> None:
        group = self.groups.index(change["group"])
        target = int(self.cluster.groups.target[group])
        spec = self.named_spec(group, {"name": change["name"]})
        self.rows[change["name"]] = self.cluster.request_node(spec.index)
        self.cluster.set_target(group, target)

    def _instanceError(self, change: Json) -> None:
        self.cluster.fail_instance(self.rows[change["name"]])

    def _nodeRegistered(self, change: Json) -> None:
        row = self.rows[change["name"]]
        self.cluster.register_node(row, ready=change["ready"])
        self._mark_readiness(row, change["ready"])

    def _nodeReady(self, change: Json) -> None:
        row = self.rows[change["name"]]
        if change["ready"] and not self.cluster.nodes.ready[row]:
            self.cluster.mark_node_ready(row)
        elif not change["ready"] and self.cluster.nodes.ready[row]:
            self.cluster.mark_node_not_ready(row)
        self._mark_readiness(row, change["ready"])

    def _mark_readiness(self, row: int, ready: bool) -> None:
        taints = tuple(taint for taint in self.cluster.node_taints(row) if taint != NOT_READY)
        self.cluster.set_taints(row, taints if ready else (*taints, NOT_READY))

    def _nodeTaints(self, change: Json) -> None:
        row = self.rows[change["name"]]
        if not self.cluster.nodes.exists[row]:
            return
        taints = [
            NodeTaint(key, "", TaintEffect(effect)) for key, effect in (text.split(":") for text in change["taints"])
        ]
        if TO_BE_DELETED in taints:
            self.tainted[change["name"]] = None
        else:
            self.tainted.pop(change["name"], None)
        if not self.cluster.nodes.ready[row] and NOT_READY not in taints:
            taints.append(NOT_READY)
        self.cluster.set_taints(row, tuple(taints))
        self.cluster.set_unschedulable(row, change["unschedulable"])

    def _nodeDeleted(self, change: Json) -> None:
        was_chosen = change["name"] in self.tainted
        self.tainted.pop(change["name"], None)
        if change["name"] not in self.rows:
            return
        row = self.rows[change["name"]]
        if was_chosen and self.cluster.nodes.removed_us[row] == NONE:
            # The real program chose this node instead of another one and was done with it at once.
            self.autoscaler._scale_down._group_deletion_us[int(self.cluster.nodes.group[row])] = self.now_us
        self._vanish(row)

    def _vanish(self, row: int) -> None:
        if self.cluster.nodes.removed_us[row] != NONE:
            return
        for pod in list(self.cluster.node_pods[row]):
            self.cluster.remove_pod(pod, EndReason.NODE_REMOVED)
        self.cluster.remove_node(row)

    # -- cloud and API ------------------------------------------------------------------------

    def _call(self, call: str, group: int, **what: Any) -> None:
        self.calls.append({"t": self.t, "call": call, "group": self.groups[group], **what})

    def increase_size(self, group: int, count: int) -> None:
        """Recorded; the first calls may be refused."""
        refused = {"error": True} if self.refusals[group] else {}
        self._call("increase", group, delta=count, **refused)
        super().increase_size(group, count)

    def decrease_target(self, group: int, count: int) -> None:
        """Recorded; refused below the listed instances."""
        try:
            super().decrease_target(group, count)
        except CloudRefusal:
            self._call("decreaseTarget", group, delta=-count, error=True)
            raise
        self._call("decreaseTarget", group, delta=-count)

    def delete_node(self, node: int) -> None:
        """The instance vanishes at once."""
        group, name = int(self.cluster.nodes.group[node]), self.cluster.node_name(node)
        same = {"t": self.t, "call": "deleteNodes", "group": self.groups[group]}
        known = next((call for call in self.calls if same.items() <= call.items()), None)
        if known is None:
            self._call("deleteNodes", group, nodes=[name])
        else:  # the vectors report the deletions of one moment together
            known["nodes"] = sorted([*known["nodes"], name])
        self.cluster.request_node_removal(node)
        self._vanish(node)

    def evict(self, pod: int) -> bool:
        """Accepted when the record says that the pod went at this moment."""
        if (self.name_of[pod], self.t) not in self.evicted:
            return False
        self.cluster.remove_pod(pod, EndReason.EVICTED)
        return True

    # -- result -------------------------------------------------------------------------------

    def events(self) -> list[Json]:
        """The events that the vectors select."""
        found: list[Json] = []
        pods = {self.cluster.pod_name(row): name for row, name in self.name_of.items()}
        for decision in self.log.all:
            t = (decision.time_us - T0_US) // US_PER_S
            details = decision.details
            if isinstance(details, GroupProblem):
                if details.event in EVENTS:
                    found.append({"t": t, "reason": details.event})
            elif decision.verdict is Verdict.FAILED:
                subject = decision.subject
                thing = f"Pod/{pods[subject]}" if subject in pods else f"Node/{subject}"
                found.append({"t": t, "reason": "ScaleDownFailed", "object": thing})
        return sorted(found, key=_event_order)


def _event_order(event: Json) -> tuple[Any, ...]:
    return event["t"], event["reason"], event.get("object", "")


def _timeline(case: Json) -> Outcome:
    """Exact, or under one of the orders in which the real program may have listed nodes and pods."""
    expect = case["expect"]
    got = _replayed(case["input"], {})
    if not expect["deterministic"] and not _matches(got, expect):
        orders = explaining_orders(lambda orders: _replayed(case["input"], orders)["loops"], expect["loops"])
        got = _replayed(case["input"], orders)
    return _matches(got, expect), got


def _replayed(given: Json, orders: Orders) -> Json:
    world = Replay(given, orders)
    world.run()
    return {"loops": world.loops, "cloudCalls": world.calls, "backoff": world.backoff, "events": world.events()}


def _matches(got: Json, expect: Json) -> bool:
    strict = expect["deterministic"]
    if not strict:
        return _matches_loosely(got, expect)
    loops = [{key: value for key, value in loop.items() if key != "alsoEligible"} for loop in expect["loops"]]
    return (
        [_plain(loop) for loop in got["loops"]] == [_plain(loop) for loop in loops]
        and sorted(map(str, map(_sorted, got["cloudCalls"]))) == sorted(map(str, map(_sorted, expect["cloudCalls"])))
        and got["backoff"] == expect.get("backoff", [])
        and got["events"] == sorted(expect.get("events", []), key=_event_order)
    )


def _sorted(call: Json) -> list[tuple[str, Any]]:
    return sorted(call.items())


def _plain(loop: Json) -> Json:
    """Lists in one order."""
    out = dict(loop)
    if "deleted" in out:
        out["deleted"] = sorted(out["deleted"], key=lambda each: str(each["node"]))
    if "scaleUp" in out and "scaleUps" in out["scaleUp"]:
        out["scaleUp"] = with_resizes_in_order(out["scaleUp"])
    return out


def _matches_loosely(got: Json, expect: Json) -> bool:
    """The real program chose at random among equals: own picks must have been possible, in the same number."""
    ours = {loop["t"]: loop for loop in got["loops"]}
    theirs = {loop["t"]: loop for loop in expect["loops"]}
    for t in ours.keys() | theirs.keys():
        one, other = ours.get(t, {}), theirs.get(t, {})
        picks = [each["node"] for each in one.get("deleted", [])]
        possible = [each["node"] for each in other.get("deleted", [])] + other.get("alsoEligible", [])
        if len(picks) != len(other.get("deleted", [])) or any(node not in possible for node in picks):
            return False
        if _plain(one).get("scaleUp") != _plain(other).get("scaleUp"):
            return False
        if one.get("expanderBest") != other.get("expanderBest"):
            return False
    return [call for call in got["cloudCalls"] if call["call"] != "deleteNodes"] == [
        call for call in expect["cloudCalls"] if call["call"] != "deleteNodes"
    ] and got["backoff"] == expect.get("backoff", [])


FAMILIES: Mapping[str, Callable[[Json], Outcome]] = {
    "scale_up_timeline": _timeline,
    "scale_down_timeline": _timeline,
}
