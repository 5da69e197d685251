"""Plans of a given number of workloads, as varied as those of a company: services, queues, agents, several pools."""

import json

from planner.plan.files.io import plan_from_text
from planner.plan.model.plan import Plan

_NAMES = (
    "checkout",
    "catalog",
    "search",
    "cart",
    "payments",
    "recommender",
    "session",
    "orders",
    "inventory",
    "mailer",
)
_PRIORITIES = {"high": 1000, "normal": 100, "batch": -5}
_NAMESPACES = ("shop", "backend", "data")


def plan_of(workloads: int) -> Plan:
    """Ten minutes of so many workloads; every second one has an autoscaler."""
    names = [_name(number) for number in range(workloads)]
    data = {
        "schemaVersion": 4,
        "name": f"{workloads} workloads",
        "simulation": {"duration": "10m", "seed": 7},
        "nodeGroups": [_pool(number, workloads) for number in range(min(12, 2 + workloads // 10))],
        "priorityClasses": [{"name": name, "value": value} for name, value in _PRIORITIES.items()],
        "workloads": [_workload(number, name) for number, name in enumerate(names)],
        "horizontalPodAutoscalers": [_autoscaler(number, names[number]) for number in range(0, workloads, 2)],
    }
    return plan_from_text(json.dumps(data), "plan")


def _name(number: int) -> str:
    base = _NAMES[number % len(_NAMES)]
    return base if number < len(_NAMES) else f"{base}-{number // len(_NAMES) + 1}"


def _pool(number: int, workloads: int) -> dict[str, object]:
    size = max(2, workloads // 4)
    cores = (4, 8, 16)[number % 3]
    return {"name": f"general-{cores}{'abcd'[number // 3]}", "minSize": 1, "initialSize": min(3, size),
            "maxSize": size, "cpu": str(cores), "memory": f"{4 * cores}Gi", "zone": "abc"[number % 3],
            "pricePerHour": 0.048 * cores}  # fmt: skip


def _autoscaler(number: int, name: str) -> dict[str, object]:
    return {
        "name": name,
        "namespace": _NAMESPACES[number % 3],
        "scaleTarget": name,
        "minReplicas": 2,
        "maxReplicas": 10 + number % 3 * 10,
        "metrics": [{"averageUtilization": 60 + number % 4 * 5}],
    }


def _workload(number: int, name: str) -> dict[str, object]:
    rate = 20 + number * 37 % 90
    load = {
        "type": "diurnal",
        "mean": rate,
        "amplitude": rate * 0.6,
        "period": "10m",
        "phase": f"{number * 7 % 60 * 10}s",
    }
    requests = {"cpu": f"{250 + number % 4 * 250}m", "memory": f"{256 + number % 5 * 256}Mi"}
    return {
        "name": name,
        "namespace": _NAMESPACES[number % 3],
        "replicas": 2 + number % 4,
        "demand": {"cpuSecondsPerRequest": 0.01},
        "slo": {"percentile": 95, "target": "400ms"},
        "traffic": {"profile": load},
        "pod": {
            "priorityClass": list(_PRIORITIES)[number % 3],
            "containers": [{"name": name, "requests": requests}],
        },
    }
