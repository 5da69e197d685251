"""Vectors of disruption budgets and the eviction API."""

from collections.abc import Callable, Sequence
from typing import Any

from planner.units import US_PER_S
from planner.workloads.disruption.budgets import (
    BudgetRule,
    BudgetStatus,
    EvictedPod,
    EvictionAnswer,
    OwnedPods,
    after_eviction,
    answer_eviction,
    budget_status,
    recheck_after_us,
)
from tests.conformance.object_status import KnownBudget, controller_of, is_deleting, is_ready, phase_of, time_s

Json = dict[str, Any]
Outcome = tuple[bool, object]
Owner = tuple[str, str] | None


class _Owners:
    """Scales of the owners; a ReplicaSet of a Deployment represents the Deployment."""

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

    def owner(self, pod: Json) -> Owner:
        ref = controller_of(pod)
        own = None if ref is None else (ref["kind"], ref["uid"])
        return own if own is None else self._top.get(own, own)


def _owned(pods: Sequence[Json], owners: _Owners) -> list[OwnedPods]:
    """The columns of a run: pods of each owner, and those that are Ready."""
    found: dict[Owner, list[Json]] = {}
    for pod in pods:
        found.setdefault(owners.owner(pod), []).append(pod)
    return [
        OwnedPods(owner, len(mine), sum(is_ready(pod) and not is_deleting(pod) for pod in mine))
        for owner, mine in found.items()
    ]


def _status(
    budget: KnownBudget, before: BudgetStatus, pods: Sequence[Json], owners: _Owners, now_us: int
) -> tuple[BudgetStatus | None, list[OwnedPods]]:
    """A pass of the controller, and the pods it counted."""
    covered = [pod for pod in pods if budget.covers_pod(pod)]
    named = {pod["metadata"]["name"]: pod for pod in covered if not is_deleting(pod)}
    evicted = {
        name: EvictedPod(since_us, is_ready(named[name]))
        for name, since_us in before.disrupted_us.items()
        if name in named
    }
    owned = _owned(covered, owners)
    return budget_status(budget.rule, owned, owners.scales, evicted, now_us), owned


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
    budget, owners = KnownBudget(given["pdb"]), _Owners(given["controllers"])
    now_us = (time_s(given["now"]) or 0) * US_PER_S
    status, owned = _status(budget, budget.status, given["pods"], owners, now_us)
    if status is None:
        got: Json = {"error": True, "disruptionsAllowed": 0}
        return got == case["expect"], got
    bare = sum(pods.count for pods in owned if pods.owner is None)
    got = {**_numbers(status), "error": False, "unmanagedPods": bare if budget.rule.counts_scales else 0}
    recheck_us = recheck_after_us(status, now_us)
    if recheck_us is not None:
        got["recheckAfterSeconds"] = recheck_us // US_PER_S
    return got == case["expect"], got


def _past_budgets(pod: Json) -> bool:
    return phase_of(pod) in ("Pending", "Succeeded", "Failed") or is_deleting(pod)


def _evict(pod: Json, budgets: Sequence[tuple[BudgetRule, BudgetStatus]]) -> EvictionAnswer:
    return answer_eviction(_past_budgets(pod), is_ready(pod), budgets)


def _eviction_api_response(case: Json) -> Outcome:
    given = case["input"]
    budgets = [budget for budget in map(KnownBudget, given["pdbs"]) if budget.covers_pod(given["pod"])]
    states = [(budget.rule, budget.status) for budget in budgets]
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
        self._budget, self._owners = KnownBudget(given["pdb"]), _Owners(given["controllers"])
        self._pods: dict[str, Json] = {pod["metadata"]["name"]: pod for pod in given["pods"]}
        self._model: Json = given["pods"][0] if given["pods"] else {}
        self._state = self._budget.status

    def act(self, action: Json) -> object:
        return getattr(self, f"_{action['do']}")(action)

    def _sync(self, action: Json) -> Json:
        pods, now_us = list(self._pods.values()), action["t"] * US_PER_S
        status, _ = _status(self._budget, self._state, pods, self._owners, now_us)
        assert status is not None
        self._state = status
        return _numbers(status)

    def _evict(self, action: Json) -> Json:
        pod = self._pods.get(action["pod"])
        if pod is None:
            return {"code": 404, "retryAfterSeconds": 0}
        matching = [(self._budget.rule, self._state)] if self._budget.covers_pod(pod) else []
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
