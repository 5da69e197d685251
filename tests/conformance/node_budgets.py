"""Vectors of disruption budgets and the eviction API."""

from collections.abc import Callable, Sequence
from typing import Any

from planner.kube.pods.budgets import KubeBudget, read_budget
from planner.kube.pods.pod_status import read_pod_status, time_s
from planner.plan.model.budgets import UnhealthyPodEvictionPolicy
from planner.state.matching import selector_matches
from planner.units import US_PER_S
from planner.workloads.disruption.budgets import (
    BudgetRule,
    BudgetStatus,
    CoveredPod,
    EvictionAnswer,
    after_eviction,
    answer_eviction,
    budget_status,
    recheck_after_us,
    unmanaged,
)

Json = dict[str, Any]
Outcome = tuple[bool, object]


def _rule(budget: KubeBudget) -> BudgetRule:
    return BudgetRule(budget.min_available, budget.max_unavailable, UnhealthyPodEvictionPolicy(budget.unhealthy_policy))


def _status(budget: KubeBudget) -> BudgetStatus:
    have = budget.status
    return BudgetStatus(
        have.current_healthy,
        have.desired_healthy,
        have.expected_pods,
        have.disruptions_allowed,
        dict(have.disrupted_us),
        have.is_current,
    )


def _matches(budget: KubeBudget, pod: Json) -> bool:
    meta = pod["metadata"]
    return (
        budget.selector is not None
        and (meta.get("namespace") or "default") == budget.namespace
        and selector_matches(budget.selector, meta.get("labels") or {})
    )


class _Owners:
    """Scales of the owners; a ReplicaSet of a Deployment stands for the Deployment."""

    def __init__(self, controllers: Sequence[Json]) -> None:
        by_name: dict[tuple[str, str], tuple[str, str]] = {
            (one["kind"], one["name"]): (one["kind"], one["uid"]) for one in controllers
        }
        self.scales = {(one["kind"], one["uid"]): one["replicas"] for one in controllers}
        self._top = {
            (one["kind"], one["uid"]): by_name[("Deployment", one["ownerDeployment"])]
            for one in controllers
            if one.get("ownerDeployment")
        }

    def owner(self, pod: Json) -> tuple[str, str] | None:
        refs = [ref for ref in pod["metadata"].get("ownerReferences") or () if ref.get("controller")]
        if not refs:
            return None
        own: tuple[str, str] = (refs[0]["kind"], refs[0]["uid"])
        return self._top.get(own, own)


def _covered(budget: KubeBudget, pods: Sequence[Json], owners: _Owners) -> list[CoveredPod]:
    return [
        CoveredPod(
            key=pod["metadata"]["name"],
            ready=read_pod_status(pod).ready,
            deleting=bool(pod["metadata"].get("deletionTimestamp")),
            owner=owners.owner(pod),
        )
        for pod in pods
        if _matches(budget, pod)
    ]


def _numbers(status: BudgetStatus) -> Json:
    return {
        "currentHealthy": status.current_healthy,
        "desiredHealthy": status.desired_healthy,
        "expectedPods": status.expected_pods,
        "disruptionsAllowed": status.disruptions_allowed,
        "disruptedPods": sorted(str(key) for key in status.disrupted_us),
    }


def _pdb_disruptions_allowed(case: Json) -> Outcome:
    given = case["input"]
    budget, owners = read_budget(given["pdb"]), _Owners(given["controllers"])
    rule, pods = _rule(budget), _covered(budget, given["pods"], owners)
    now_us = (time_s(given["now"]) or 0) * US_PER_S
    status = budget_status(rule, pods, owners.scales, budget.status.disrupted_us, now_us)
    if status is None:
        got: Json = {"error": True, "disruptionsAllowed": 0}
        return got == case["expect"], got
    got = {**_numbers(status), "error": False, "unmanagedPods": unmanaged(pods) if rule.counts_scales else 0}
    recheck_us = recheck_after_us(status, now_us)
    if recheck_us is not None:
        got["recheckAfterSeconds"] = recheck_us // US_PER_S
    return got == case["expect"], got


