"""Scheduler vectors: translates the cases, calls the production rules, compares."""

from collections.abc import Callable
from typing import Any

import numpy as np

from planner.kube.nodes import read_node
from planner.kube.pods import read_pod
from planner.record.explain import refusals
from planner.scheduler.cycle import Outcome, SchedulingCycle
from planner.scheduler.feasibility import Verdicts
from planner.scheduler.node_order import NodeOrder, nodes_to_find, zone_key
from planner.scheduler.plugin_names import PluginName
from planner.scheduler.preemption import preempt
from planner.scheduler.profile import SchedulerProfile
from planner.scheduler.queue import SchedulingQueue
from planner.scheduler.reasons import Strength
from planner.scheduler.wake_facts import NodeChange, PodChange, waiting_pod
from planner.scheduler.wake_hints import node_change_helps, pod_change_helps
from planner.scheduler.wake_listener import node_facts
from planner.state.nodes import NONE
from planner.state.specs import ZONE_LABEL
from tests.conformance.scheduler_sequences import sequences
from tests.conformance.scheduler_world import World, profile_of

Json = dict[str, Any]
Outcome_ = tuple[bool, object]
CODES = {Strength.UNSCHEDULABLE: "Unschedulable", Strength.UNRESOLVABLE: "UnschedulableAndUnresolvable"}
ABSENT_PLUGINS = ("ImageLocality", "DynamicResources")
"""Kubernetes computes these even where they can only give 0."""


class Decided:
    """A case with its one decision made."""

    def __init__(self, case: Json) -> None:
        source = case["input"]
        self.world = world = World(source)
        self.profile = profile_of(source.get("schedulerConfig"))
        self.cycle = SchedulingCycle(world.cluster, self.profile)
        self.cycle.search.start = source.get("startIndex", 0)
        for pod in (*source.get("pods", []), *source.get("pendingPods", [])):
            world.add_pod(pod)
        pod = world.add_pod(source["pod"])
        assert pod is not None
        self.pod = pod
        self.spec = world.cluster.pod_specs[world.cluster.pods.spec[pod]]
        self.outcome: Outcome = self.cycle.decide(pod)
        self.verdicts: Verdicts = self.outcome.verdicts or self.cycle.prepare(pod, self.spec).verdicts()

    def nodes(self) -> Json:
        world, verdicts = self.world, self.verdicts
        if self.outcome.nominated:
            return {name: "ok" if row == self.outcome.node else "not-evaluated" for name, row in world.nodes.items()}
        out: Json = {}
        for name, row in world.nodes.items():
            strength = Strength(int(verdicts.strength[row]))
            if strength == Strength.OK:
                out[name] = "ok"
                continue
            entry: Json = {"code": CODES[strength]}
            plugins = [plugin.value for plugin, nodes in verdicts.plugin.items() if nodes[row]]
            if plugins:
                entry["plugin"] = plugins[0]
            entry["reasons"] = sorted(reason for reason, nodes in verdicts.reasons.items() if nodes[row])
            out[name] = entry
        return out

    def top(self) -> list[str]:
        rows, totals = self.outcome.rows, self.outcome.totals
        best = rows if totals is None else rows[totals == totals.max()]
        return [self.world.node_name(int(row)) for row in best]

    def message(self) -> str:
        if self.verdicts.message:
            return f"0/{len(self.world.nodes)} nodes are available: {self.verdicts.message}."
        return f"0/{len(self.world.nodes)} nodes are available: {refusals(self.verdicts.counts())}."


def filter_and_scores(case: Json) -> Outcome_:
    decided, expect = Decided(case), case["expect"]
    got: Json = {"nodes": decided.nodes()}
    if decided.verdicts.message:
        got["preFilterMessage"] = decided.verdicts.message
    if "scores" in expect:
        rows = np.array([row for row in decided.world.nodes.values() if not decided.verdicts.strength[row]])
        by_plugin = {plugin.name.value: plugin for plugin in decided.cycle.plugins.scores}
        got["scores"] = {}
        for name in expect["scores"]:
            scores = by_plugin[name].score(decided.spec, rows)
            got["scores"][name] = None if scores is None else {
                decided.world.node_name(int(row)): int(score) for row, score in zip(rows, scores, strict=True)
            }
    return got == expect, got


