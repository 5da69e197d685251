"""Scheduler vectors with many pods in a row; the driver's own conventions are those of the vectors' README."""

from typing import Any

from planner.record.text.wording import refusals
from planner.scheduler.cycle.cycle import SchedulingCycle
from planner.scheduler.cycle.outcome import Outcome
from planner.scheduler.preemption import preempt
from planner.scheduler.profile import SchedulerProfile
from planner.scheduler.queue.scheduling_queue import SchedulingQueue
from planner.state.nodes import NONE
from planner.state.pods import EndReason
from tests.conformance.scheduler.world import World

Json = dict[str, Any]


class Player:
    """Plays one sequence, following the recorded choices among equals."""

    def __init__(self, source: Json, recorded: list[Json]) -> None:
        self.source = source
        self.recorded = {(step["pod"], step.get("round", 1)): step for step in recorded}
        self.world = World(source)
        self.profile = SchedulerProfile()
        self.cycle = SchedulingCycle(self.world.cluster, self.profile)
        for pod in source.get("pods", []):
            self.world.add_pod(pod)
        self.rows: dict[str, int] = {}
        self.steps: list[Json] = []

    def play(self) -> Json:
        gated, waiting = [], []
        for pod in self.source["pendingPods"]:
            row = self.world.add_pod(pod)
            assert row is not None
            self.rows[pod["metadata"]["name"]] = row
            (gated if pod["spec"].get("schedulingGates") else waiting).append(row)
        rounds = self.source.get("rounds", 1)
        for number in range(1, rounds + 1):
            waiting = self._round(waiting, number, rounds)
        cluster = self.world.cluster
        left = sorted(n for n, r in self.rows.items() if cluster.pods.node[r] == NONE and r not in gated)
        return {"steps": self.steps, "gated": sorted(map(self.world.pod_name, gated)), "unscheduled": left}

    def _round(self, pods: list[int], number: int, rounds: int) -> list[int]:
        line = SchedulingQueue(self.profile)
        for row in pods:
            line.add(row, int(self.world.cluster.pods.priority[row]), 0)
        again = []
        while (queued := line.pop()) is not None:
            line.remove(queued.pod)
            if self._step(queued.pod, number, rounds):
                again.append(queued.pod)
        return sorted(again)

    def _step(self, pod: int, number: int, rounds: int) -> bool:
        """One decision; whether the pod is tried again in the next round."""
        world, cluster = self.world, self.world.cluster
        outcome, name = self.cycle.decide(pod), world.pod_name(pod)
        step: Json = {"pod": name, "node": None}
        if rounds > 1:
            step["round"] = number
        recorded = self.recorded.get((name, number)) or self.recorded.get((name, 1), {})
        self.steps.append(step)
        if outcome.node == NONE:
            return self._refused(pod, outcome, step, recorded)
        best = outcome.rows if outcome.totals is None else outcome.rows[outcome.totals == outcome.totals.max()]
        step["top"] = sorted(world.node_name(int(row)) for row in best)
        step["node"] = recorded.get("node")
        if outcome.totals is not None:
            step["score"] = int(outcome.totals.max())
        if step["node"] in step["top"]:
            cluster.bind(pod, world.nodes[step["node"]])
        return False

    def _refused(self, pod: int, outcome: Outcome, step: Json, recorded: Json) -> bool:
        world, cluster = self.world, self.world.cluster
        assert outcome.prepared is not None and outcome.verdicts is not None
        text = refusals(outcome.verdicts.counts())
        step["message"] = f"0/{len(world.nodes)} nodes are available: {text}."
        budgets = world.budgets(self.source.get("podDisruptionBudgets", []))
        order = self.cycle.search.order.rows
        found = preempt(cluster, self.profile, outcome.prepared, outcome.verdicts, order, budgets)
        if not found.eligible:
            return cluster.pods.nominated[pod] != NONE
        if not found.helped:
            cluster.clear_nomination(pod)
            return False
        step["nominatedOptions"] = sorted(map(world.node_name, found.equals))
        step["nominated"] = recorded.get("nominated")
        same = (node for node in found.equals if world.node_name(node) == step["nominated"])
        chosen = found.candidate(next(same, found.equals[0]))
        step["victims"] = list(map(world.pod_name, chosen.victims))
        priority = cluster.pods.priority
        lower = [p for p in cluster.nominated_pods.get(chosen.node, ()) if priority[p] < priority[pod]]
        if lower:
            step["nominationCleared"] = sorted(map(world.pod_name, lower))
        for other in lower:
            cluster.clear_nomination(other)
        cluster.nominate(pod, chosen.node)
        for victim in chosen.victims:
            cluster.remove_pod(victim, EndReason.PREEMPTED)
        return True


def sequences(case: Json) -> tuple[bool, object]:
    expect = case["expect"]
    got = Player(case["input"], expect["steps"]).play()
    want = [dict(step) for step in expect["steps"]]
    for step in want:
        for key in ("top", "nominatedOptions", "nominationCleared"):
            if key in step:
                step[key] = sorted(step[key])
    passed = (
        got["steps"] == want
        and got["gated"] == sorted(expect.get("gated", []))
        and got["unscheduled"] == sorted(expect["unscheduled"])
    )
    first = next((pair for pair in zip(got["steps"], want, strict=False) if pair[0] != pair[1]), None)
    return passed, {"first difference (got, expected)": first, "unscheduled": got["unscheduled"]}


FAMILIES = {"sequences": sequences}
