"""Karpenter vectors of claims over time, and of batch windows."""

from typing import Any

from planner.karpenter.lifecycle.conditions import (
    DRIFT_INTERVAL_US,
    drift,
    expires_us,
    rest_state,
    template_drift,
    template_identity,
)
from planner.karpenter.provisioning.batcher import Batcher
from planner.plan.model.karpenter.settings import KarpenterSettings
from planner.simulation.compile.karpenter import compile_pool
from planner.units import US_PER_S
from tests.conformance.karpenter.world import CaseCluster, at_us, plan_pool

Json = dict[str, Any]
Outcome = tuple[bool, object]


def drift_expire(case: Json) -> Outcome:
    """Claims are reconciled at some times."""
    given = case["input"]
    cluster = CaseCluster(given)
    then = {pool.name: pool for pool in cluster.pools}
    now_pools = then | {p.name: p for p in (compile_pool(plan_pool(m)) for m in given.get("changedNodePools") or ())}
    deleted: set[str] = set()
    compared: dict[str, int] = {}
    rows = []
    for at in given["times"]:
        now_us, told = at_us(at), {}
        for node, raw in zip(cluster.nodes, given["nodes"], strict=True):
            if not node.is_managed:
                continue
            if node.name in deleted:
                told[node.name] = {"deleting": True}
                continue
            pool = now_pools[node.pool]
            initialized = at_us(raw.get("initialized", raw["created"])) if node.is_initialized else None
            event = None if raw.get("lastPodEvent") is None else at_us(raw["lastPodEvent"])
            rest = rest_state(pool, initialized, event, now_us)
            check = drift(
                template_drift(pool, template_identity(then[node.pool]), node.labels),
                node.labels,
                cluster.catalogue,
                now_us - node.created_us,
                0 if node.name in compared else None,
                given.get("providerDrift") or "",
            )
            if check.has_compared_types:
                compared[node.name] = now_us
            waits = [DRIFT_INTERVAL_US] + ([rest.due_us - now_us] if rest.due_us is not None else [])
            end_us = expires_us(node.created_us, node.expire_after_us)
            is_expired = end_us is not None and now_us >= end_us
            row: Json = {
                "consolidatable": rest.is_consolidatable,
                "requeueAfter": min(waits) / US_PER_S,
                "expired": is_expired,
                "expiresIn": 0 if end_us is None or is_expired else (end_us - now_us) / US_PER_S,
            }
            if check.reason:
                row["drifted"] = str(check.reason)
            if is_expired:
                deleted.add(node.name)
                if node.termination_grace_us is not None:
                    row["terminationTime"] = (now_us + node.termination_grace_us) / US_PER_S
            told[node.name] = row
        rows.append({"t": at, "nodes": told})
    return rows == case["expect"]["rows"], rows


def batching(case: Json) -> Outcome:
    """Ends of batch windows."""
    given = case["input"]
    settings = KarpenterSettings.model_validate(given.get("options") or {})
    batcher = Batcher(settings.batch_idle_duration, settings.batch_max_duration)
    closed = []

    def close_until(now_us: int) -> None:
        while (end_us := batcher.closes_us) is not None and end_us <= now_us:
            closed.append(end_us / US_PER_S)
            batcher.close()

    for arrival in given["arrivals"]:
        close_until(at_us(arrival["t"]))
        batcher.trigger(arrival["id"], at_us(arrival["t"]))
    close_until(at_us(given["until"] + 0.1))
    return closed == case["expect"]["closed"], closed


FAMILIES = {"drift_expire": drift_expire, "batching": batching}