def full_decision(case: Json) -> Outcome_:
    decided, expect = Decided(case), dict(case["expect"])
    got: Json = {"nodes": decided.nodes()}
    if decided.outcome.node == NONE:
        got["message"] = decided.message()
        expect.pop("preFilterMessage", None)
        return got == expect, got
    rows = decided.outcome.rows
    names = [decided.world.node_name(int(row)) for row in rows]
    if "weightedScores" in expect:
        weighted = decided.cycle.weighted_scores(decided.spec, rows)
        got["weightedScores"] = {
            plugin.value: dict(zip(names, map(int, scores), strict=True)) for plugin, scores in weighted.items()
        }
        for plugin in ABSENT_PLUGINS:
            if plugin in expect["weightedScores"] and plugin not in got["weightedScores"]:
                got["weightedScores"][plugin] = dict.fromkeys(names, 0)
    if "total" in expect:
        # Recorded for a single feasible node too, where the scheduler computes none.
        totals = decided.outcome.totals
        if totals is None:
            weighted = decided.cycle.weighted_scores(decided.spec, rows)
            totals = sum(weighted.values(), np.zeros(len(rows), dtype=np.int64))
        got["total"] = dict(zip(names, map(int, totals), strict=True))
    got["top"] = sorted(decided.top())
    expect["top"] = sorted(expect["top"])
    expect.pop("chosenWithOneWorker", None)
    return got == expect, got


def preemption(case: Json) -> Outcome_:
    decided, expect, source = Decided(case), dict(case["expect"]), case["input"]
    got: Json = {"nodes": decided.nodes()}
    if decided.outcome.node != NONE:
        got["top"] = sorted(decided.top())
        return got == {**expect, "top": sorted(expect["top"])}, got
    world = decided.world
    assert decided.outcome.prepared is not None
    found = preempt(
        world.cluster, decided.profile, decided.outcome.prepared, decided.verdicts,
        decided.cycle.search.order.rows, world.budgets(source.get("podDisruptionBudgets", [])),
        source.get("candidateOffset", 0),
    )
    want = dict(expect["preemption"])
    result: Json = {"eligible": found.eligible}
    if not found.eligible:
        result["message"] = found.message
    else:
        result["potentialNodes"] = sorted(map(world.node_name, found.potential))
        if found.potential:
            result["numCandidatesWanted"] = found.wanted
            result["candidates"] = {
                world.node_name(c.node): {
                    "victims": list(map(world.pod_name, c.victims)), "pdbViolations": c.violations,
                }
                for c in found.candidates
            }
            rejected = {world.node_name(node): sorted(reasons) for node, reasons in found.rejected.items()}
            if rejected:
                result["rejected"] = rejected
            if found.best:
                result["chosen"] = sorted(world.node_name(c.node) for c in found.best)
    if "postFilterMessage" in expect:
        counts = found.refusals(len(world.nodes))
        text = found.message or f"0/{len(world.nodes)} nodes are available: {refusals(counts)}."
        got["postFilterMessage"] = f"preemption: {text}"
        expect["postFilterMessage"] = expect["postFilterMessage"].partition("claims to deallocate, ")[2]
    if "clearsNomination" in expect:
        got["clearsNomination"] = found.eligible and not found.best
    want = {key: sorted(v) if key in ("potentialNodes", "chosen") else v for key, v in want.items()}
    if "rejected" in want:
        want["rejected"] = {name: sorted(entry["reasons"]) for name, entry in want["rejected"].items()}
    got["preemption"] = result
    return got == {**expect, "preemption": want}, got


