"""Vectors of what ends pods: translates the cases, calls the production rules, compares."""

from collections.abc import Callable, Sequence
from typing import Any

from planner.kube.pods.pod_status import KubePodStatus, read_pod_status, time_s
from planner.kube.pods.selectors import read_required_terms
from planner.kube.pods.tolerations import read_kube_tolerations
from planner.kube.pools.nodes import read_node
from planner.plan.model.node_groups import TaintEffect
from planner.state.specs import Taint
from planner.state.tolerations import TolerationLike, no_execute_delay_us, tolerated, tolerates_hard_taints
from planner.units import US_PER_S
from planner.workloads.controllers.daemon_rule import daemon_tolerations, daemon_verdict
from planner.workloads.controllers.victim_order import (
    VictimFacts,
    VictimPhase,
    colocation,
    compare_victims,
    surplus,
    victim_order,
)
from tests.conformance import node_budgets, node_failures, node_kubelet, node_pressure, node_taints, node_workloads

Json = dict[str, Any]
Outcome = tuple[bool, object]
PHASES = {"Pending": VictimPhase.PENDING, "Unknown": VictimPhase.UNKNOWN, "Running": VictimPhase.RUNNING}


def _toleration_match(case: Json) -> Outcome:
    given = case["input"]
    tolerations = read_kube_tolerations(given.get("tolerations") or ())
    taints = [Taint(t["key"], t.get("value") or "", TaintEffect(t["effect"])) for t in given.get("taints") or ()]
    gate = bool(given.get("comparisonOperatorsEnabled"))
    delay_us = no_execute_delay_us(tolerations, taints)
    got = {
        "toleratedPerTaint": [tolerated(tolerations, taint, gate) for taint in taints],
        "schedulable": tolerates_hard_taints(tolerations, taints, gate),
        "noExecuteSeconds": None if delay_us is None else delay_us // US_PER_S,
    }
    return got == case["expect"], got


def _replicaset_victim_order(case: Json) -> Outcome:
    given = case["input"]
    pods = [pod for pod in map(read_pod_status, given["pods"]) if pod.active]
    others = [pod for pod in map(read_pod_status, given.get("otherRelatedPods") or ()) if pod.active]
    related = [*pods, *others] if given.get("ownedByDeployment") else []
    crowd = colocation([pod.node_name for pod in pods], [pod.node_name for pod in related])
    facts = [_victim_facts(pod, count) for pod, count in zip(pods, crowd, strict=True)]
    got: Json = {"toDelete": surplus(len(pods), given["replicas"])}
    if got["toDelete"] < len(pods):
        now_s = time_s(given["now"])
        assert now_s is not None
        got["order"] = _tie_groups(pods, facts, now_s)
    expect = {**case["expect"]}
    if "order" in expect:
        expect["order"] = [sorted(group) for group in expect["order"]]
    return got == expect, got


def _victim_facts(pod: KubePodStatus, colocated: int) -> VictimFacts:
    return VictimFacts(
        uid=pod.uid,
        assigned=bool(pod.node_name),
        phase=PHASES.get(pod.phase, VictimPhase.PENDING),
        ready=pod.ready,
        ready_since_s=pod.ready_since_s,
        created_s=pod.created_s,
        colocated=colocated,
        deletion_cost=pod.deletion_cost,
        restarts=pod.restarts,
        sidecar_restarts=pod.sidecar_restarts,
    )


def _tie_groups(pods: Sequence[KubePodStatus], facts: Sequence[VictimFacts], now_s: int) -> list[list[str]]:
    groups: list[list[int]] = []
    for at in victim_order(facts, now_s):
        if groups and compare_victims(facts[groups[-1][-1]], facts[at], now_s) == 0:
            groups[-1].append(at)
        else:
            groups.append([at])
    return [sorted(pods[at].name for at in group) for group in groups]


def _daemonset_should_run(case: Json) -> Outcome:
    node = read_node(case["input"]["node"])
    spec = case["input"]["daemonSet"]["spec"]["template"].get("spec") or {}
    own = read_kube_tolerations(spec.get("tolerations") or ())
    tolerations = daemon_tolerations(own, host_network=bool(spec.get("hostNetwork")))
    verdict = daemon_verdict(
        selector=spec.get("nodeSelector") or {},
        terms=read_required_terms((spec.get("affinity") or {}).get("nodeAffinity") or {}),
        tolerations=tolerations,
        labels=node.labels,
        taints=[Taint(taint.key, taint.value, taint.effect) for taint in node.taints],
        node_name=node.name,
        wanted_node=spec.get("nodeName") or "",
    )
    got: Json = {"shouldRun": verdict.should_run, "shouldContinueRunning": verdict.should_continue}
    if "podTolerations" in case["expect"]:
        got["podTolerations"] = [_as_json(toleration) for toleration in tolerations]
    return got == case["expect"], got


def _as_json(toleration: TolerationLike) -> Json:
    out: Json = {
        "key": toleration.key,
        "operator": str(toleration.operator),
        "value": toleration.value,
        "effect": None if toleration.effect is None else str(toleration.effect),
    }
    time_us = getattr(toleration, "toleration_us", None)
    if time_us is not None:
        out["tolerationSeconds"] = time_us // US_PER_S
    return {name: value for name, value in out.items() if value not in ("", None)}


FAMILIES: dict[str, Callable[[Json], Outcome]] = {
    **node_budgets.FAMILIES,
    **node_failures.FAMILIES,
    **node_kubelet.FAMILIES,
    **node_pressure.FAMILIES,
    **node_taints.FAMILIES,
    **node_workloads.FAMILIES,
    "daemonset_should_run": _daemonset_should_run,
    "replicaset_victim_order": _replicaset_victim_order,
    "toleration_match": _toleration_match,
}
