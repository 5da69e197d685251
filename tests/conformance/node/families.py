"""Vectors of what ends pods: translates the cases, calls the rules of a run, compares."""

from collections.abc import Callable, Sequence
from typing import Any

from planner.matching.taints import NodeTaint, TaintEffect, no_execute_delay_us, tolerated, tolerates_hard_taints
from planner.plan.model.pods.placement import Toleration
from planner.units import US_PER_S
from planner.workloads.controllers.daemon_rule import daemon_verdict
from planner.workloads.controllers.victim_order import VictimFacts, colocation, victim_order
from tests.conformance.imported import read_tolerations
from tests.conformance.node.budgets import FAMILIES as BUDGET_FAMILIES
from tests.conformance.node.failures import FAMILIES as FAILURE_FAMILIES
from tests.conformance.node.kubelet import FAMILIES as KUBELET_FAMILIES
from tests.conformance.node.pods import known_daemon_pod
from tests.conformance.node.pressure import FAMILIES as PRESSURE_FAMILIES
from tests.conformance.node.taints import FAMILIES as TAINT_FAMILIES
from tests.conformance.node.workloads import FAMILIES as WORKLOAD_FAMILIES
from tests.conformance.object_status import is_active, time_s, victim_facts

Json = dict[str, Any]
Outcome = tuple[bool, object]


def taints_of(entries: Sequence[Json] | None) -> list[NodeTaint]:
    """Taints of a Node object."""
    return [NodeTaint(one["key"], one.get("value") or "", TaintEffect(one["effect"])) for one in entries or ()]


def _toleration_match(case: Json) -> Outcome:
    given = case["input"]
    gate = bool(given.get("comparisonOperatorsEnabled"))
    tolerations, taints = read_tolerations(given.get("tolerations") or (), gate), taints_of(given.get("taints"))
    delay_us = no_execute_delay_us(tolerations, taints)
    got = {
        "toleratedPerTaint": [tolerated(tolerations, taint) for taint in taints],
        "schedulable": tolerates_hard_taints(tolerations, taints),
        "noExecuteSeconds": None if delay_us is None else delay_us // US_PER_S,
    }
    return got == case["expect"], got


def _replicaset_victim_order(case: Json) -> Outcome:
    given = case["input"]
    pods = [pod for pod in given["pods"] if is_active(pod)]
    others = [pod for pod in given.get("otherRelatedPods") or () if is_active(pod)]
    related = [*pods, *others] if given.get("ownedByDeployment") else []
    crowd = colocation(list(map(_node_of, pods)), map(_node_of, related))
    facts = [victim_facts(pod, count) for pod, count in zip(pods, crowd, strict=True)]
    got: Json = {"toDelete": max(0, len(pods) - given["replicas"])}
    if got["toDelete"] < len(pods):
        now_s = time_s(given["now"])
        assert now_s is not None
        got["order"] = [sorted(pods[at]["metadata"]["name"] for at in group) for group in _tie_groups(facts, now_s)]
    expect = {**case["expect"]}
    if "order" in expect:
        expect["order"] = [sorted(group) for group in expect["order"]]
    return got == expect, got


def _node_of(pod: Json) -> str:
    return (pod.get("spec") or {}).get("nodeName") or ""


def _tie_groups(facts: Sequence[VictimFacts], now_s: int) -> list[list[int]]:
    """Positions in the order of deletion; those together whose order is only that of the list they came in."""
    groups: list[list[int]] = []
    for at in victim_order(facts, now_s):
        if groups and victim_order([facts[at], facts[groups[-1][-1]]], now_s) == [0, 1]:
            groups[-1].append(at)
        else:
            groups.append([at])
    return groups


def _daemonset_should_run(case: Json) -> Outcome:
    node, spec = case["input"]["node"], known_daemon_pod(case["input"]["daemonSet"]).spec
    labels, taints = node["metadata"].get("labels") or {}, taints_of((node.get("spec") or {}).get("taints"))
    verdict = daemon_verdict(spec.placement, labels, taints, node["metadata"]["name"])
    got: Json = {"shouldRun": verdict.should_run, "shouldContinueRunning": verdict.should_continue}
    if "podTolerations" in case["expect"]:
        got["podTolerations"] = [_as_json(toleration) for toleration in spec.placement.tolerations]
    return got == case["expect"], got


def _as_json(toleration: Toleration) -> Json:
    out: Json = {
        "key": toleration.key,
        "operator": str(toleration.operator),
        "value": toleration.value,
        "effect": None if toleration.effect is None else str(toleration.effect),
    }
    if toleration.toleration_us is not None:
        out["tolerationSeconds"] = toleration.toleration_us // US_PER_S
    return {name: value for name, value in out.items() if value not in ("", None)}


FAMILIES: dict[str, Callable[[Json], Outcome]] = {
    **BUDGET_FAMILIES,
    **FAILURE_FAMILIES,
    **KUBELET_FAMILIES,
    **PRESSURE_FAMILIES,
    **TAINT_FAMILIES,
    **WORKLOAD_FAMILIES,
    "daemonset_should_run": _daemonset_should_run,
    "replicaset_victim_order": _replicaset_victim_order,
    "toleration_match": _toleration_match,
}