def _past_budgets(pod: Json) -> bool:
    phase = (pod.get("status") or {}).get("phase")
    return phase in ("Pending", "Succeeded", "Failed") or bool(pod["metadata"].get("deletionTimestamp"))


def _evict(pod: Json, budgets: Sequence[tuple[BudgetRule, BudgetStatus]]) -> EvictionAnswer:
    return answer_eviction(_past_budgets(pod), read_pod_status(pod).ready, budgets)


def _eviction_api_response(case: Json) -> Outcome:
    given = case["input"]
    budgets = [budget for budget in map(read_budget, given["pdbs"]) if _matches(budget, given["pod"])]
    states = [(_rule(budget), _status(budget)) for budget in budgets]
    answer, dry = _evict(given["pod"], states), given["dryRun"]
    got: Json = {
        "code": int(answer.code),
        "podDeleted": answer.allowed and not dry,
        "retryAfterSeconds": answer.retry_after_us // US_PER_S,
        "decrementedPdb": None,
    }
    if answer.budget is not None and not dry:
        got["decrementedPdb"] = budgets[answer.budget].name
        got["disruptionsAllowedAfter"] = after_eviction(states[answer.budget][1], "", 0).disruptions_allowed
    return got == case["expect"], got


class _Drain:
    """The world of one sequence: pods, one budget, the status the controller last wrote."""

    def __init__(self, given: Json) -> None:
        self._budget, self._owners = read_budget(given["pdb"]), _Owners(given["controllers"])
        self._pods: dict[str, Json] = {pod["metadata"]["name"]: pod for pod in given["pods"]}
        self._model: Json = given["pods"][0] if given["pods"] else {}
        self._rule, self._state = _rule(self._budget), _status(self._budget)

    def act(self, action: Json) -> object:
        return getattr(self, f"_{action['do']}")(action)

    def _sync(self, action: Json) -> Json:
        pods = _covered(self._budget, list(self._pods.values()), self._owners)
        now_us = action["t"] * US_PER_S
        status = budget_status(self._rule, pods, self._owners.scales, self._state.disrupted_us, now_us)
        assert status is not None
        self._state = status
        return _numbers(status)

    def _evict(self, action: Json) -> Json:
        pod = self._pods.get(action["pod"])
        if pod is None:
            return {"code": 404, "retryAfterSeconds": 0}
        matching = [(self._rule, self._state)] if _matches(self._budget, pod) else []
        answer = _evict(pod, matching)
        if answer.budget is not None:
            self._state = after_eviction(self._state, action["pod"], action["t"] * US_PER_S)
        if answer.allowed and not action.get("deletionLost"):
            pod["metadata"]["deletionTimestamp"] = "2030-01-01T00:00:00Z"
        return {"code": int(answer.code), "retryAfterSeconds": answer.retry_after_us // US_PER_S}

    def _gone(self, action: Json) -> None:
        self._pods.pop(action["pod"], None)

    def _create(self, action: Json) -> None:
        meta = {**self._model["metadata"], "name": action["pod"]}
        meta.pop("deletionTimestamp", None)
        self._pods[action["pod"]] = {"metadata": meta, "spec": {}, "status": {"phase": "Running"}}
        self._setReady(action)

    def _setReady(self, action: Json) -> None:
        pod = self._pods.get(action["pod"])
        if pod is not None:
            ready = "True" if action.get("ready") else "False"
            pod["status"] = {**pod["status"], "conditions": [{"type": "Ready", "status": ready}]}


def _pdb_drain_sequence(case: Json) -> Outcome:
    drain = _Drain(case["input"])
    got = {"results": [drain.act(action) for action in case["input"]["actions"]]}
    return got == case["expect"], got


FAMILIES: dict[str, Callable[[Json], Outcome]] = {
    "eviction_api_response": _eviction_api_response,
    "pdb_disruptions_allowed": _pdb_disruptions_allowed,
    "pdb_drain_sequence": _pdb_drain_sequence,
}
