"""Random events for random plans: every kind that a plan knows."""

import random
from collections.abc import Callable
from typing import Any

Json = dict[str, Any]
_MOST_EVENTS = 6


def events_of(
    chance: random.Random,
    groups: list[str],
    workloads: list[str],
    zones: list[str],
    new_pod: Callable[[random.Random], Json],
) -> list[Json]:
    """Up to six events on things of these names; `new_pod` makes templates for rollouts."""
    services = [name for name in workloads if name in ("web", "api")]
    scaled = [name for name in workloads if name in ("web", "api", "filler")]
    kinds = [
        *(lambda kind=kind: _on_nodes(chance, kind, groups) for kind in _ON_NODES),
        *(lambda kind=kind: _on_pool(chance, kind, groups) for kind in _ON_POOL),
        lambda: {"type": "zoneOutage", "zone": chance.choice(zones), "duration": _length(chance)},
        lambda: {"type": "rollout", "workload": chance.choice(services)},
        lambda: {"type": "rollout", "workload": chance.choice(services), "pod": new_pod(chance)},
        lambda: {"type": "imagePullDelay", "workload": chance.choice(workloads), "delay": "2m", "duration": "10m"},
        lambda: {"type": "metricsOutage", "api": chance.choice(["all", "resource"]), "duration": _length(chance)},
        lambda: {"type": "readinessFlap", "workload": chance.choice(services), "count": 3, "duration": _length(chance)},
        lambda: {
            "type": "controllerRestart",
            "controller": chance.choice(["horizontalPodAutoscaler", "clusterAutoscaler"]),
        },
        lambda: {"type": "deletePods", "workload": chance.choice(workloads), "count": chance.randint(1, 4)},
        lambda: {"type": "setReplicas", "workload": chance.choice(scaled), "replicas": chance.randint(0, 12)},
        lambda: {"type": "deleteWorkload", "workload": chance.choice(services)},
        lambda: {"type": "createWorkload", "workload": chance.choice(services)},
    ]
    return [_timed(chance, chance.choice(kinds)()) for _ in range(chance.randint(0, _MOST_EVENTS))]


_ON_NODES: dict[str, Json] = {
    "nodeLoss": {"nodeRemovedAfter": "3m"},
    "spotReclaim": {"notice": "1m"},
    "drain": {"timeout": "5m", "uncordonAfter": "4m"},
    "cordon": {},
    "scaleDownDisabled": {},
    "taint": {"taint": {"key": "maintenance", "effect": "NoExecute"}},
}
_ON_POOL: dict[str, Json] = {
    "stockOut": {"available": 1, "duration": "10m"},
    "slowProvisioning": {"factor": 4, "failureRatio": 0.3, "duration": "20m"},
    "provisioningFailure": {"ratio": 0.6, "duration": "20m"},
    "nodeUpgrade": {"maxSurge": 1, "maxUnavailable": 1, "drainTimeout": "3m"},
    "resizePool": {"minSize": 1, "maxSize": 6},
}
_FAILURES = ("refused", "neverRegisters", "neverReady", "resourceMissing")


def _on_nodes(chance: random.Random, kind: str, groups: list[str]) -> Json:
    event: Json = {"type": kind, "nodeGroup": chance.choice(groups), "count": chance.randint(1, 4)} | _ON_NODES[kind]
    if kind in ("nodeLoss", "cordon", "taint", "scaleDownDisabled"):
        event["duration"] = _length(chance)
    return event


def _on_pool(chance: random.Random, kind: str, groups: list[str]) -> Json:
    event: Json = {"type": kind, "nodeGroup": chance.choice(groups)} | _ON_POOL[kind]
    if kind == "provisioningFailure":
        event["kind"] = chance.choice(_FAILURES)
    return event


def _length(chance: random.Random) -> str:
    return chance.choice(["0s", "20s", "4m", "12m"])


def _timed(chance: random.Random, event: Json) -> Json:
    event["at"] = f"{chance.randint(0, 1500)}s"
    if chance.random() < 0.15:
        event["perHour"] = chance.choice([1, 4])
    return event
