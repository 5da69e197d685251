"""Karpenter vectors of disruption: candidates, budgets, commands."""

from datetime import timedelta
from typing import Any

from planner.karpenter.disruption.candidates import candidates
from planner.karpenter.disruption.commands import DisruptionCommand, DisruptionMethod
from planner.karpenter.disruption.methods import DisruptionScene, find_command
from planner.karpenter.disruption.pass_budgets import PoolSizes, allowed_by_pool
from tests.conformance.karpenter.told import Told, claim_expected, close, unordered
from tests.conformance.karpenter.world import EPOCH, CaseCluster

Json = dict[str, Any]
Outcome = tuple[bool, object]
METHODS = {
    "emptiness": DisruptionMethod.EMPTINESS,
    "drift": DisruptionMethod.DRIFT,
    "multi": DisruptionMethod.MULTI_NODE,
    "single": DisruptionMethod.SINGLE_NODE,
}


def consolidation(case: Json) -> Outcome:
    """Every method on the same cluster."""
    cluster = CaseCluster(case["input"])
    told, view, provider = Told(cluster), cluster.view(), cluster.provider
    got: Json = {}
    for name, method in METHODS.items():
        chosen = candidates(view, view.nodes, provider, method, 0)
        allowed = allowed_by_pool(PoolSizes().of(view.nodes), cluster.pools, method.reason, EPOCH)
        scene = DisruptionScene(view, provider, cluster.settings.spot_to_spot_consolidation, allowed)
        got[name] = {
            "budgets": dict(allowed),
            "candidates": [{"node": each.node.name, "cost": each.cost} for each in chosen],
            "command": _command(told, find_command(method, scene, chosen).command),
        }
    got["acts"] = next((name for name in METHODS if got[name]["command"]), "none")
    return any(_same(got, expected) for expected in case["expect"]["outcomes"]), got


def _command(told: Told, command: DisruptionCommand | None) -> Json | None:
    if command is None:
        return None
    return {
        "decision": "replace" if command.replacements else "delete",
        "nodes": sorted(each.node.name for each in command.candidates),
        "replacements": [told.claim(claim) for claim in command.replacements],
        "savings": command.savings,
    }


def _same(got: Json, expected: Json) -> bool:
    return (got["acts"] or "none") == (expected["acts"] or "none") and all(
        _same_method(got[name], expected[name]) for name in METHODS
    )


def _same_method(got: Json, expected: Json) -> bool:
    wanted = expected["candidates"] or []
    if got["budgets"] != expected["budgets"] or len(wanted) != len(got["candidates"]):
        return False
    pairs = zip(got["candidates"], wanted, strict=True)
    if not all(mine["node"] == theirs["node"] and close(mine["cost"], theirs["cost"]) for mine, theirs in pairs):
        return False
    one, other = got["command"], expected["command"]
    if one is None or other is None:
        return one is other
    replacements = list(map(claim_expected, other["replacements"] or ()))
    return (
        (one["decision"], one["nodes"]) == (other["decision"], other["nodes"])
        and unordered(one["replacements"]) == unordered(replacements)
        and close(one["savings"], other["savings"])
    )


def budgets(case: Json) -> Outcome:
    """What budgets allow at some times."""
    cluster = CaseCluster(case["input"])
    view = cluster.view()
    rows = []
    for at in case["input"]["times"]:
        now = EPOCH + timedelta(seconds=at)
        reasons = ("Underutilized", "Empty", "Drifted")
        rows.append(
            {"t": at, **{r: dict(allowed_by_pool(PoolSizes().of(view.nodes), cluster.pools, r, now)) for r in reasons}}
        )
    return rows == case["expect"]["rows"], rows


FAMILIES = {"consolidation": consolidation, "budgets": budgets}
