"""Cluster Autoscaler vectors that need the estimator or one whole loop: translation and comparison only."""

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from planner.autoscaler.estimator.bin_packing import PodBatch, estimate_nodes
from planner.autoscaler.estimator.new_node_rules import NewNodeRules
from planner.autoscaler.groups.templates import group_template
from planner.autoscaler.loop.scale_down_step import ScaleDownOutcome
from planner.autoscaler.loop.static_autoscaler import EarlyEnd, LoopOutcome
from planner.autoscaler.scaledown.reasons import NodeVerdict
from planner.autoscaler.scaleup.quota import node_limit
from planner.autoscaler.scaleup.result import ScaleUpPlan, ScaleUpResult
from planner.autoscaler.snapshot.round_robin import SearchCursor
from planner.autoscaler.snapshot.snapshot import Snapshot
from planner.record.decisions import Verdict
from planner.record.details.node_groups import GroupProblem, ScaleUpEvent
from planner.scheduler.feasibility.static_fit import StaticFit
from planner.state.resources import pod_amounts
from planner.units import US_PER_S
from tests.conformance.cluster_autoscaler.world import T0_US, CaseWorld

Json = dict[str, Any]
Outcome = tuple[bool, object]


# -- estimator --------------------------------------------------------------------------------


def _estimator(case: Json) -> Outcome:
    given = case["input"]
    group = {"id": "new", "minSize": 0, "maxSize": 0, "targetSize": 0, "template": given["template"]}
    existing = {"nodeGroups": [group], "nodes": given.get("existingNodes", []), "pods": given.get("existingPods", [])}
    world = CaseWorld({**existing, "for axis": given})
    daemons = [
        world.add_spec(entry["pod"]) for entry in given.get("templatePods", []) for _ in range(entry.get("count", 1))
    ]
    template = group_template(world.cluster.node_specs[0], daemons, world.axis)
    specs = [world.add_spec(entry["pod"]) for entry in given["podGroups"]]
    rows = np.arange(world.cluster.nodes.count, dtype=np.int64)
    fits = world.autoscaler.templates.fits
    snapshot = Snapshot(world.cluster, rows, (), StaticFit(world.cluster), fits)
    groups = [given["nodeGroup"], *given.get("similarNodeGroups", [])]
    room = sum(max(each["maxSize"] - each["targetSize"], 0) for each in groups)
    found = estimate_nodes(
        [
            PodBatch(
                pod_amounts(spec.request),
                entry.get("count", 1),
                fits(spec, template)[0],
                *(spec.scaling.first_container or (0, 0)),
                spec,
            )
            for entry, spec in zip(given["podGroups"], specs, strict=True)
        ],
        template.node.allocatable,
        template.free,
        node_limit(given["maxNodesPerScaleup"], room, given.get("maxNodesTotal", 0), given["currentNodeCount"]),
        SearchCursor(),
        cluster_nodes=len(snapshot),
        fast_path=bool(given.get("fastpath")),
        capacity=template.node.capacity,
        rules=NewNodeRules(snapshot, template, specs),
    )
    scheduled: dict[str, int] = {}
    for entry, count in zip(given["podGroups"], found.placed, strict=True):
        if count:
            name = entry["pod"]["metadata"]["name"]
            scheduled[name] = scheduled.get(name, 0) + count
    got = {"nodes": found.node_count, "scheduled": scheduled}
    return got in case["expect"]["outcomes"], got


# -- scale-up ---------------------------------------------------------------------------------


def _scale_up(case: Json) -> Outcome:
    world = CaseWorld(case["input"])
    outcome = world.autoscaler.run_once(T0_US)
    got = _scale_up_outcome(world, outcome)
    return got in [_in_order(outcome) for outcome in case["expect"]["outcomes"]], got


def _in_order(outcome: Json) -> Json:
    """Resizes in order of group."""
    return {**outcome, "attempts": [with_resizes_in_order(each) for each in outcome["attempts"]]}


def with_resizes_in_order(attempt: Json) -> Json:
    """One attempt, its resizes in order of group."""
    if "scaleUps" not in attempt:
        return attempt
    return {**attempt, "scaleUps": sorted(attempt["scaleUps"], key=lambda each: str(each["group"]))}