def sampling(case: Json) -> Outcome_:
    source, expect = case["input"], case["expect"]
    if source["kind"] == "numFeasible":
        got: object = {"numFeasibleNodesToFind": [_wanted(row) for row in source["rows"]]}
    elif source["kind"] == "nodeOrder":
        got = {"order": _node_order(source["ops"])}
    else:
        got = _rotation(source)
    return got == expect, got


def _wanted(row: Json) -> int:
    percentage = row.get("profilePercentageOfNodesToScore", row.get("percentageOfNodesToScore", 0))
    return nodes_to_find(row["numNodes"], percentage)


def _node_order(operations: list[Json]) -> list[str]:
    order, numbers = NodeOrder(), {}
    for operation in operations:
        if operation["op"] == "remove":
            order.remove(numbers.get(operation["name"], NONE))
            continue
        meta = operation["node"]["metadata"]
        number = numbers.setdefault(meta["name"], len(numbers))
        (order.add if operation["op"] == "add" else order.update)(number, zone_key(meta.get("labels", {})))
    names = {number: name for name, number in numbers.items()}
    return [names[number] for number in order.rows.tolist()]


def _rotation(source: Json) -> Json:
    count, zones, cordoned = source["numNodes"], source["zones"], source.get("cordoned", [])
    nodes = [
        {
            "metadata": {"name": f"n{i}", "labels": {ZONE_LABEL: f"z{i * i % zones}"}},
            "spec": {"unschedulable": f"n{i}" in cordoned or i in cordoned},
            "status": {"allocatable": {"cpu": "4", "memory": "8Gi", "pods": "110"}},
        }
        for i in range(1, count + 1)
    ]
    pod = {"metadata": {"name": "p"}, "spec": {"containers": [{"name": "c"}]}}
    world = World({"nodes": nodes, "pod": pod})
    cycle = SchedulingCycle(world.cluster, profile_of(source))
    row = world.add_pod(pod)
    assert row is not None
    steps = []
    for _ in range(source["pods"]):
        start = cycle.search.start
        rows = cycle.decide(row).rows
        seen = (cycle.search.start - start - 1) % count + 1 if len(rows) else count
        steps.append({
            "startIndex": start, "feasibleCount": len(rows), "rejectedSeen": seen - len(rows),
            "firstFeasible": world.node_name(int(rows[0])), "lastFeasible": world.node_name(int(rows[-1])),
            "nextStartIndex": cycle.search.start,
        })
    return {"orderHead": [world.node_name(row) for row in cycle.search.order.rows[:12].tolist()], "steps": steps}


def queue(case: Json) -> Outcome_:
    kind = case["input"]["kind"]
    got = {"backoff": _backoff, "order": _pop_order, "wake": _wake}[kind](case["input"])
    return got == case["expect"], got


