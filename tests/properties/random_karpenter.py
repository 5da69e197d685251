"""Random pools of Karpenter for random plans, with the machines they may buy and what goes wrong with their nodes."""

import random
from typing import Any

Json = dict[str, Any]
POOLS = ("flex", "burst")
MARKETS = ("on-demand", "spot")
_CAPACITY_TYPE = "karpenter.sh/capacity-type"
_EVENTS: tuple[Json, ...] = (
    {"type": "spotReclaim", "count": 2, "notice": "30s"},
    {"type": "spotReclaim", "count": 9, "notice": "2m", "drain": False},
    {"type": "stockOut", "available": 1, "duration": "6m"},
    {"type": "provisioningFailure", "kind": "neverRegisters", "ratio": 0.5, "duration": "5m"},
    {"type": "provisioningFailure", "kind": "neverReady", "ratio": 0.5, "duration": "5m"},
    {"type": "slowProvisioning", "factor": 4, "failureRatio": 0.2, "duration": "10m"},
    {"type": "nodeLoss", "count": 1, "duration": "4m"},
    {"type": "nodeLoss", "count": 2, "nodeRemovedAfter": "3m"},
    {"type": "drain", "count": 1, "timeout": "5m", "uncordonAfter": "4m"},
    {"type": "taint", "count": 1, "taint": {"key": "maintenance", "effect": "NoExecute"}, "duration": "4m"},
    {"type": "nodeClassChange"},
)


def add_karpenter(chance: random.Random, plan: Json) -> None:
    """Pools beside the node groups of a plan, and events on them."""
    names = POOLS[: chance.randint(1, 2)]
    pools = [_pool(chance, name) for name in names]
    plan["karpenter"] = {
        "nodePools": pools,
        "instanceTypes": [_machine(chance, name, cores) for name, cores in {"s": 2, "m": 4, "l": 8}.items()],
        "spotToSpotConsolidation": chance.random() < 0.3,
        "preferencePolicy": chance.choice(["Respect", "Ignore"]),
    }
    plan["nodeAutoscaler"] = chance.choice(["byPool", "byPool", "byPool", "karpenter", "clusterAutoscaler"])
    plan["events"] += [
        {**chance.choice(_EVENTS), "nodeGroup": chance.choice(names), "at": f"{chance.randint(30, 800)}s"}
        for _ in range(chance.randint(0, 3))
    ]
    plan["karpenter"]["capacityBuffers"] = chance.random() < 0.5
    if chance.random() < 0.3:
        plan["karpenter"]["spotAllocation"] = "priceCapacityOptimized"
        for machine in plan["karpenter"]["instanceTypes"]:
            for offering in machine["offerings"]:
                offering["capacityScore"] = chance.randint(1, 10)


def _machine(chance: random.Random, name: str, cores: int) -> Json:
    price = round(cores * chance.uniform(0.04, 0.06), 4)
    offerings = [
        {"zone": zone, "capacityType": market, "price": price if market == "on-demand" else price / 3}
        for zone in ("a", "b", "c")
        for market in MARKETS
    ]
    return {"name": name, "cpu": str(cores), "memory": f"{4 * cores}Gi", "pods": 30, "offerings": offerings}


def _pool(chance: random.Random, name: str) -> Json:
    markets = chance.choice([MARKETS, MARKETS, MARKETS[:1], MARKETS[1:]])
    pool: Json = {
        "name": name,
        "requirements": [{"key": _CAPACITY_TYPE, "operator": "In", "values": list(markets)}],
        "weight": chance.choice([0, 0, 10]),
        "disruption": _disruption(chance),
        "expireAfter": chance.choice([None, None, "6m", "11m"]),
        "terminationGracePeriod": chance.choice([None, "30s", "3m"]),
        "provisioningDelay": chance.choice(["10s", "60s", "3m"]),
        "provisioningSpread": chance.choice(["0s", "20s"]),
        "readyDelay": chance.choice(["0s", "10s"]),
        "deletionDelay": chance.choice(["0s", "30s"]),
        "spotReclaimsPerHour": chance.choice([0, 0, 4]),
        "spotReclaimNotice": chance.choice(["0s", "30s", "2m"]),
    }
    if chance.random() < 0.3:
        pool["limits"] = chance.choice([{"cpu": "12"}, {"nodes": 3}, {"memory": "40Gi"}])
    if chance.random() < 0.4:
        there = {"machineType": chance.choice("sml"), "zone": chance.choice("abc"), "capacityType": markets[-1]}
        pool["initialNodes"] = [{**there, "count": chance.randint(1, 3)}]
    if chance.random() < 0.2:
        pool["startupTaints"] = [{"key": "booting", "effect": "NoSchedule"}]
    return pool


def _disruption(chance: random.Random) -> Json:
    """Always in force, for some reasons only, or at times of the night."""
    night = {"nodes": 0, "schedule": chance.choice(["2 0 * * *", "5-10 0 * * *"]), "duration": "4m"}
    drift = {"nodes": 1, "reasons": ["Drifted"]}
    budgets = chance.choice([[{"nodes": 1}], [{"nodes": 2}, drift], [{"nodes": "40%"}, night], [night], []])
    policy = chance.choice(["WhenEmpty", "WhenEmptyOrUnderutilized", "WhenEmptyOrUnderutilized"])
    return {
        "budgets": budgets,
        "consolidationPolicy": policy,
        "consolidateAfter": chance.choice(["0s", "0s", "30s", "2m", None]),
    }
