"""Scheduler vectors: translates the cases, calls the production rules, compares."""

from collections.abc import Callable
from typing import Any

import numpy as np

from planner.record.text.wording import refusals
from planner.scheduler.cycle.cycle import SchedulingCycle
from planner.scheduler.cycle.feasibility import Verdicts
from planner.scheduler.cycle.node_answers import NodeAnswers
from planner.scheduler.cycle.outcome import Outcome
from planner.scheduler.preemption import preempt
from planner.scheduler.reasons import Strength
from planner.state.nodes import NONE
from tests.conformance.scheduler.queue import queue
from tests.conformance.scheduler.sampling import sampling
from tests.conformance.scheduler.sequences import sequences
from tests.conformance.scheduler.world import World, profile_of

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
        self.verdicts: Verdicts | NodeAnswers = self.outcome.verdicts or self.cycle.prepare(pod, self.spec).verdicts()

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

    def points(self, rows: np.ndarray) -> Json:
        """Weighted points of every plugin that gives some, by node."""
        found = self.cycle.best(self.pod, rows, len(rows))
        by_node = {found.node: tuple(found.scores.values()), **dict(found.others)}
        by_name = {self.world.node_name(int(row)): by_node[int(row)] for row in rows}
        return {
            plugin: {node: points[at] for node, points in by_name.items()} for at, plugin in enumerate(found.scores)
        }

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
            got["scores"][name] = (
                None
                if scores is None
                else {decided.world.node_name(int(row)): int(score) for row, score in zip(rows, scores, strict=True)}
            )
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
        got["weightedScores"] = decided.points(rows)
        for plugin in ABSENT_PLUGINS:
            if plugin in expect["weightedScores"] and plugin not in got["weightedScores"]:
                got["weightedScores"][plugin] = dict.fromkeys(names, 0)
    if "total" in expect:
        # Recorded for a single feasible node too, where the scheduler computes none.
        totals = decided.outcome.totals
        if totals is None:
            totals = decided.cycle.best(decided.pod, rows, 0).totals
        assert totals is not None
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
        world.cluster,
        decided.profile,
        decided.outcome.prepared,
        decided.verdicts,
        decided.cycle.search.order.rows,
        world.budgets(source.get("podDisruptionBudgets", [])),
        lambda count: source.get("candidateOffset", 0) % count,
    )
    want = dict(expect["preemption"])
    result: Json = {"eligible": found.eligible}
    if not found.eligible:
        result["message"] = found.message
    else:
        result["potentialNodes"] = sorted(map(world.node_name, found.potential.tolist()))
        if len(found.potential):
            result["numCandidatesWanted"] = found.wanted
            result["candidates"] = {
                world.node_name(c.node): {
                    "victims": list(map(world.pod_name, c.victims)),
                    "pdbViolations": c.violations,
                }
                for c in map(found.candidate, found.helped)
            }
            rejected = {world.node_name(node): sorted(reasons) for node, reasons in found.rejected.items()}
            if rejected:
                result["rejected"] = rejected
            if found.helped:
                result["chosen"] = sorted(map(world.node_name, found.equals))
    if "postFilterMessage" in expect:
        counts = found.refusals(len(world.nodes))
        text = found.message or f"0/{len(world.nodes)} nodes are available: {refusals(counts)}."
        got["postFilterMessage"] = f"preemption: {text}"
        expect["postFilterMessage"] = expect["postFilterMessage"].partition("claims to deallocate, ")[2]
    if "clearsNomination" in expect:
        got["clearsNomination"] = found.eligible and not found.helped
    want = {key: sorted(v) if key in ("potentialNodes", "chosen") else v for key, v in want.items()}
    if "rejected" in want:
        want["rejected"] = {name: sorted(entry["reasons"]) for name, entry in want["rejected"].items()}
    got["preemption"] = result
    return got == {**expect, "preemption": want}, got


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