def reported(world: CaseWorld, outcome: LoopOutcome) -> tuple[ScaleUpPlan, ...]:
    """The attempts that the loop reports: without pods to help, only the one for the minimum size."""
    attempts = outcome.attempts
    idle = (ScaleUpResult.NOT_NEEDED, ScaleUpResult.IN_COOLDOWN, ScaleUpResult.LIMITED_BY_MAX_NODES_TOTAL)
    if world.settings.enforce_node_group_min_size and attempts and attempts[0].result in idle:
        return attempts[1:]
    return attempts


def _scale_up_outcome(world: CaseWorld, outcome: LoopOutcome) -> Json:
    plans = reported(world, outcome)
    attempts = [attempt(world, plan) for plan in plans]
    if outcome.ended in (EarlyEnd.UNHEALTHY, EarlyEnd.TARGET_FIXED):
        attempts = [{"result": ScaleUpResult.NOT_TRIED.value}]
    got: Json = {"attempts": attempts}
    weighed = [expander_choice(world, plan) for plan in plans if plan.options]
    if weighed:
        got["expander"] = weighed
    targets = {
        group["id"]: int(world.cluster.groups.target[row])
        for row, group in enumerate(world.given["nodeGroups"])
        if world.cluster.groups.target[row] != group["targetSize"]
    }
    events = _events(world, plans)
    return got | ({"targets": targets} if targets else {}) | ({"events": events} if events else {})


def attempt(world: CaseWorld, plan: ScaleUpPlan, *, with_remaining: bool = True) -> Json:
    """One attempt as the vectors write it."""
    names = world.cluster.group_names
    got: Json = {"result": plan.result.value}
    if plan.resizes:
        got["scaleUps"] = sorted(
            ({"from": each.old_size, "group": names[each.group], "to": each.new_size} for each in plan.resizes),
            key=lambda each: str(each["group"]),
        )
    if plan.triggered:
        got["triggered"] = by_set(world, plan.triggered)
    if plan.awaiting:
        got["awaiting"] = by_set(world, plan.awaiting)
    if with_remaining:
        remain = _remaining(world, plan)
        got |= {"remain": remain} if remain else {}
    return got


def _remaining(world: CaseWorld, plan: ScaleUpPlan) -> list[Json]:
    names = world.cluster.group_names
    remain: dict[str, Json] = {}
    for refusal in plan.remaining:
        entry: Json = {}
        for word, reasons in (("rejected", refusal.rejected), ("skipped", refusal.skipped)):
            # The closed group of nodes outside any group has no name.
            named = {names[group]: sorted(texts) for group, texts in sorted(reasons.items()) if names[group]}
            entry |= {word: named} if named else {}
        same = remain.setdefault(str(entry), entry | {"pods": {}})
        for name, count in by_set(world, refusal.pods).items():
            same["pods"][name] = same["pods"].get(name, 0) + count
    return list(remain.values())


def expander_choice(world: CaseWorld, plan: ScaleUpPlan) -> Json:
    """The options, the tie set and the pick."""
    assert plan.choice is not None
    options = [
        {"group": each.group_id, "nodes": each.node_count, "pods": by_set(world, plan.pods_of.get(each.group, ()))}
        for each in sorted(plan.options, key=lambda each: each.group_id)
    ]
    got: Json = {"options": options, "best": sorted(each.group_id for each in plan.choice.finalists)}
    if plan.choice.chosen is not None:
        got["chosen"] = plan.choice.chosen.group_id
    return got


def _events(world: CaseWorld, plans: tuple[ScaleUpPlan, ...]) -> dict[str, int]:
    failed = [each.details for each in world.recorder.decisions if each.verdict is Verdict.FAILED]
    reasons = [details.event for details in failed if isinstance(details, GroupProblem)]
    resized = [each.group for plan in plans for each in plan.resizes]
    # A resize that the cloud refuses leaves the groups that had grown before it.
    before = [group for group, size in _grown(world).items() if group not in resized]
    grown = len(resized) + len(before)
    refused = reasons.count(ScaleUpEvent.REFUSED)
    # This family does not record that a target could not be lowered again.
    known = (event for event in ScaleUpEvent if event is not ScaleUpEvent.FAILED_TO_REVERT)
    counts: dict[str, int] = {event.value: reasons.count(event) for event in known}
    counts |= {
        "DeleteUnregistered": sum(each.verdict is Verdict.REMOVED for each in world.recorder.decisions),
        "NotTriggerScaleUp": _not_triggered(plans),
        "ScaledUpGroup": refused + 2 * grown,
        "TriggeredScaleUp": sum(len(plan.triggered) for plan in plans if plan.resizes),
    }
    return {name: count for name, count in sorted(counts.items()) if count}