def _backoff(source: Json) -> Json:
    profile = profile_of(source.get("schedulerConfig"))
    waiting_queue, attempts = SchedulingQueue(profile), []
    waiting_queue.add(0, 0, 0)
    world = World({"pod": {"metadata": {"name": "p"}, "spec": {"containers": [{"name": "c"}]}}})
    spec = world.spec_of(world.read({"metadata": {"name": "p"}, "spec": {"containers": [{"name": "c"}]}}))
    waiting = waiting_pod(spec, (PluginName.NODE_RESOURCES_FIT,), profile)
    for attempt in source["attempts"]:
        waiting_queue.activate(0)
        assert waiting_queue.pop() == 0
        if attempt["result"] == "error":
            waiting_queue.failed(0, attempt["endMs"] * 1000)
        else:
            waiting_queue.refused(0, attempt["endMs"] * 1000, waiting)
        state = waiting_queue.state(0)
        attempts.append({"backoffEndsMs": state.backoff_end_us // 1000, "queue": state.place.value})
    return {"attempts": attempts}


def _pop_order(source: Json) -> Json:
    waiting_queue, names = SchedulingQueue(SchedulerProfile()), []
    for i, arrival in enumerate(source["arrivals"]):
        names.append(arrival["pod"]["metadata"]["name"])
        if read_pod(arrival["pod"]).gated:
            continue
        waiting_queue.add(i, arrival["pod"]["spec"].get("priority", 0), arrival["atMs"] * 1000)
    order = []
    while (pod := waiting_queue.pop()) is not None:
        order.append(names[pod])
        waiting_queue.remove(pod)
    return {"popOrder": order}


def _wake(source: Json) -> Json:
    event = source["event"]
    pods = [event["pod"]] if "pod" in event else []
    nodes = [event["node"]] if "node" in event else []
    world = World(source, pods, nodes)
    profile = profile_of(source.get("schedulerConfig"))
    cycle = SchedulingCycle(world.cluster, profile)
    for pod in source.get("pods", []):
        world.add_pod(pod)
    row = world.add_pod(source["pod"])
    assert row is not None
    outcome = cycle.decide(row)
    assert outcome.verdicts is not None
    spec = world.cluster.pod_specs[world.cluster.pods.spec[row]]
    waiting = waiting_pod(spec, outcome.verdicts.refusing(), profile)
    line = SchedulingQueue(profile)
    line.add(row, spec.priority, 0)
    line.pop()
    line.refused(row, 0, waiting)
    got = {"before": line.place(row).value, "refusedBy": sorted(p.value for p in waiting.refused_by)}
    now_us = source["elapsedMs"] * 1000
    _apply_event(world, line, row, source, now_us, profile)
    got["afterEvent"] = line.place(row).value
    line.flush(now_us // 1_000_000 * 1_000_000 if now_us % 1_000_000 else now_us)
    line.flush_unschedulable(now_us)
    got["afterFlush"] = line.place(row).value
    return got


def _apply_event(
    world: World, line: SchedulingQueue, row: int, source: Json, now_us: int, profile: SchedulerProfile
) -> None:
    event, cluster = source["event"], world.cluster
    kind = event["type"]
    if kind == "time":
        return
    if kind.startswith("node"):
        name = event["node"]["metadata"]["name"] if "node" in event else event["name"]
        old = node_facts(cluster, world.nodes[name]) if kind != "nodeAdded" else None
        new = None
        if kind != "nodeDeleted":
            new = node_facts(cluster, world.add_node(read_node(event["node"])))
        change = NodeChange(old, new)
        line.wake(now_us, lambda waiting: node_change_helps(waiting, change, cluster.axis, profile))
    else:
        pod_change = _pod_change(world, source, row)
        line.wake(now_us, lambda waiting: pod_change_helps(waiting, pod_change))


def _pod_change(world: World, source: Json, row: int) -> PodChange:
    event, cluster = source["event"], world.cluster
    name = event["pod"]["metadata"]["name"] if "pod" in event else event["name"]
    new = world.read(event["pod"]) if "pod" in event else None
    old_row = None if event["type"] == "podAdded" else world.pods[name]
    before = next((p for p in (source["pod"], *source.get("pods", [])) if p["metadata"]["name"] == name), {})
    return PodChange(
        old=None if old_row is None else cluster.pod_specs[cluster.pods.spec[old_row]],
        new=None if new is None else world.spec_of(new),
        assigned=bool(new.node_name) if new is not None else bool(cluster.pods.node[old_row] != NONE),
        nominated=old_row is not None and bool(cluster.pods.nominated[old_row] != NONE),
        is_waiting_pod=old_row == row,
        tolerations_changed=_tolerations(event.get("pod", {})) != _tolerations(before),
    )


def _tolerations(pod: Json) -> int:
    return len(pod.get("spec", {}).get("tolerations") or ())


FAMILIES: dict[str, Callable[[Json], Outcome_]] = {
    "fit": filter_and_scores,
    "node_affinity": filter_and_scores,
    "taints": filter_and_scores,
    "topology_spread": filter_and_scores,
    "inter_pod_affinity": filter_and_scores,
    "resource_scores": filter_and_scores,
    "full_decision": full_decision,
    "preemption": preemption,
    "sequences": sequences,
    "sampling": sampling,
    "queue": queue,
}