def _grown(world: CaseWorld) -> dict[int, int]:
    targets = world.cluster.groups.target
    sizes = {row: int(targets[row]) for row in range(len(world.groups))}
    return {row: size for row, size in sizes.items() if size > world.given["nodeGroups"][row]["targetSize"]}


def _not_triggered(plans: tuple[ScaleUpPlan, ...]) -> int:
    silent = (ScaleUpResult.SUCCESSFUL, ScaleUpResult.ERROR)
    return sum(len(refusal.pods) for plan in plans if plan.result not in silent for refusal in plan.remaining)


def by_set(world: CaseWorld, pods: Any) -> dict[str, int]:
    """Pods counted by the entry of the case that they come from."""
    counts: dict[str, int] = {}
    for pod in pods:
        counts[world.set_of[pod]] = counts.get(world.set_of[pod], 0) + 1
    return counts


# -- scale-down -------------------------------------------------------------------------------


def _scale_down_eligibility(case: Json) -> Outcome:
    world = CaseWorld(case["input"])
    step = world.autoscaler.run_once(T0_US).scale_down
    nodes = {} if step is None else _node_verdicts(world, step)
    deleting = len(step.deleting) if step else 0
    looked_at = any(entry["reason"] != NodeVerdict.NOT_CANDIDATE.text for entry in nodes.values())
    got: Json = {"nodes": nodes, "result": "NoNodeDeleted" if looked_at else "NoCandidates"}
    if deleting:
        got |= {"result": "NodeDeleteStarted", "deleting": deleting}
    return any(agrees(got, outcome) for outcome in case["expect"]["outcomes"]), got


_REPORTED_WITH_UTILIZATION = (
    NodeVerdict.NOT_UNDERUTILIZED,
    NodeVerdict.BLOCKED_BY_POD,
    NodeVerdict.NO_PLACE_TO_MOVE_PODS,
)
"""The status lists what keeps a node; a node that may go now, or in a pause, is not in it."""


def _node_verdicts(world: CaseWorld, step: ScaleDownOutcome) -> Json:
    found: Json = {}
    util = step.view.utilization
    for at, row in enumerate(step.rows.tolist()):
        verdict = NodeVerdict(step.view.verdicts[at])
        # The program says nothing of nodes that are left for a later loop, as of those it does not look at.
        entry: Json = {"reason": (NodeVerdict.NOT_CANDIDATE if verdict is NodeVerdict.SIMULATE else verdict).text}
        stays = step.removal.get(row, NodeVerdict.REMOVABLE) is not NodeVerdict.REMOVABLE
        if verdict in _REPORTED_WITH_UTILIZATION or (verdict is NodeVerdict.UNNEEDED and stays):
            entry["util"] = {"value": float(util.value[at]), "resource": "nvidia.com/gpu"}
            if not util.is_gpu[at]:
                entry["util"] |= {
                    "cpu": float(util.cpu[at]),
                    "memory": float(util.memory[at]),
                    "resource": "cpu" if util.is_cpu[at] else "memory",
                }
        if row in step.view.blocked:
            pod, reason = step.view.blocked[row]
            entry |= {"blockingPod": world.name_of[pod], "blockingReason": reason.text}
        if verdict is NodeVerdict.UNNEEDED:
            entry["removalThreshold"] = step.view.wait_us[row] // US_PER_S
            if row in step.removal:
                entry["now"] = step.removal[row].text
        found[world.cluster.node_name(row)] = entry
    return found


def agrees(got: object, expected: object) -> bool:
    """Equal, with a relative tolerance for fractions."""
    if isinstance(got, dict) and isinstance(expected, dict):
        return got.keys() == expected.keys() and all(agrees(got[key], expected[key]) for key in got)
    if isinstance(got, float) and isinstance(expected, int | float):
        return math.isclose(got, expected, rel_tol=1e-9)
    return got == expected


FAMILIES: Mapping[str, Callable[[Json], Outcome]] = {
    "estimator": _estimator,
    "scale_up": _scale_up,
    "scale_down_eligibility": _scale_down_eligibility,
}
